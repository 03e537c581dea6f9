import { OUTCOME_TYPES } from '@askema/text2sql';
import { MAX_STATEMENT_CHARACTERS } from '@askema/tools';
import * as z from 'zod';

/** What routes take and give, as far as several of them share it. Names become those of the description. */

export const COLUMN = z.looseObject({ name: z.string(), nativeType: z.string(), type: z.string() });
export const ROWS = z
  .array(z.array(z.unknown()))
  .describe('Exact values, as `encodeValue` of @askema/core writes them.');

const RESULT = z.looseObject({
  columns: z.array(COLUMN),
  rows: ROWS,
  truncated: z.enum(['rows', 'bytes']).optional().describe('There are more rows in the database.'),
});

export const OUTCOME = z
  .looseObject({
    schemaVersion: z.literal(1),
    type: z.enum(OUTCOME_TYPES),
    runId: z.string().describe('For the routes below `/v1/runs/`.'),
    question: z.string(),
    sql: z.string().optional(),
    result: RESULT.optional(),
    explanation: z.string().optional(),
    ask: z.string().optional().describe('With `needsClarification`: what has to be decided.'),
    choices: z.array(z.looseObject({ id: z.string(), meaning: z.string() })).optional(),
    reason: z.string().optional(),
    error: z.looseObject({ code: z.string(), message: z.string() }).optional(),
    warnings: z.array(z.string()),
  })
  .describe('How a question ended: outcome.schema.json of @askema/text2sql describes all of it.');

export const PUBLIC_ERROR = z.object({
  error: z.object({
    code: z.string().describe('One of docs/errors.md.'),
    message: z.string(),
    details: z.record(z.string(), z.unknown()).optional(),
    requestId: z.string(),
  }),
});

export const DATABASE_NAME = z.string().min(1).max(256);
export const RUN_ID = z.string().min(1).max(100);
export const SQL = z.string().min(1).max(MAX_STATEMENT_CHARACTERS).describe('One statement that reads.');

export const FINDING = z.looseObject({
  code: z.string(),
  severity: z.enum(['error', 'warning', 'note']),
  message: z.string(),
});

export const RUN = z.object({
  id: RUN_ID,
  database: z.string().optional().describe('Absent where that has yet to be found.'),
  question: z.string(),
  at: z.iso.datetime().describe('When it was asked.'),
  status: z
    .enum(['running', 'interrupted', 'ended'])
    .describe('`interrupted`: its reader left or its server died; `resume` goes on with it.'),
  outcome: OUTCOME.optional(),
});

export const TURN = z.looseObject({
  turn: z.int().min(1),
  after: z.int().min(0),
  message: z.string(),
  understood: z.looseObject({ kind: z.string(), question: z.string().optional() }).optional(),
  answer: z.looseObject({ type: z.string() }),
  outcome: OUTCOME.optional(),
});

/** To what was asked back, by a run or in a conversation. */
export const ANSWER = z.strictObject({
  answer: z.union([z.string().min(1).max(20_000), z.int()]).describe('The id of a choice, or words.'),
});
