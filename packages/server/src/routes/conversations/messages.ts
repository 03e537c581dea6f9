import { AskemaError, iterateEvents, type Outcome } from '@askema/core';
import type { SayOptions, Turn } from '@askema/text2sql';
import * as z from 'zod';
import { publicTurn } from '../../errors/public-outcome.ts';
import { EVENT_STREAM, eventStream, type ServerEvent } from '../../events/event-stream.ts';
import { outcomeEvents, stepsOf } from '../../events/question-events.ts';
import { ANSWER, DATABASE_NAME, SQL, TURN } from '../../openapi/schemas.ts';
import type { EventIteration } from '../../runs/event-iteration.ts';
import { accepts } from '../accepts.ts';
import { leavingWith } from '../leaving.ts';
import type { Route, RouteCall } from '../route.ts';
import { type OpenConversation, openConversation } from './with-conversation.ts';

const EVENTS =
  'With `Accept: text/event-stream`: `started`, `step`, `candidate`, `rows`, and `turn` last. Sent again after it was broken off, it goes on where it stopped.';

const MESSAGE = z.strictObject({
  message: z.string().min(1).max(20_000),
  database: DATABASE_NAME.optional().describe('Which one is meant, of several. Default: what the message says.'),
  standsAlone: z.boolean().optional().describe('It is a question by itself; no model reads it before.'),
  summarize: z
    .enum(['never', 'explain', 'always'])
    .optional()
    .describe('Which answers are told in prose. Default: `explain`.'),
  today: z.iso.date().optional(),
});
const EDIT = z.strictObject({
  sql: SQL,
  database: DATABASE_NAME.optional().describe('Default: that of the last statement.'),
});

export const sayMessage: Route = {
  method: 'POST',
  path: '/v1/conversations/:conversation/messages',
  scope: 'ask',
  summary: 'Say something',
  description: EVENTS,
  body: MESSAGE,
  output: TURN,
  media: [EVENT_STREAM],
  async handle(call) {
    const { message, ...options } = await call.body(MESSAGE);
    if (options.database !== undefined) await call.database(options.database, 'ask');
    return turnOf(call, message, ({ conversation }, given) => conversation.say(message, { ...options, ...given }));
  },
};

export const answerTurn: Route = {
  method: 'POST',
  path: '/v1/conversations/:conversation/answer',
  scope: 'ask',
  summary: 'Answer what the last turn has asked back',
  description: EVENTS,
  body: ANSWER,
  output: TURN,
  media: [EVENT_STREAM],
  async handle(call) {
    const { answer } = await call.body(ANSWER);
    return turnOf(call, String(answer), ({ conversation }, given) => conversation.answer(answer, given));
  },
};

export const editStatement: Route = {
  method: 'POST',
  path: '/v1/conversations/:conversation/edit',
  scope: 'sql',
  summary: 'Run a statement in the place of the last one',
  description: EVENTS,
  body: EDIT,
  output: TURN,
  media: [EVENT_STREAM],
  async handle(call) {
    const { sql, database } = await call.body(EDIT);
    return turnOf(call, sql, async ({ conversation, record }, given) => {
      const last = (await conversation.turns()).findLast(({ answer }) => answer.type === 'answered');
      const of = database ?? last?.understood?.database ?? record.database;
      if (of === undefined)
        throw new AskemaError('INPUT_INVALID', 'No turn has a statement to change. Ask a question first.');
      // Who may ask a database may not yet run statements of their own there.
      await call.database(of, 'sql');
      // By its name: meanwhile another request may have moved to a turn about another one.
      return conversation.edit(sql, { ...given, database: of });
    });
  },
};

/** Begins a turn and gives it as JSON, or its events where the request asks for those. */
async function turnOf(
  call: RouteCall,
  said: string,
  say: (open: OpenConversation, given: Pick<SayOptions, 'signal' | 'onEvent'>) => Promise<Turn>,
): Promise<Response | object> {
  call.holdQuestion();
  const open = await openConversation(call);
  call.beginQuestion(said);
  const left = leavingWith(call.signal);
  const { signal } = left;
  const run = iterateEvents((onEvent) => say(open, { signal, onEvent }).finally(() => open.conversation.close()));
  run.result.catch(() => undefined);
  if (!accepts(call.request, EVENT_STREAM)) return publicTurn(await run.result);
  const events = turnEvents(run, { conversation: open.record.id, database: open.record.database });
  return eventStream(events, { requestId: call.requestId, onLeft: () => left.abort() });
}

async function* turnEvents(run: EventIteration<Turn>, started: object): AsyncGenerator<ServerEvent, void, undefined> {
  yield { event: 'started', data: started };
  yield* stepsOf(run);
  const turn = await run.result;
  const outcomes = turn.outcomes ?? [turn.outcome];
  for (const [part, outcome] of outcomes.entries()) yield* rowsOf(outcome, outcomes.length === 1 ? undefined : part);
  yield { event: 'turn', data: publicTurn(turn) };
}

/** The rows of what a turn ran; `part` counts the questions of an explanation from 0. */
function* rowsOf(outcome: Outcome | undefined, part: number | undefined): Generator<ServerEvent, void, undefined> {
  if (outcome === undefined) return;
  for (const { event, data } of outcomeEvents(outcome))
    if (event !== 'outcome') yield { event, data: part === undefined ? data : { ...data, part } };
}
