import { entryKey, errorsByEntry, type KnowledgeEntry, mapEntries, type StandingEntry } from '../model/entries.ts';
import { entryId, type Knowledge, type KnowledgeProblem } from '../model/knowledge.ts';
import type { SemanticModel } from '../model/semantic-model.ts';
import type { Standing } from '../model/standing.ts';
import { entryHash, type KnowledgeChecks } from './checks.ts';

type Unsettled = Pick<Knowledge, 'models' | 'texts' | 'verifiedQueries'> & { readonly problems: KnowledgeProblem[] };

/** Entries as the problems of reading and the last check leave them: `failed` where either found an error. */
export function withStates(read: Unsettled, checks: KnowledgeChecks | undefined): Unsettled {
  const { problems } = read;
  problems.push(...definedTwice(read.models));
  const errors = errorsByEntry(problems);
  const settle = <Entry extends StandingEntry>(id: string, entry: Entry): Entry => {
    const reason = errors.get(entryKey(id, entry.standing.place));
    const check = checkOf(checks, id, entry);
    const failed =
      reason ?? (check?.state === 'failed' ? (check.reason ?? 'The last check found an error.') : undefined);
    if (failed === undefined && check === undefined) return entry;
    return {
      ...entry,
      standing: {
        ...entry.standing,
        ...(check === undefined ? {} : { checkedAt: check.at, checkedBy: check.by }),
        ...(failed === undefined ? {} : { state: 'failed', reason: failed }),
      },
    };
  };

  problems.push(...read.models.flatMap((model) => failedFields(model, checks)));
  return mapEntries(read, settle);
}

/** What the last check found of this very text. */
function checkOf(
  checks: KnowledgeChecks | undefined,
  id: string,
  entry: KnowledgeEntry,
): KnowledgeChecks['entries'][string] | undefined {
  if (checks === undefined || !Object.hasOwn(checks.entries, id)) return undefined;
  const check = checks.entries[id];
  return check?.sha256 === entryHash(entry) ? check : undefined;
}

/** Fields have no state of their own; a problem leaves them out. */
function failedFields(model: SemanticModel, checks: KnowledgeChecks | undefined): readonly KnowledgeProblem[] {
  if (checks === undefined) return [];
  return model.datasets.flatMap((dataset) =>
    dataset.fields.flatMap((field): readonly KnowledgeProblem[] => {
      const entry = entryId('field', `${dataset.name}.${field.name}`);
      // What passed is not looked at: hashing every field would take longer than reading them.
      if (!Object.hasOwn(checks.entries, entry) || checks.entries[entry]?.state !== 'failed') return [];
      const check = checkOf(checks, entry, field);
      if (check === undefined) return [];
      const { place } = dataset.standing;
      const message = `Field ${dataset.name}.${field.name} failed the last check: ${check.reason ?? 'no reason was kept'}`;
      return [{ severity: 'error', code: 'check-failed', entry, place, message }];
    }),
  );
}

/** Names that two files define, of what has to be unique within the knowledge. Proposals may propose it again. */
function definedTwice(models: readonly SemanticModel[]): readonly KnowledgeProblem[] {
  const standings = new Map<string, { readonly id: string; readonly standing: Standing }[]>();
  const add = (kind: 'model' | 'dataset' | 'metric' | 'filter', name: string, standing: Standing): void => {
    if (standing.state !== 'accepted') return;
    const key = entryId(kind, name).toLowerCase();
    const known = standings.get(key);
    const one = { id: entryId(kind, name), standing };
    if (known === undefined) standings.set(key, [one]);
    else known.push(one);
  };
  for (const model of models) {
    add('model', model.name, model.standing);
    for (const { name, standing } of model.datasets) add('dataset', name, standing);
    for (const { name, standing } of model.metrics) add('metric', name, standing);
    for (const { name, standing } of model.filters) add('filter', name, standing);
  }
  return [...standings.values()].flatMap((all) => {
    const files = new Set(all.map(({ standing }) => standing.place.file));
    // Within one file, the reader says it.
    if (files.size < 2 && !(all.length > 1 && all[0]?.id.startsWith('filter:') === true)) return [];
    const places = all.map(
      ({ standing: { place } }) => `${place.file}${place.line === undefined ? '' : `:${place.line}`}`,
    );
    return all.map(
      ({ id, standing }): KnowledgeProblem => ({
        severity: 'error',
        code: 'defined-twice',
        entry: id,
        place: standing.place,
        message: `${id.replace(':', ' ')} is defined in ${places.join(' and in ')}. None of them is used.`,
        advice: 'Keep one of them, or give them names of their own.',
      }),
    );
  });
}
