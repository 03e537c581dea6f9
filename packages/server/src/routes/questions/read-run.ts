import type { Outcome } from '@askema/core';
import type { LiveRunParts, RunReader } from '../../runs/live-runs.ts';
import { endOf } from '../../runs/run-record.ts';
import type { OpenRecord } from '../../runs/run-records.ts';
import { liveKey } from '../caller-runs.ts';
import type { RouteCall } from '../route.ts';
import { askThroughQueue } from './ask-through-queue.ts';
import type { QuestionRun } from './question-runs.ts';
import { endMark, keptOutcome, requestIn, toOutcome } from './to-outcome.ts';

/**
 * Begins a run, goes on with one that was broken off, or reads the outcome of one that has ended; joins it where it is
 * under way. `accepted` rejects with what forbids it: `LIMIT_EXCEEDED`, `JOURNAL_LOCKED`, `INPUT_INVALID`.
 */
export function readRun(call: RouteCall, run: QuestionRun): RunReader {
  const { records, live, queue } = call.parts;
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
  if (!isReplay) call.beginQuestion(requestIn(record.before ?? run.request).text);
  if (record.before === undefined && run.request !== undefined) await record.begin(run.request);
  const outcome = await toOutcome(call, run, record, parts);
  // Who only left finds the question again; who has said that it shall stop does not.
  const isBrokenOff = outcome.type === 'cancelled' && !live.isCancelled(liveKey(call, run.run));
  if (!isReplay && !isBrokenOff) {
    metrics.outcome(outcome.type);
    await record.mark(endMark(run.run, outcome));
  }
  return outcome;
}
