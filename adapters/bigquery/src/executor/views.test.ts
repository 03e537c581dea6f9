import { createCallContext } from '@askema/core';
import { expect, test } from 'vitest';
import { errorOf, NUMBERS, openStub } from '../test-support/open-stub.ts';
import { apiError, type StubScript } from '../wire-stub/wire-stub.ts';

/** Queries of views by `project.dataset.table`; `null` may not be looked at, an empty one is a table. */
const TABLES: Record<string, string | null> = {
  'p.d.calls': 'SELECT d.remote(1) AS a',
  'p.d.asks': "SELECT * FROM EXTERNAL_QUERY('c', 'DELETE FROM t RETURNING 1')",
  'p.d.behind': 'SELECT * FROM `p.d.asks`',
  'p.d.plain': 'SELECT UPPER(name) AS name FROM `p.d.customer`, UNNEST(items)',
  'p.d.customer': '',
  'p.d.closed': null,
  'my-project.d.asks': "SELECT * FROM EXTERNAL_QUERY('c', 'x')",
  'p.d.authorized': 'SELECT a FROM `p.other.closed`',
  'p.other.closed': null,
};

const script = (tables = TABLES): StubScript => ({
  ...NUMBERS,
  behaviour: ({ method, path }) => {
    const [, , project, , dataset, kind, name] = path.split('/');
    if (method !== 'GET' || path.split('/')[3] !== 'datasets') return undefined;
    if (kind === 'routines') return { body: { language: 'SQL', remoteFunctionOptions: { endpoint: 'https://x' } } };
    const query = tables[`${project}.${dataset}.${name}`];
    if (query === null) return apiError(403, 'accessDenied', 'Access Denied');
    if (query === undefined) return undefined;
    return { body: query === '' ? { type: 'TABLE' } : { type: 'VIEW', view: { query } } };
  },
});

test.each([
  ['SELECT * FROM d.calls', 'p.d.remote and was not run: the function runs on a server outside'],
  ['SELECT * FROM `p.d.asks`', 'the view p.d.asks and was not run: it calls EXTERNAL_QUERY'],
  ['SELECT * FROM asks', 'the view p.d.asks'],
  ['SELECT * FROM `p.d`.behind AS b', 'the view p.d.asks'],
  ['FROM d.customer |> CROSS JOIN d.asks', 'the view p.d.asks'],
  ['SELECT (SELECT MAX(a) FROM p.d.asks)', 'the view p.d.asks'],
  ['SELECT * FROM my-project.d.asks', 'the view my-project.d.asks'],
  ['SELECT * FROM d.closed', 'its definition is not told'],
])('refuses what reads a view that may do more than read: %s', async (sql, reason) => {
  const { adapter } = await openStub(script(), { datasets: ['d'] });
  const error = await errorOf(adapter.query(sql));
  expect(error).toMatchObject({ code: 'QUERY_REFUSED', message: expect.stringContaining(reason) });
});

test.each([
  'SELECT * FROM d.plain',
  'SELECT * FROM d.customer AS c, c.items',
  'SELECT * FROM d.customer, customer.items',
  'SELECT * FROM `d.asks_*`',
  'SELECT * FROM d.INFORMATION_SCHEMA.VIEWS',
  'SELECT * FROM d.authorized',
  'WITH asks AS (SELECT 1 AS a) SELECT * FROM asks',
  "SELECT 'my-project.d.asks' -- my-project.d.asks",
])('runs: %s', async (sql) => {
  const { adapter } = await openStub(script(), { datasets: ['d'] });
  await expect(adapter.query(sql)).resolves.toMatchObject({ rows: { length: 25 } });
});

test('a view that is allowed by name is read', async () => {
  const { adapter } = await openStub(script(), { datasets: ['d'], allowFunctions: ['d.asks', 'd.closed'] });
  for (const sql of ['SELECT * FROM d.behind', 'SELECT * FROM d.closed'])
    await expect(adapter.query(sql)).resolves.toBeDefined();
});

test('a name is looked up once in half a minute; a plan that is asked for its views sees one that was replaced', async () => {
  const tables = { ...TABLES };
  const { adapter, stub } = await openStub(script(tables), { datasets: ['d'] });
  const sql = 'SELECT * FROM d.plain';
  await adapter.query(sql);
  await adapter.query(sql);
  expect(stub.count('GET', '/plain')).toBe(1);
  tables['p.d.plain'] = 'SELECT ssn AS name FROM p.d.customer';
  const options = { timeoutMs: 5_000, context: createCallContext() };
  expect(await adapter.planner.check(sql, options)).not.toHaveProperty('views');
  expect(stub.count('GET', '/plain')).toBe(1);
  const { views } = await adapter.planner.check(sql, { ...options, views: true });
  expect(views).toEqual([
    { nameParts: { database: 'p', schema: 'd', relation: 'plain' }, definition: tables['p.d.plain'] },
  ]);
});
