import { AskemaError, type Outcome } from '@askema/core';
import { followSteps } from '../../queue/follow-steps.ts';
import type { RunQueue } from '../../queue/run-queue.ts';
import type { LiveRunParts } from '../../runs/live-runs.ts';
import {
  answerOf,
  askedRun,
  endOf,
  endsOf,
  placeOf,
  type RunRecord,
  type RunRequest,
  standingOf,
} from '../../runs/run-record.ts';
import { liveKey } from '../caller-runs.ts';
import type { RouteCall } from '../route.ts';
import { leaveRun, type QuestionRun } from './question-runs.ts';
import { keptOutcome, outcomeWhenFree, requestIn } from './to-outcome.ts';

/**
 * Puts a question down for whichever server has room, and waits until it has ended. When all readers of this server have
 * left, it is stopped; where another server has readers as well, that one puts it down again.
 */
export async function askThroughQueue(
  call: RouteCall,
  run: QuestionRun,
  parts: LiveRunParts,
  queue: RunQueue,
): Promise<Outcome> {
  const { caller } = call;
  const { records } = call.parts;
  const key = liveKey(call, run.run);
  const begun = await records.read(caller, run.id);
  const standing = begun && standingOf(begun, run.run);
  if (begun !== undefined && standing === 'ended' && run.again !== true) return outcomeOf(call, run, begun, parts);
  const request = requestOf(begun, run);
  if (standing !== 'running') call.beginQuestion(request.text);
  const attempt = begun === undefined ? 0 : endsOf(begun, run.run);
  const job = { id: run.id, run: run.run, attempt, request, answer: run.answer ?? (begun && answerOf(begun, run.run)) };
  for (;;) {
    const handle = await queue.enqueue(key, caller, job);
    if (begun === undefined)
      await records.update(caller, run.id, async (open) => {
        if (open.before === undefined) await open.begin(request);
      });
    parts.accepted();
    const steps = stepsOf(call, run, begun, parts);
    let isDone: boolean;
    try {
      isDone = await queue.ended(handle, {
        signal: parts.signal,
        onEvent(event) {
          // It is worked on here: there is nothing to look for in the journal.
          steps?.stop();
          parts.onEvent(event);
        },
      });
    } catch (thrown) {
      steps?.stop();
      if (!queue.isClosed) await leave(call, run, queue).catch(() => undefined);
      throw thrown;
    }
    await steps?.end();
    const record = await records.read(caller, run.id);
    if (record !== undefined && standingOf(record, run.run) === 'ended')
      return outcomeOf(call, run, record, { ...parts, onEvent: () => undefined });
    if (isDone)
      throw new AskemaError('INTERNAL', `The run ${run.run} was worked on, and its end is not in the journal.`);
  }
}

/** Ends a run for good, also where another server works on it. */
export async function stopInQueue(call: RouteCall, { id }: RunRecord, run: string, queue: RunQueue): Promise<void> {
  await call.parts.records.update(call.caller, id, async (open) => {
    if (open.before !== undefined && standingOf(open.before, run) !== 'ended')
      await open.mark({ type: 'ended', run, outcome: 'cancelled' });
  });
  await queue.cancel(liveKey(call, run));
}

/** First the record, so that whoever puts it down again comes behind. */
async function leave(call: RouteCall, { id, run }: QuestionRun, queue: RunQueue): Promise<void> {
  await leaveRun(call.parts.records, { caller: call.caller, id, run });
  await queue.cancel(liveKey(call, run));
}

/** The request as the record has it, without what was found out since. */
function requestOf(record: RunRecord | undefined, { request }: QuestionRun): RunRequest {
  if (request !== undefined) return request;
  const asked = requestIn(record);
  return placeOf(record) === undefined ? asked : { ...asked, database: undefined };
}

function stepsOf(
  { parts: { runtime } }: RouteCall,
  { run, isFollowed, database }: QuestionRun,
  record: RunRecord | undefined,
  { onEvent }: LiveRunParts,
) {
  const journal = isFollowed === true ? database?.journal : undefined;
  return journal && followSteps(journal, record === undefined ? run : askedRun(record, run), { onEvent, runtime });
}

/** Of a run that has ended: with rows, it is read from the run. */
async function outcomeOf(call: RouteCall, run: QuestionRun, record: RunRecord, parts: LiveRunParts): Promise<Outcome> {
  const kept = keptOutcome(record, run.run);
  if (kept !== undefined) return kept;
  const ended = { ...run, answer: undefined };
  const outcome = await outcomeWhenFree(call, ended, { before: record, mark: async () => undefined }, parts);
  return { ...outcome, elapsedMs: endOf(record, run.run)?.elapsedMs ?? outcome.elapsedMs };
}
