import { AskemaError } from '@askema/core';
import { hasScope } from '../caller/scopes.ts';
import type { Caller } from '../contract.ts';
import type { LiveRuns } from '../runs/live-runs.ts';
import { ownerKey } from '../runs/owner-key.ts';
import { answerOf, endOf, type RunRecord, type RunRequest } from '../runs/run-record.ts';
import type { RouteCall } from './route.ts';

/**
 * The record that a run of the caller belongs to. Rejects with `RUN_NOT_FOUND` for one that is not theirs, and with
 * `CALLER_REFUSED` for one about a database that they may not ask any more.
 */
export async function recordOfRun(
  { caller, parts }: RouteCall,
  run: string,
  kind: RunRequest['kind'],
): Promise<RunRecord> {
  const record = await parts.records.find(caller, run.replace(/~\d{1,4}$/, ''), kind);
  checkPlace(caller, record);
  // The first run has the id of the record; others begin with an answer.
  if (run === record.id || answerOf(record, run) !== undefined) return record;
  throw new AskemaError('RUN_NOT_FOUND', `There is no ${kind} ${JSON.stringify(run.slice(0, 60))} of this caller.`);
}

/** @throws AskemaError `CALLER_REFUSED`, without the name, where the database of a record may not be asked any more. */
export function checkPlace(caller: Caller, { database }: RunRecord): void {
  if (database === undefined || hasScope(caller, 'ask', database)) return;
  throw new AskemaError(
    'CALLER_REFUSED',
    'This question is about a database that the caller may not ask any more. Ask another one.',
  );
}

/** The run that goes on from an answer to this one, as text2sql names it. */
export function runBehind(run: string): string {
  const [id, number = '1'] = run.split('~');
  return `${id}~${Number(number) + 1}`;
}

/** The key of a run among those of all callers. */
export function liveKey({ caller }: Pick<RouteCall, 'caller'>, run: string): string {
  return `${ownerKey(caller)}.${run}`;
}

/** How a run stands that one process works on: it has the record open. */
export async function standingOfOpen(
  call: RouteCall,
  {
    record,
    run,
    live,
  }: { readonly record: RunRecord; readonly run: string; readonly live: Pick<LiveRuns, 'isRunning'> },
): Promise<'running' | 'interrupted' | 'ended'> {
  if (live.isRunning(liveKey(call, run))) return 'running';
  if (endOf(record, run) !== undefined) return 'ended';
  return (await call.parts.records.isOpen(call.caller, record.id)) ? 'running' : 'interrupted';
}
