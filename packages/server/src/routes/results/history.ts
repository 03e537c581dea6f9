import * as z from 'zod';
import { knowsDatabase } from '../../caller/scopes.ts';
import { RUN_ID } from '../../openapi/schemas.ts';
import { endOf } from '../../runs/run-record.ts';
import type { Route } from '../route.ts';

const QUERY = z.strictObject({
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Default: 50.'),
  before: RUN_ID.optional().describe('Only older ones: `next` of the page before.'),
});
const OUTPUT = z.object({
  entries: z.array(
    z.object({
      id: RUN_ID,
      kind: z.enum(['question', 'conversation', 'design']),
      database: z
        .string()
        .optional()
        .describe('Absent where it was not found, of a conversation about several, and of a design.'),
      text: z.string(),
      at: z.iso.datetime(),
      outcome: z.string().optional().describe('The type of the outcome, where it has ended.'),
    }),
  ),
  next: RUN_ID.optional(),
});

/** What a caller has asked. */
export const showHistory: Route = {
  method: 'GET',
  path: '/v1/history',
  scope: 'history',
  summary: 'List the questions, conversations and designs of the caller, newest first',
  query: QUERY,
  output: OUTPUT,
  async handle(call) {
    const { limit = 50, before } = call.query(QUERY);
    const { records, last } = await call.parts.records.list(call.caller, limit, before);
    const entries = records.map((record) => {
      const { id, kind, text, at, marks } = record;
      // Scopes may have been taken away since.
      const database =
        record.database !== undefined && knowsDatabase(call.caller, record.database) ? record.database : undefined;
      const lastRun = marks.findLast((mark) => mark.type === 'answered')?.next ?? id;
      const outcome = endOf(record, lastRun)?.outcome;
      return {
        id,
        kind,
        ...(database === undefined ? {} : { database }),
        text,
        at: new Date(at).toISOString(),
        ...(outcome === undefined ? {} : { outcome }),
      };
    });
    return { entries, ...(last === undefined ? {} : { next: last }) };
  },
};
