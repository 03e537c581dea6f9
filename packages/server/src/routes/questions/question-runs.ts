import type { Caller } from '../../contract.ts';
import type { OpenDatabase } from '../../databases/database-pool.ts';
import { type RunRecord, type RunRequest, standingOf } from '../../runs/run-record.ts';
import type { RunRecords } from '../../runs/run-records.ts';
import { checkPlace } from '../caller-runs.ts';
import type { AskingCall } from '../route.ts';

export interface QuestionRun {
  /** Of the record. */
  readonly id: string;
  /** `id`, or `id~2` for what goes on from an answer. */
  readonly run: string;
  /** Undefined where that has yet to be found. */
  readonly database: OpenDatabase | undefined;
  /** What a new record begins with. */
  readonly request?: RunRequest | undefined;
  /** An answer to what `run` goes on from. */
  readonly answer?: { readonly run: string; readonly answer: string } | undefined;
  /** Goes on also where it had ended without an answer. */
  readonly again?: boolean | undefined;
  /** Somebody looks at its steps. */
  readonly isFollowed?: boolean | undefined;
}

/**
 * The database of a record; undefined where that has yet to be found. Rejects as `RouteCall.database`, and with
 * `CALLER_REFUSED` for one that the caller may not ask any more.
 */
export async function databaseOf(call: AskingCall, record: RunRecord): Promise<OpenDatabase | undefined> {
  checkPlace(call.caller, record);
  const { database } = record;
  return database === undefined ? undefined : call.database(database, 'ask');
}

/**
 * Writes down that nobody works on a run of the queue any more: it can be gone on with. An answer that was none, and so
 * was taken back, can be given again.
 */
export async function leaveRun(
  records: RunRecords,
  { caller, id, run }: { readonly caller: Caller; readonly id: string; readonly run: string },
): Promise<void> {
  await records.update(caller, id, async (open) => {
    if (open.before !== undefined && standingOf(open.before, run) === 'running') await open.mark({ type: 'left', run });
  });
}
