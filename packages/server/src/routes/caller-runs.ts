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
function runBehind(run: string): string {
  const [id, number = '1'] = run.split('~');
  return `${id}~${Number(number) + 1}`;
}

/** The key of a run among those of all callers. */
export function liveKey({ caller }: Pick<RouteCall, 'caller'>, run: string): string {
  return `${ownerKey(caller)}.${run}`;
}

/** A run, and the record that it belongs to. */
export interface RecordedRun {
  readonly record: RunRecord;
  readonly run: string;
}

/**
 * The run that goes on from an answer to this one, with that answer where it was given before.
 *
 * @throws AskemaError `INPUT_INVALID` where nothing was asked back, `REQUEST_CONFLICT` where another answer was given.
 */
export function runOfAnswer(
  { record, run }: RecordedRun,
  answer: string,
  words: { readonly noun: string; readonly verb: string },
): { readonly next: string; readonly before: ReturnType<typeof answerOf> } {
  if (endOf(record, run)?.outcome !== 'needsClarification')
    throw new AskemaError('INPUT_INVALID', `This ${words.noun} has asked nothing back, so there is nothing to answer.`);
  const next = runBehind(run);
  const before = answerOf(record, next);
  if (before === undefined || before.answer === answer) return { next, before };
  throw new AskemaError(
    'REQUEST_CONFLICT',
    `This was answered otherwise already. ${words.verb} anew to decide otherwise.`,
  );
}

/** A run that one process works on: it has the record open. */
interface OpenRun extends RecordedRun {
  readonly live: Pick<LiveRuns<unknown>, 'isRunning' | 'cancel'>;
}

/** Stops a run for good. */
export async function cancelOpen(call: RouteCall, { record, run, live }: OpenRun): Promise<void> {
  const stopped = await live.cancel(liveKey(call, run));
  if (stopped !== undefined || endOf(record, run) !== undefined) return;
  // It was broken off before: now it has ended.
  await call.parts.records.whileOpen(call.caller, record.id, (open) =>
    open.mark({ type: 'ended', run, outcome: 'cancelled' }),
  );
}

/** How a run stands. */
export async function standingOfOpen(
  call: RouteCall,
  { record, run, live }: OpenRun,
): Promise<'running' | 'interrupted' | 'ended'> {
  if (live.isRunning(liveKey(call, run))) return 'running';
  if (endOf(record, run) !== undefined) return 'ended';
  return (await call.parts.records.isOpen(call.caller, record.id)) ? 'running' : 'interrupted';
}
