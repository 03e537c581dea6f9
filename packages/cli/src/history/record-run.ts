import type { JournalEntry, Outcome } from '@askema/core';
import { encodeOutcome } from '@askema/text2sql/ask';
import { type HistoryEntry, keepEntry } from './history-store.ts';

/** What is known of a run beside its outcome. */
export interface RecordedRequest {
  readonly cwd: string;
  readonly database: string;
  readonly question: string;
  readonly flags: object;
}

/** Flags that change something, or that belong to one call alone. */
const NOT_KEPT = new Set(['write', 'yes', 'trace', 'dryRun', 'history', 'refresh']);

/** Keeps a run of `askema ask` in the history. `journal` is kept where it waits for an answer. Throws as `keepEntry`. */
export async function recordRun(
  folder: string,
  outcome: Outcome,
  { flags, ...request }: RecordedRequest,
  journal: readonly JournalEntry[] | undefined,
): Promise<void> {
  const result = 'result' in outcome ? outcome.result : undefined;
  const kept = result === undefined ? outcome : { ...outcome, result: { ...result, rows: [] } };
  const entry: HistoryEntry = {
    schemaVersion: 1,
    id: historyId(outcome.runId),
    at: new Date().toISOString(),
    ...request,
    flags: Object.fromEntries(Object.entries(flags).filter(([name]) => !NOT_KEPT.has(name))),
    mayWrite: 'write' in flags && flags.write === true,
    ...(result === undefined ? {} : { rowCount: result.rows.length }),
    outcome: encodeOutcome(kept as Outcome),
    ...(outcome.type === 'needsClarification' && journal !== undefined && journal.length > 0 ? { journal } : {}),
  };
  await keepEntry(folder, entry);
}

/**
 * The id of a run in the history: `ask-3f2a9c1e-…` is `3f2a9c1e`, the run of its answer `3f2a9c1e~2`, and the third
 * turn of a chat, `conversation-3f2a9c1e-….3`, `3f2a9c1e_3`.
 */
export function historyId(runId: string): string {
  return runId.replace(/^(?:ask|conversation)-([0-9a-f]{8})[0-9a-f-]*/, '$1').replaceAll('.', '_');
}
