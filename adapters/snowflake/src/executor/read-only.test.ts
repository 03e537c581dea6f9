import { createCallContext, startLimits } from '@askema/core';
import { describe, expect, it } from 'vitest';
import type { SnowflakeSession } from '../connection/session.ts';
import { refuseChange } from './read-only.ts';

/** A server that calls everything a SELECT. */
const session = { describe: async () => ({ statementTypeId: undefined }) } as unknown as SnowflakeSession;

const check = (sql: string, allowFunctions: readonly string[] = []): Promise<void> => {
  const limits = startLimits({ timeoutMs: 1_000, what: 'The query', sql });
  return refuseChange(
    session,
    sql,
    { limits, context: createCallContext(), parameters: undefined },
    allowFunctions,
    async () => [],
  );
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

describe('a function that is not on the list', () => {
  it.each([
    ['SELECT area(1)', 'AREA'],
    ['SELECT app.area(1)', 'APP.AREA'],
    ['SELECT shop.app."area" /* ( */ (1)', 'SHOP.APP.area'],
    ['SELECT "upper"(name) FROM customer', 'upper'],
    ['SELECT app.upper(name) FROM customer', 'APP.UPPER'],
    ['SELECT ſum(1)', 'SUM'],
    ['SELECT over(1)', 'OVER'],
    ['SELECT 1, cube(3)', 'CUBE'],
    ['SELECT 2 * exclude(1)', 'EXCLUDE'],
    ['SELECT m!PREDICT(1)', 'PREDICT'],
    ["SELECT * FROM TABLE(TO_QUERY('DELETE FROM customer'))", 'TO_QUERY'],
    ['SELECT * FROM TABLE(RESULT_SCAN(LAST_QUERY_ID()))', 'RESULT_SCAN'],
    ["SELECT * FROM TABLE(INFORMATION_SCHEMA.BIND_VALUES('x'))", 'INFORMATION_SCHEMA.BIND_VALUES'],
    ['SELECT * FROM TABLE(app.proc())', 'APP.PROC'],
    ["SELECT SET_SYS_CONTEXT('a', 'b', 'c')", 'SET_SYS_CONTEXT'],
    ["SELECT FL_GET_SCOPED_FILE_URL(TO_FILE('@s', 'x'))", 'FL_GET_SCOPED_FILE_URL'],
    ['WITH x AS (SELECT area(1)) SELECT * FROM x', 'AREA'],
    ['SELECT TRANSFORM(a, x -> area(x)) FROM t', 'AREA'],
    ['EXPLAIN SELECT area(1)', 'AREA'],
  ])('is refused with its name: %s', async (sql, name) => {
    await expect(check(sql)).rejects.toMatchObject({ code: 'QUERY_NOT_READ_ONLY' });
    await expect(check(sql)).rejects.toThrow(`The function ${name} is not known to only read.`);
  });

  it('runs if it is allowed, by its name alone too, and no other one of that name', async () => {
    await expect(check('SELECT area(1)')).rejects.toThrow(/--allow-function SCHEMA\.AREA/);
    for (const sql of ['SELECT area(1)', 'SELECT app.area(1)', 'SELECT shop.app.area(1)'])
      await expect(check(sql, ['app.area'])).resolves.toBeUndefined();
    await expect(check('SELECT other.area(1)', ['app.area'])).rejects.toThrow(/OTHER\.AREA/);
  });
});

it.each([
  'SELECT SUM(a) OVER (PARTITION BY b), COUNT(*) FILTER (WHERE a > 1) FROM t GROUP BY c, ROLLUP (d, e), CUBE (f)',
  'SELECT * EXCLUDE (a) RENAME (b AS c), x::NUMBER(10, 2), CAST(y AS DECIMAL(3, 1)), v:a.b::VARCHAR(3) FROM t AS u (x, y)',
  "SELECT $1 FROM @shop.app.files/in/a.csv (FILE_FORMAT => 'f')",
  'SELECT * FROM t AT (OFFSET => -60) SAMPLE BERNOULLI (10) SEED (1), LATERAL FLATTEN(INPUT => t.v) AS f',
  "SELECT * FROM TABLE(INFORMATION_SCHEMA.COPY_HISTORY(TABLE_NAME => 'T')), TABLE(shop.INFORMATION_SCHEMA.TASK_HISTORY())",
  'SELECT * FROM m MATCH_RECOGNIZE (ORDER BY d MEASURES MAX(x) AS a ONE ROW PER MATCH PATTERN (up+) DEFINE up AS x > LAG(x))',
  'DESCRIBE FUNCTION app.area(NUMBER)',
])('runs: %s', async (sql) => {
  await expect(check(sql)).resolves.toBeUndefined();
});
