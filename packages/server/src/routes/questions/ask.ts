import { AskemaError } from '@askema/core';
import * as z from 'zod';
import { EVENT_STREAM } from '../../events/event-stream.ts';
import { DATABASE_NAME, OUTCOME, SQL } from '../../openapi/schemas.ts';
import { onlyDatabase } from '../choose-database.ts';
import { newRunId } from '../new-run-id.ts';
import type { Route } from '../route.ts';
import { answerWith } from './answer-with.ts';

const BODY = z.strictObject({
  question: z.string().min(1).max(20_000),
  database: DATABASE_NAME.optional().describe('Default: the only one, the one that is found, or it is asked back.'),
  evidence: z.string().max(20_000).optional().describe('Anything that the question takes for granted.'),
  follows: z
    .strictObject({ question: z.string().max(20_000), sql: SQL })
    .optional()
    .describe('The question before, and its SQL.'),
  today: z.iso.date().optional().describe('The date of "today". Default: that of the server, UTC.'),
});

/** Answers a question. */
export const ask: Route = {
  method: 'POST',
  path: '/v1/ask',
  scope: 'ask',
  summary: 'Ask a question',
  description:
    'With `Accept: text/event-stream`: `started`, `step`, `candidate`, `rows` and, last, `outcome`. A reader that leaves stops the statement. With `Idempotency-Key`, the same request gives the same run.',
  body: BODY,
  output: OUTCOME,
  media: [EVENT_STREAM],
  async handle(call) {
    const body = await call.body(BODY);
    const { question, database: name, ...options } = body;
    const chosen = name ?? onlyDatabase(call, 'ask');
    const database = chosen === undefined ? undefined : await call.database(chosen, 'ask');
    if (database?.answersQuestions === false)
      throw new AskemaError(
        'TASK_UNSUPPORTED',
        `The database ${database.name} answers no questions, only SQL: it has no model.`,
      );
    call.holdQuestion();
    const id = await newRunId(call, JSON.stringify({ ...body, database: chosen }));
    const request = { kind: 'question', database: chosen, text: question, options } as const;
    return answerWith(call, { id, run: id, database, request });
  },
};
