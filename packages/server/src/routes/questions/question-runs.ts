import { AskemaError, isAskemaError, type Outcome } from '@askema/core';
import type { OpenDatabase } from '../../databases/database-pool.ts';
import type { LiveRunParts, RunReader } from '../../runs/live-runs.ts';
import { ownerKey } from '../../runs/owner-key.ts';
import { endMark, keptOutcome, type RunAnswer, workOnRun } from '../../runs/run-outcome.ts';
import { answerOf, endOf, type RunRecord, type RunRequest } from '../../runs/run-record.ts';
import type { OpenRecord } from '../../runs/run-records.ts';
import type { RouteCall } from '../route.ts';
import { askThroughQueue } from './ask-through-queue.ts';

export interface QuestionRun {
  /** Of the record. */
  readonly id: string;
  /** `id`, or `id~2` for what goes on from an answer. */
  readonly run: string;
  readonly database: OpenDatabase;
  /** What a new record begins with. */
  readonly request?: RunRequest | undefined;
  /** An answer to what `run` goes on from. */
  readonly answer?: RunAnswer | undefined;
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

export function liveKey({ caller }: Pick<RouteCall, 'caller'>, run: string): string {
  return `${ownerKey(caller)}.${run}`;
}

/**
 * Begins a run, goes on with one that was broken off, or reads the outcome of one that has ended; joins it where it is
 * under way. `accepted` rejects with what forbids it: `LIMIT_EXCEEDED`, `JOURNAL_LOCKED`, `INPUT_INVALID`.
 */
export function readRun(call: RouteCall, run: QuestionRun): RunReader {
  const { live, records, queue } = call.parts;
  return live.join(liveKey(call, run.run), call.signal, (parts) =>
    queue === undefined
      ? records.whileOpen(call.caller, run.id, (record) => workHere(call, run, record, parts))
      : askThroughQueue(call, run, parts, queue),
  );
}

async function workHere(call: RouteCall, run: QuestionRun, record: OpenRecord, parts: LiveRunParts): Promise<Outcome> {
  const { live, metrics } = call.parts;
  const ended = run.again === true ? undefined : keptOutcome(record.before, run.run);
  if (ended !== undefined) return ended;
  const isReplay = record.before !== undefined && endOf(record.before, run.run) !== undefined && run.again !== true;
  if (!isReplay) call.beginQuestion(requestOf(record.before, run).text);
  if (record.before === undefined && run.request !== undefined) await record.begin(run.request);
  const outcome = await toOutcome(run, record, parts);
  // Who only left finds the question again; who has said that it shall stop does not.
  const isBrokenOff = outcome.type === 'cancelled' && !live.isCancelled(liveKey(call, run.run));
  if (!isReplay && !isBrokenOff) {
    metrics.outcome(outcome.type);
    await record.mark(endMark(run.run, outcome));
  }
  return outcome;
}

async function toOutcome(run: QuestionRun, record: OpenRecord, parts: LiveRunParts): Promise<Outcome> {
  const { signal } = parts;
  const onEvent: LiveRunParts['onEvent'] = (event) => {
    parts.accepted();
    parts.onEvent(event);
  };
  const request = requestOf(record.before, run);
  const answer = answerTo(record.before, run);
  if (run.answer !== undefined) await record.mark({ type: 'answered', ...run.answer, next: run.run });
  try {
    return await workOnRun(run.database.text2sql, { id: run.id, request, answer }, { signal, onEvent });
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'INPUT_INVALID' && run.answer !== undefined)
      await record.mark({ type: 'withdrawn', next: run.run });
    throw thrown;
  }
}

/** What a run is asked. */
export function requestOf(record: RunRecord | undefined, { request }: QuestionRun): RunRequest {
  const known = record ?? request;
  if (known !== undefined) return known;
  throw new AskemaError('INTERNAL', 'A run without a record has nothing to ask.');
}

/** What a run goes on from; undefined for one that begins with its question. */
export function answerTo(record: RunRecord | undefined, { run, answer }: QuestionRun): RunAnswer | undefined {
  return answer ?? (record && answerOf(record, run));
}
