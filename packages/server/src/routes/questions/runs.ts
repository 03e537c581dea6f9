import { AskemaError } from '@askema/core';
import * as z from 'zod';
import { publicOutcome } from '../../errors/public-outcome.ts';
import { EVENT_STREAM } from '../../events/event-stream.ts';
import { OUTCOME, RUN } from '../../openapi/schemas.ts';
import { answerOf, endOf, type RunRecord, standingOf } from '../../runs/run-record.ts';
import { liveKey, recordOfRun, runBehind, standingOfOpen } from '../caller-runs.ts';
import type { Route, RouteCall } from '../route.ts';
import { answerWith } from './answer-with.ts';
import { stopInQueue } from './ask-through-queue.ts';
import { databaseOf } from './question-runs.ts';
import { readRun } from './read-run.ts';

const ANSWER = z.strictObject({
  answer: z.union([z.string().min(1).max(20_000), z.int()]).describe('The id of a choice, or words.'),
});

/** How a run stands, with its outcome once it has one. */
export const showRun: Route = {
  method: 'GET',
  path: '/v1/runs/:run',
  scope: 'ask',
  summary: 'Show a run',
  output: RUN,
  async handle(call) {
    const { record, run } = await runOf(call);
    return shown(call, record, run);
  },
};

/** Answers what a run has asked back. */
export const answerRun: Route = {
  method: 'POST',
  path: '/v1/runs/:run/answer',
  scope: 'ask',
  summary: 'Answer what a question has asked back',
  description: 'Another run goes on from the answer; its id is in the outcome. Events as with `POST /v1/ask`.',
  body: ANSWER,
  output: OUTCOME,
  media: [EVENT_STREAM],
  async handle(call) {
    call.holdQuestion();
    const { record, run } = await runOf(call);
    const answer = String((await call.body(ANSWER)).answer);
    if (endOf(record, run)?.outcome !== 'needsClarification')
      throw new AskemaError('INPUT_INVALID', 'This run has asked nothing back, so there is nothing to answer.');
    const next = runBehind(run);
    const before = answerOf(record, next);
    if (before !== undefined && before.answer !== answer)
      throw new AskemaError('REQUEST_CONFLICT', 'This was answered otherwise already. Ask anew to decide otherwise.');
    const database = await databaseOf(call, record);
    return answerWith(call, { id: record.id, run: next, database, answer: { run, answer } });
  },
};

/** Goes on with a run that was broken off. */
export const resumeRun: Route = {
  method: 'POST',
  path: '/v1/runs/:run/resume',
  scope: 'ask',
  summary: 'Go on with a run that was interrupted or has failed',
  description: 'What was paid for is not asked again. A run that has ended otherwise gives its outcome.',
  output: OUTCOME,
  media: [EVENT_STREAM],
  async handle(call) {
    call.holdQuestion();
    const { record, run } = await runOf(call);
    const database = await databaseOf(call, record);
    return answerWith(call, { id: record.id, run, database, again: endOf(record, run)?.outcome === 'failed' });
  },
};

/** Stops a run. */
export const cancelRun: Route = {
  method: 'DELETE',
  path: '/v1/runs/:run',
  scope: 'ask',
  summary: 'Stop a run',
  description: 'Its statement is stopped. Of a run that has ended already, nothing changes.',
  output: RUN,
  async handle(call) {
    const { record, run } = await runOf(call);
    const { queue, live, records } = call.parts;
    if (queue !== undefined) await stopInQueue(call, record, run, queue);
    else if ((await live.cancel(liveKey(call, run))) === undefined && endOf(record, run) === undefined)
      // It was broken off before: now it has ended.
      await records.whileOpen(call.caller, record.id, (open) =>
        open.mark({ type: 'ended', run, outcome: 'cancelled' }),
      );
    return shown(call, await records.find(call.caller, record.id, 'question'), run);
  },
};

async function runOf(call: RouteCall): Promise<{ readonly record: RunRecord; readonly run: string }> {
  const run = call.param('run');
  return { record: await recordOfRun(call, run, 'question'), run };
}

async function shown(call: RouteCall, record: RunRecord, run: string): Promise<object> {
  const { database, text: question, at } = record;
  const base = { id: run, ...(database === undefined ? {} : { database }), question, at: new Date(at).toISOString() };
  const { live, queue } = call.parts;
  const shared = queue && (standingOf(record, run) ?? 'interrupted');
  const status = shared ?? (await standingOfOpen(call, { record, run, live }));
  if (status !== 'ended') return { ...base, status };
  const end = endOf(record, run);
  if (end?.outcome === 'cancelled' && end.json === undefined) return { ...base, status };
  const reader = readRun(call, { id: record.id, run, database: await databaseOf(call, record) });
  return { ...base, status, outcome: publicOutcome(await reader.result) };
}
