import { type Adapter, createCallContext } from '@askema/core';
import { adapterFixture } from '@askema/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropDatabases, loadFixture, withClient } from './test-support/load-fixture.ts';
import { failure, openAdapter } from './test-support/open-adapter.ts';
import { type StartedMariadb, startMariadb } from './test-support/start-mariadb.ts';

// MariaDB computes constant calls of a view as soon as it opens the view: to describe it, or to prepare a statement.

let server: StartedMariadb;
let database: string;
beforeAll(async () => {
  server = await startMariadb();
  database = await loadFixture(server, adapterFixture('shop'));
  await run(
    `CREATE FUNCTION mark(x INT) RETURNS INT DETERMINISTIC SQL SECURITY INVOKER
     BEGIN IF @off IS NULL THEN SET @left = 77; SET GLOBAL max_error_count = 79; END IF; RETURN x; END`,
    'SET @off = 1',
    'CREATE VIEW planted AS SELECT SUBSTR(name, mark(1)) AS start FROM customer',
    'CREATE VIEW behind AS SELECT start FROM planted',
    'CREATE VIEW by_sys AS SELECT table_name FROM sys.schema_auto_increment_columns',
    'CREATE VIEW by_schema AS SELECT TABLE_NAME FROM information_schema.COLUMNS',
    "CREATE VIEW waiting AS SELECT SUBSTR(name, BENCHMARK(9, MD5('a'))) AS start FROM customer",
    'CREATE TABLE computed (id INT, n VARCHAR(9), v INT AS (@left := 42) VIRTUAL)',
    "INSERT INTO computed (id, n) VALUES (1, 'a')",
  );
}, 120_000);
afterAll(async () => {
  if (server !== undefined) await dropDatabases(server, [database]);
  await server?.stop();
}, 60_000);

async function run(...statements: string[]): Promise<void> {
  await withClient(server, async (client) => {
    await client.query(`USE ${database}`);
    for (const sql of statements) await client.query(sql);
  });
}

/** Works with one connection, and expects that nothing was set on it or on the server. */
const open = (work: (adapter: Adapter) => Promise<void>) =>
  openAdapter(server, { database, poolSize: 1 }, async (adapter) => {
    await work(adapter);
    const { rows } = await adapter.query('SELECT @left, @@GLOBAL.max_error_count');
    expect(rows).toEqual([[null, 64]]);
  });

it('does not open views that call what is not known to only read, to tell of the catalog', () =>
  open(async (adapter) => {
    const { schema, incomplete } = await adapter.introspect();
    expect(schema.relations.map(({ name }) => name)).toContain('customer');
    expect(incomplete?.filter(({ subject }) => subject.startsWith(database))).toEqual([
      { subject: `${database}.behind`, reason: 'the view calls mark, which is not known to only read' },
      { subject: `${database}.planted`, reason: 'the view calls mark, which is not known to only read' },
      { subject: `${database}.waiting`, reason: 'the view calls benchmark, which is not known to only read' },
    ]);
  }));

it.each([
  ['SELECT 1 FROM planted', /The view planted calls mark/],
  ['SELECT start FROM behind', /The view behind calls mark/],
  ['SHOW COLUMNS FROM behind', /The view behind calls mark/],
  ['INSERT INTO customer (id) SELECT start FROM planted', /only reading is allowed/],
  ['SELECT SUBSTR(name, mark(1)) FROM customer', /The function mark is not known/],
  ['SELECT COUNT(*) FROM information_schema.columns', /opens all views, and \S+\.(planted|behind) calls mark/],
  ['SELECT TABLE_COMMENT FROM information_schema . `TABLES`', /opens all views/],
  ['SELECT * FROM sys.schema_auto_increment_columns', /opens all views/],
  ['SELECT * FROM by_sys', /opens all views/],
  ['SELECT * FROM by_schema', /opens all views/],
  ['SHOW /* all */ TABLE STATUS', /opens all views/],
])('does not run them when it refuses %s', (sql, message) =>
  open(async (adapter) => {
    expect(await failure(adapter.query(sql))).toMatchObject({
      code: 'QUERY_NOT_READ_ONLY',
      message: expect.stringMatching(message),
    });
    await adapter.planner.check(sql, { timeoutMs: 5_000, context: createCallContext() });
  }),
);

it('does not run them to find the nearest names, nor for a change that is only looked at', () =>
  open(async (adapter) => {
    expect((await failure(adapter.query('SELECT nam FROM customer'))).message).toMatch(/name/);
    const change = 'INSERT INTO customer (id) SELECT SUBSTR(name, mark(1)) FROM customer';
    expect(await adapter.planner.check(change, { timeoutMs: 5_000, context: createCallContext() })).toEqual({
      verdict: 'ok',
      statement: 'write',
    });
  }));

it('tells a function that is not there from one that may not run', () =>
  open(async (adapter) => {
    expect(await failure(adapter.query('SELECT no_such(1) FROM customer'))).toMatchObject({ code: 'QUERY_FAILED' });
    expect(await failure(adapter.query('SELECT other.no_such(1)'))).toMatchObject({ code: 'QUERY_FAILED' });
    expect(await failure(adapter.query('SELECT SLEEP(0)'))).toMatchObject({ code: 'QUERY_NOT_READ_ONLY' });
  }));

// No more than once: MariaDB 10.11 ends by a signal when such a column is read again over another connection.
it('leaves no variable that a column sets to the next statement', () =>
  open(async (adapter) => {
    expect((await adapter.query('SELECT v FROM computed')).rows).toEqual([[42]]);
  }));
