import { entryHash } from '../folder/checks.ts';
import { entryKey, errorsByEntry, mapEntries } from '../model/entries.ts';
import type { Knowledge, KnowledgeProblem } from '../model/knowledge.ts';
import { listEntries } from '../model/list-entries.ts';
import { isProposal, type Standing } from '../model/standing.ts';
import type { CheckedEntry } from './knowledge-check.ts';

/** The states that findings lead to: what has an error failed, the others are as their folder says. */
export function settleEntries(
  knowledge: Knowledge,
  findings: readonly KnowledgeProblem[],
  checked: { readonly at: string; readonly by: string | undefined },
): { readonly entries: readonly CheckedEntry[]; readonly knowledge: Knowledge } {
  const reasons = errorsByEntry(findings);
  const found = (id: string, standing: Standing) => {
    const reason = reasons.get(entryKey(id, standing.place));
    const unchecked = isProposal(standing) ? 'proposed' : 'accepted';
    const state = reason === undefined ? unchecked : 'failed';
    return { state, checkedAt: checked.at, checkedBy: checked.by, reason } as const;
  };
  const entries = listEntries(knowledge).map(
    ({ id, entry, standing }): CheckedEntry => ({
      id,
      ...found(id, standing),
      isProposal: isProposal(standing),
      hash: entryHash(entry),
      place: standing.place,
    }),
  );
  const settled = mapEntries(knowledge, (id, entry) => ({
    ...entry,
    standing: { ...entry.standing, ...found(id, entry.standing) },
  }));
  return { entries, knowledge: { ...settled, problems: findings } };
}
