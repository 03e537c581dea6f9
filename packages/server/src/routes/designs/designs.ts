import type { DesignOutcome } from '@askema/text2schema';
import * as z from 'zod';
import type { ServedDesign } from '../../contract.ts';
import { EVENT_STREAM, eventStream, type ServerEvent } from '../../events/event-stream.ts';
import { stepsOf } from '../../events/question-events.ts';
import { RUN_ID } from '../../openapi/schemas.ts';
import type { RunReader } from '../../runs/live-runs.ts';
import { endOf } from '../../runs/run-record.ts';
import { accepts } from '../accepts.ts';
import { cancelOpen, type RecordedRun, recordOfRun, runOfAnswer, standingOfOpen } from '../caller-runs.ts';
import { leavingWith } from '../leaving.ts';
import { newRunId } from '../new-run-id.ts';
import type { Route, RouteCall } from '../route.ts';
import { type DesignRun, designOf, keptDesign, readDesign } from './design-runs.ts';
import { publicDesign } from './public-design.ts';

const BODY = z.strictObject({ requirement: z.string().min(1).max(200_000) });
const ANSWERS = z.strictObject({
  answers: z
    .array(z.string().max(20_000).nullable())
    .min(1)
    .max(200)
    .describe('In the order of the questions; null where the assumption holds.'),
});
const OUTCOME = z
  .looseObject({
    type: z.enum(['designed', 'needsClarification', 'refused', 'budgetExceeded', 'cancelled', 'failed']),
    runId: z.string().describe('For the routes below `/v1/designs/`.'),
    ddl: z.string().optional(),
    accepted: z.boolean().optional(),
    questions: z.array(z.looseObject({ question: z.string(), assumption: z.string() })).optional(),
    assumptions: z.array(z.string()),
  })
  .describe('A `DesignOutcome` of @askema/text2schema, with the DDL of its schema.');
const DESIGN = z.object({
  id: RUN_ID,
  requirement: z.string(),
  at: z.iso.datetime(),
  status: z.enum(['running', 'interrupted', 'ended']).describe('As of a run.'),
  outcome: OUTCOME.optional(),
});
const EVENTS =
  'With `Accept: text/event-stream`: `started`, a `step` for each step of a role, and `outcome` last. A reader that leaves stops the design.';

/** Designs a schema. */
export const designSchema: Route = {
  method: 'POST',
  path: '/v1/designs',
  scope: 'design',
  summary: 'Design a schema from a requirement',
  description: `There only where the server was given \`design\`. It takes minutes; nothing is written into any database. ${EVENTS} With \`Idempotency-Key\`, the same request gives the same design.`,
  body: BODY,
  output: OUTCOME,
  media: [EVENT_STREAM],
  async handle(call) {
    const body = await call.body(BODY);
    const design = designOf(call);
    const { checkRequirement } = await import('@askema/text2schema');
    const requirement = checkRequirement(body.requirement);
    call.holdQuestion();
    const id = await newRunId(call, JSON.stringify(body));
    return designWith(call, design, { id, run: id, requirement });
  },
};

/** How a design stands, with its outcome once it has one. */
export const showDesign: Route = {
  method: 'GET',
  path: '/v1/designs/:design',
  scope: 'design',
  summary: 'Show a design',
  output: DESIGN,
  async handle(call) {
    return shown(call, await designNamed(call));
  },
};

/** Answers what a design has asked back. */
export const answerDesign: Route = {
  method: 'POST',
  path: '/v1/designs/:design/answer',
  scope: 'design',
  summary: 'Answer what a design has asked back',
  description: `Another run goes on from the answers; its id is in the outcome. ${EVENTS}`,
  body: ANSWERS,
  output: OUTCOME,
  media: [EVENT_STREAM],
  async handle(call) {
    call.holdQuestion();
    const asked = await designNamed(call);
    const { record, run } = asked;
    const answer = JSON.stringify((await call.body(ANSWERS)).answers);
    const { next, before } = runOfAnswer(asked, answer, { noun: 'design', verb: 'Design' });
    const given = before === undefined ? { run, answer } : undefined;
    return designWith(call, designOf(call), { id: record.id, run: next, answer: given });
  },
};

/** Goes on with a design that was broken off. */
export const resumeDesign: Route = {
  method: 'POST',
  path: '/v1/designs/:design/resume',
  scope: 'design',
  summary: 'Go on with a design that was interrupted or has failed',
  description: 'What was paid for is not asked again. A design that has ended otherwise gives its outcome.',
  output: OUTCOME,
  media: [EVENT_STREAM],
  async handle(call) {
    call.holdQuestion();
    const { record, run } = await designNamed(call);
    const again = endOf(record, run)?.outcome === 'failed';
    return designWith(call, designOf(call), { id: record.id, run, again });
  },
};

/** Stops a design. */
export const cancelDesign: Route = {
  method: 'DELETE',
  path: '/v1/designs/:design',
  scope: 'design',
  summary: 'Stop a design',
  description: 'Of a design that has ended already, nothing changes.',
  output: DESIGN,
  async handle(call) {
    const { record, run } = await designNamed(call);
    const { designs, records } = call.parts;
    await cancelOpen(call, { record, run, live: designs });
    return shown(call, { record: await records.find(call.caller, record.id, 'design'), run });
  },
};

async function designNamed(call: RouteCall): Promise<RecordedRun> {
  const run = call.param('design');
  return { record: await recordOfRun(call, run, 'design'), run };
}

async function shown(call: RouteCall, { record, run }: RecordedRun): Promise<object> {
  const { text: requirement, at } = record;
  const base = { id: run, requirement, at: new Date(at).toISOString() };
  const status = await standingOfOpen(call, { record, run, live: call.parts.designs });
  if (status !== 'ended') return { ...base, status };
  const outcome = endOf(record, run)?.json === undefined ? undefined : keptDesign(record, run);
  const { dialect } = designOf(call);
  return {
    ...base,
    status,
    ...(outcome === undefined ? {} : { outcome: publicDesign(outcome, run, dialect) }),
  };
}

/** Reads a design for a response: the outcome as JSON, or its events where the request asks for those. */
async function designWith(call: RouteCall, design: ServedDesign, run: DesignRun): Promise<Response | object> {
  const left = leavingWith(call.signal);
  const { signal } = left;
  const reader = readDesign({ ...call, signal }, design, run);
  await reader.accepted;
  const outcomeOf = (outcome: DesignOutcome) => publicDesign(outcome, run.run, design.dialect);
  if (!accepts(call.request, EVENT_STREAM)) return outcomeOf(await reader.result);
  const events = designEvents(reader, run.run, outcomeOf);
  return eventStream(events, { requestId: call.requestId, onLeft: () => left.abort() });
}

async function* designEvents(
  reader: RunReader<DesignOutcome>,
  run: string,
  shownOf: (outcome: DesignOutcome) => object,
): AsyncGenerator<ServerEvent, void, undefined> {
  yield { event: 'started', data: { run } };
  yield* stepsOf(reader.events);
  yield { event: 'outcome', data: shownOf(await reader.result) };
}
