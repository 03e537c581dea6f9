import { entryHash, type KnowledgeEntry } from '../folder/checks.ts';
import { entryId, type Knowledge, type KnowledgeProblem } from '../model/knowledge.ts';
import type { KnowledgeState, Standing } from '../model/standing.ts';
import type { CheckedEntry } from './knowledge-check.ts';
import { isProposal } from './one-world.ts';

/** The states that findings lead to: what has an error failed, the others are as their folder says. */
export function settleEntries(
  knowledge: Knowledge,
  findings: readonly KnowledgeProblem[],
  checked: { readonly at: string; readonly by: string | undefined },
): { readonly entries: readonly CheckedEntry[]; readonly knowledge: Knowledge } {
  const reasons = new Map<string, string>();
  for (const { severity, entry, place, message } of findings)
    if (severity === 'error' && entry !== undefined && !reasons.has(`${entry}\n${place.file}`))
      reasons.set(`${entry}\n${place.file}`, message);
  const entries: CheckedEntry[] = [];

  const note = (id: string, entry: KnowledgeEntry, standing: Standing): CheckedEntry => {
    const { place } = standing;
    const reason = reasons.get(`${id}\n${place.file}`);
    const isProposed = isProposal(standing);
    const unchecked: KnowledgeState = isProposed ? 'proposed' : 'accepted';
    const found: CheckedEntry = {
      id,
      state: reason === undefined ? unchecked : 'failed',
      isProposal: isProposed,
      hash: entryHash(entry),
      place,
      checkedAt: checked.at,
      checkedBy: checked.by,
      reason,
    };
    entries.push(found);
    return found;
  };
  const settle = <T extends KnowledgeEntry & { readonly standing: Standing }>(id: string, entry: T): T => {
    const { state, checkedAt, checkedBy, reason } = note(id, entry, entry.standing);
    return { ...entry, standing: { ...entry.standing, state, checkedAt, checkedBy, reason } };
  };
  const models = knowledge.models.map((model) => ({
    ...settle(entryId('model', model.name), model),
    datasets: model.datasets.map((dataset) => {
      for (const field of dataset.fields)
        note(entryId('field', `${dataset.name}.${field.name}`), field, dataset.standing);
      return settle(entryId('dataset', dataset.name), dataset);
    }),
    relationships: model.relationships.map((one) => settle(entryId('relationship', one.name), one)),
    metrics: model.metrics.map((one) => settle(entryId('metric', one.name), one)),
    filters: model.filters.map((one) => settle(entryId('filter', one.name), one)),
  }));
  const settled: Knowledge = {
    ...knowledge,
    models,
    texts: knowledge.texts.map((one) => settle(entryId(one.kind, one.id), one)),
    verifiedQueries: knowledge.verifiedQueries.map((one) => settle(entryId('query', one.id), one)),
    problems: findings,
  };
  return { entries, knowledge: settled };
}
