import { type KnowledgeEntry, mapLists } from '../model/entries.ts';
import { entryId, type Knowledge } from '../model/knowledge.ts';
import { listEntries } from '../model/list-entries.ts';
import { sameName } from '../model/same-name.ts';
import type { Dataset, SemanticModel } from '../model/semantic-model.ts';
import { isProposal, type Standing } from '../model/standing.ts';
import { plainKey } from '../verified/plain-question.ts';

/**
 * Knowledge as it would be if the proposals that are wanted were accepted: each takes the place of the accepted entry of
 * its name, a verified query also that of its question. They stay `proposed`, and are used. Where two propose one name,
 * the first is taken; the others are left out, and so is what failed.
 */
export function takeProposals(knowledge: Knowledge, isWanted: (standing: Standing) => boolean): Knowledge {
  const isTaken = (standing: Standing): boolean =>
    isProposal(standing) && standing.state === 'proposed' && isWanted(standing);
  const taken = new Map<string, KnowledgeEntry>();
  for (const { kind, id, entry, standing } of listEntries(knowledge)) {
    const keys = keysOf(id, entry);
    if (kind === 'model' || kind === 'field' || !isTaken(standing) || keys.some((key) => taken.has(key))) continue;
    for (const key of keys) taken.set(key, entry);
  }

  const kept = <Entry extends KnowledgeEntry & { readonly standing: Standing }>(id: string, entry: Entry): Entry[] => {
    const keys = keysOf(id, entry);
    if (keys.every((key) => taken.get(key) === entry))
      return [{ ...entry, standing: { ...entry.standing, isTried: true } }];
    return isProposal(entry.standing) || keys.some((key) => taken.has(key)) ? [] : [entry];
  };
  const accepted = knowledge.models.filter(({ standing }) => !isProposal(standing));
  const withOldFields = (dataset: Dataset): Dataset => {
    const old = accepted.flatMap(({ datasets }) => datasets).find(({ name }) => sameName(name, dataset.name));
    if (old === undefined || dataset.standing.isTried !== true) return dataset;
    const others = old.fields.filter((field) => dataset.fields.every(({ name }) => !sameName(name, field.name)));
    return { ...dataset, fields: [...others, ...dataset.fields] };
  };
  return {
    ...knowledge,
    models: knowledge.models.flatMap((model): SemanticModel[] => {
      if (isProposal(model.standing) && !isTaken(model.standing)) return [];
      const parts = mapLists(model, (list, kind) => list.flatMap((part) => kept(entryId(kind, part.name), part)));
      const standing: Standing = isProposal(model.standing) ? { ...model.standing, isTried: true } : model.standing;
      return [{ ...parts, standing, datasets: parts.datasets.map(withOldFields) }];
    }),
    verifiedQueries: knowledge.verifiedQueries.flatMap((query) => kept(entryId('query', query.id), query)),
    texts: knowledge.texts.flatMap((text) => kept(entryId(text.kind, text.id), text)),
  };
}

/** What only one entry may have: its id, and of a query its question. */
function keysOf(id: string, entry: KnowledgeEntry): readonly string[] {
  return 'question' in entry ? [id.toLowerCase(), `\n${plainKey(entry.question)}`] : [id.toLowerCase()];
}
