import { createCallContext, startLimits } from '@askema/core';
import { expect, it } from 'vitest';
import type { SnowflakeSession } from '../connection/session.ts';
import { refuseChange } from './read-only.ts';

/** A server that calls everything a SELECT. */
const session = { describe: async () => ({ statementTypeId: undefined }) } as unknown as SnowflakeSession;

const check = (sql: string): Promise<void> => {
  const limits = startLimits({ timeoutMs: 1_000, what: 'The query', sql });
  return refuseChange(session, sql, { limits, context: createCallContext(), parameters: undefined });
};

it.each([
  "SELECT IDENTIFIER('SYSTEM$WAIT')(1)",
  "SELECT identifier /* a */ ('SYSTEM$' || ('WAIT')) (1)",
  "SELECT SNOWFLAKE.CORTEX.FINETUNE('CREATE', 'm', 'l', 'q')",
  `SELECT "SNOWFLAKE"."CORTEX"."COMPLETE"('m', 'x')`,
  "SELECT AI_COMPLETE('m', 'x')",
  "SELECT BUILD_SCOPED_FILE_URL(@s, 'x')",
  "SELECT BUILD_STAGE_FILE_URL(@s, 'x')",
])('refuses by the text alone: %s', async (sql) => {
  await expect(check(sql)).rejects.toMatchObject({ code: 'QUERY_NOT_READ_ONLY' });
});

it.each(["SELECT * FROM IDENTIFIER('shop.customer')", "SELECT IDENTIFIER('name') FROM customer WHERE (1 = 1)"])(
  'lets pass what names a table or a column: %s',
  async (sql) => {
    await expect(check(sql)).resolves.toBeUndefined();
  },
);
