import { once } from 'node:events';
import { abortedError, type EventSink } from '@askema/core';
import type { QuestionJob } from '../../queue/question-job.ts';
import type { RunningWork } from '../../running-work.ts';
import { answerOf, endsOf, type RunRecord, standingOf } from '../../runs/run-record.ts';
import type { OpenRecord } from '../../runs/run-records.ts';
import { forRequest } from '../../statements/current-request.ts';
import { CallerLeases } from '../caller-leases.ts';
import type { AskingCall, ServerParts } from '../route.ts';
import { leaveRun } from './question-runs.ts';
import { endMark, outcomeWhenFree } from './to-outcome.ts';

/**
 * Works on a question of the queue, for whom it is: with their view of the databases, in their name. What it came to
 * stands in the record. A server that is about to stop begins only what its own readers wait for.
 */
export async function performQuestion(
  parts: ServerParts,
  work: RunningWork,
  job: QuestionJob,
  given: { readonly key: string; readonly signal: AbortSignal; readonly onEvent: EventSink },
): Promise<void> {
  const { key, signal } = given;
  if (work.isDraining && !parts.live.isRunning(key)) {
    if (!signal.aborted) await once(signal, 'abort');
    throw abortedError('The question');
  }
  const { over } = work.begin(signal);
  const leases = new CallerLeases(parts, job.caller);
  const call: AskingCall = { caller: job.caller, parts, database: (name, scope) => leases.open(name, scope) };
  const current = { requestId: job.run, caller: job.caller, route: 'POST /v1/ask', question: job.request.text };
  try {
    await forRequest(current, () => workOn(call, job, given));
  } catch (thrown) {
    // Whoever has stopped it has written that down.
    if (!signal.aborted) await leaveRun(parts.records, job);
    throw thrown;
  } finally {
    leases.release();
    over();
  }
}

async function workOn(
  call: AskingCall,
  job: QuestionJob,
  { signal, onEvent }: { readonly signal: AbortSignal; readonly onEvent: EventSink },
): Promise<void> {
  const { records, metrics } = call.parts;
  const { caller, id, run, request } = job;
  const begun = await records.update(caller, id, (open) => begin(job, open));
  if (begun === 'ended') return;
  let known = begun;
  const record: Pick<OpenRecord, 'before' | 'mark'> = {
    get before() {
      return known;
    },
    async mark(mark) {
      await records.update(caller, id, (open) => open.mark(mark));
      known = await records.read(caller, id);
    },
  };
  const database = request.database === undefined ? undefined : await call.database(request.database, 'ask');
  const answer = known !== undefined && answerOf(known, run) !== undefined ? undefined : job.answer;
  const asked = { id, run, database, request, answer };
  const outcome = await outcomeWhenFree(call, asked, record, { signal, onEvent, accepted: () => undefined });
  if (signal.aborted) throw abortedError('The question');
  await records.update(caller, id, async (open) => {
    if (open.before === undefined || standingOf(open.before, run) === 'ended') return;
    await open.mark(endMark(run, outcome));
    metrics.outcome(outcome.type);
  });
}

/** Writes down that it is worked on, and gives what was known before. */
async function begin(
  { run, attempt, request }: QuestionJob,
  open: OpenRecord,
): Promise<RunRecord | 'ended' | undefined> {
  const { before } = open;
  if (before === undefined) await open.begin(request);
  if (before === undefined) return undefined;
  if (endsOf(before, run) > attempt) return 'ended';
  const standing = standingOf(before, run);
  if (standing === 'interrupted' || standing === 'ended') await open.mark({ type: 'resumed', run });
  return before;
}
