import { AskemaError } from '@askema/core';
import type { OpenDatabase } from '../../databases/database-pool.ts';
import { ownerKey } from '../../runs/owner-key.ts';
import { answerOf, type RunRecord, type RunRequest } from '../../runs/run-record.ts';
import type { AskingCall, RouteCall } from '../route.ts';

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

/** The record that a run of the caller belongs to. Rejects with `RUN_NOT_FOUND` for one that is not theirs. */
export async function recordOfRun({ caller, parts }: RouteCall, run: string): Promise<RunRecord> {
  const record = await parts.records.find(caller, run.replace(/~\d{1,4}$/, ''), 'question');
  // The first run has the id of the record; others begin with an answer.
  if (run === record.id || answerOf(record, run) !== undefined) return record;
  throw new AskemaError('RUN_NOT_FOUND', `There is no run ${JSON.stringify(run.slice(0, 60))} of this caller.`);
}

/** The run that goes on from an answer to this one, as text2sql names it. */
export function runBehind(run: string): string {
  const [id, number = '1'] = run.split('~');
  return `${id}~${Number(number) + 1}`;
}

/** The database of a record; undefined where that has yet to be found. Rejects as `RouteCall.database`. */
export async function databaseOf(call: AskingCall, { database }: RunRecord): Promise<OpenDatabase | undefined> {
  return database === undefined ? undefined : call.database(database, 'ask');
}

export function liveKey({ caller }: Pick<RouteCall, 'caller'>, run: string): string {
  return `${ownerKey(caller)}.${run}`;
}
