import { publicOutcome } from '../../errors/public-outcome.ts';
import { EVENT_STREAM } from '../../events/event-stream.ts';
import { ANSWER, OUTCOME, RUN } from '../../openapi/schemas.ts';
import { endOf, standingOf } from '../../runs/run-record.ts';
import { cancelOpen, type RecordedRun, recordOfRun, runOfAnswer, standingOfOpen } from '../caller-runs.ts';
import type { Route, RouteCall } from '../route.ts';
import { answerWith } from './answer-with.ts';
import { stopInQueue } from './ask-through-queue.ts';
import { databaseOf } from './question-runs.ts';
import { readRun } from './read-run.ts';

/** How a run stands, with its outcome once it has one. */
export const showRun: Route = {
  method: 'GET',
  path: '/v1/runs/:run',
  scope: 'ask',
  summary: 'Show a run',
  output: RUN,
  async handle(call) {
    return shown(call, await runOf(call));
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
    const asked = await runOf(call);
    const { record, run } = asked;
    const answer = String((await call.body(ANSWER)).answer);
    const { next } = runOfAnswer(asked, answer, { noun: 'run', verb: 'Ask' });
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
    else await cancelOpen(call, { record, run, live });
    return shown(call, { record: await records.find(call.caller, record.id, 'question'), run });
  },
};

async function runOf(call: RouteCall): Promise<RecordedRun> {
  const run = call.param('run');
  return { record: await recordOfRun(call, run, 'question'), run };
}

async function shown(call: RouteCall, { record, run }: RecordedRun): Promise<object> {
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
