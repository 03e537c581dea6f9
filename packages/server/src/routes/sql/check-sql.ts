import * as z from 'zod';
import { DATABASE_NAME, FINDING, SQL } from '../../openapi/schemas.ts';
import { chooseDatabase } from '../choose-database.ts';
import type { Route } from '../route.ts';
import { callTool } from './call-tool.ts';

const BODY = z.strictObject({ sql: SQL, database: DATABASE_NAME.optional() });

const CHECKED = z.looseObject({
  findings: z.array(FINDING),
  plan: z.looseObject({ verdict: z.string() }).describe('What the engine says.'),
  fixed: z.string().optional().describe('The statement with all fixes.'),
});

/** What is wrong with a statement; nothing runs. */
export const checkSql: Route = {
  method: 'POST',
  path: '/v1/sql/check',
  scope: 'sql',
  summary: 'Find mistakes and cost of a statement without running it',
  body: BODY,
  output: CHECKED,
  async handle(call) {
    const { sql, database } = await call.body(BODY);
    return callTool(call, await chooseDatabase(call, database, 'sql'), 'check_sql', { sql });
  },
};
