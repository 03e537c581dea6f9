import { createCallContext } from '@askema/core';
import { afterEach, expect, test } from 'vitest';
import type { SnowflakeOptions } from '../snowflake-options.ts';
import { ONE_COLUMN, openOn, running } from './open-on.ts';
import { refusal, result, startWireStub } from './wire-stub.ts';

const opened: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

/** Definitions by `database.schema.name`; an empty one is not told. */
async function open(views: Record<string, string>, options: SnowflakeOptions = {}) {
  const stub = await startWireStub(
    running(({ body }) => {
      const sql = body?.sqlText ?? '';
      if (!sql.startsWith('SHOW VIEWS')) return result({ columns: ONE_COLUMN, rows: [['1']] });
      const [, name = '', database] = /LIKE '(.*)' IN (?:ACCOUNT|DATABASE "(.*)")$/.exec(sql) ?? [];
      if (database === 'NONE') return refusal('002003', "Database 'NONE' does not exist or not authorized.");
      const rows = Object.entries(views).map(([path, text]) => [...path.split('.').toReversed(), text]);
      return result({
        columns: ['name', 'schema_name', 'database_name', 'text'].map((column) => ({ name: column, type: 'text' })),
        rows: rows.filter((row) => row[0]?.toLowerCase() === name.toLowerCase() && row[2] === database),
      });
    }),
  );
  const adapter = openOn(stub, { database: 'DB', schema: 'S', ...options });
  opened.push(
    () => stub.kill(),
    () => adapter.close(),
  );
  return {
    stub,
    adapter,
    shows: () => stub.seen('query-request').filter(({ body }) => body?.sqlText?.startsWith('SHOW VIEWS')),
  };
}

const VIEWS = {
  'DB.S.CALLS': 'CREATE VIEW calls (a) AS SELECT app.area(1)',
  'DB.S.BEHIND': 'create or replace view BEHIND as select * from calls;',
  'DB.S.BY_TEXT': "CREATE VIEW by_text AS SELECT IDENTIFIER('app.area')(1)",
  'DB.S.SECRET': '',
  'DB.S.PLAIN': 'CREATE VIEW plain AS SELECT UPPER(name) AS name FROM customer',
  'DB.PUBLIC.SHARED': 'CREATE VIEW shared AS SELECT app.area(1)',
  'OTHER.S.CALLS': 'CREATE VIEW calls AS SELECT 1 AS a',
  'DB.T.RELATIVE': 'CREATE VIEW t.relative AS SELECT * FROM inner_view',
  'DB.T.INNER_VIEW': 'CREATE VIEW t.inner_view AS SELECT app.area(1)',
  'SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY': '',
};

test.each([
  ['SELECT * FROM calls', 'The view S.CALLS calls APP.AREA'],
  ['SELECT * FROM customer c, db.s."CALLS" AS x', 'The view S.CALLS calls APP.AREA'],
  ['SELECT * FROM behind', 'The view S.CALLS calls APP.AREA'],
  ['SELECT * FROM shared', 'The view PUBLIC.SHARED calls APP.AREA'],
  ['SELECT * FROM db..shared', 'The view PUBLIC.SHARED calls APP.AREA'],
  ['SELECT * FROM t.relative', 'The view T.INNER_VIEW calls APP.AREA'],
  ['SELECT 1 WHERE EXISTS (SELECT 1 FROM s.calls)', 'The view S.CALLS calls APP.AREA'],
  ["SELECT * FROM IDENTIFIER('s.calls')", 'The view S.CALLS calls APP.AREA'],
  ["SELECT * FROM TABLE('calls')", 'The view S.CALLS calls APP.AREA'],
  ['SELECT * FROM by_text', 'The view S.BY_TEXT names something by a value'],
  ['SELECT * FROM secret', 'Snowflake does not tell the definition of the view S.SECRET'],
  ['SELECT * FROM IDENTIFIER(?)', 'IDENTIFIER(…) and TABLE(…) take a text'],
  ['SELECT * FROM TABLE($name)', 'IDENTIFIER(…) and TABLE(…) take a text'],
])('refuses what reads a view that may do more than read: %s', async (sql, reason) => {
  const { adapter } = await open(VIEWS);
  const error = await adapter.query(sql, { parameters: sql.includes('?') ? ['calls'] : [] }).catch((thrown) => thrown);
  expect(error).toMatchObject({ code: 'QUERY_NOT_READ_ONLY', message: expect.stringContaining(reason) });
});

test.each([
  'SELECT * FROM plain',
  'SELECT * FROM customer',
  'SELECT * FROM other.s.calls',
  'SELECT * FROM none.s.calls',
  'WITH calls AS (SELECT 1 AS a) SELECT * FROM calls',
  'SELECT * FROM INFORMATION_SCHEMA.VIEWS',
  'SELECT * FROM snowflake.account_usage.query_history',
])('runs: %s', async (sql) => {
  const { adapter } = await open(VIEWS);
  await expect(adapter.query(sql)).resolves.toMatchObject({ rows: [[1]] });
});

test('a view that is allowed by name is read, and what its function does is allowed by its own name', async () => {
  const { adapter } = await open(VIEWS, { allowFunctions: ['S.SECRET', 'app.area'] });
  for (const sql of ['SELECT * FROM secret', 'SELECT * FROM behind'])
    await expect(adapter.query(sql)).resolves.toMatchObject({ rows: [[1]] });
});

test('a name is looked up once in half a minute; a plan that is asked for its views looks each time', async () => {
  const { adapter, shows } = await open(VIEWS);
  await adapter.query('SELECT * FROM plain');
  await adapter.query('SELECT * FROM plain');
  expect(shows().length).toBe(2);
  const context = createCallContext();
  expect(await adapter.planner.check('SELECT * FROM plain', { timeoutMs: 5_000, context })).not.toHaveProperty('views');
  expect(shows().length).toBe(2);
  const plan = await adapter.planner.check('SELECT * FROM plain', { timeoutMs: 5_000, context, views: true });
  expect(plan.views).toEqual([
    { nameParts: { relation: 'PLAIN', schema: 'S', database: 'DB' }, definition: VIEWS['DB.S.PLAIN'] },
  ]);
  expect(shows().length).toBe(4);
});
