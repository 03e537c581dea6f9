import { type Adapter, createCallContext } from '@askema/core';
import { adapterFixture } from '@askema/testkit';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { dropDatabases, loadFixture, withClient } from './test-support/load-fixture.ts';
import { openAdapter } from './test-support/open-adapter.ts';
import { type StartedMariadb, startMariadb } from './test-support/start-mariadb.ts';

let server: StartedMariadb;
let database: string;
beforeAll(async () => {
  server = await startMariadb();
  database = await loadFixture(server, adapterFixture('shop'));
}, 120_000);
afterAll(async () => {
  if (server !== undefined) await dropDatabases(server, [database]);
  await server?.stop();
}, 60_000);

const open = <T>(work: (adapter: Adapter) => Promise<T>) => openAdapter(server, { database }, work);

it('looks into the views of the server when a user has put a function in the place of one that they call', async () => {
  const names = await withClient(server, async (client) => {
    const [rows] = await client.query("SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = 'sys' LIMIT 1");
    return (rows as unknown[]).length;
  });
  expect(names).toBe(1);
  await withClient(server, async (client) => {
    await client.query('DROP FUNCTION sys.format_bytes');
    await client.query("CREATE FUNCTION sys.format_bytes(b TEXT) RETURNS TEXT RETURN GET_LOCK('hacked', 0)");
  });
  await open(async (adapter) => {
    const error = await adapter.query('SELECT * FROM sys.memory_global_total').catch((thrown: Error) => thrown);
    expect(String(error)).toMatch(/memory_global_total calls sys\.format_bytes/);
  });
});

it('refuses the name of a function of its own where a user has one that the server takes for it', async () => {
  await withClient(server, (client) =>
    client.query(`CREATE FUNCTION ${database}.\`mın\`(x INT) RETURNS TEXT RETURN LOAD_FILE('/etc/hostname')`),
  );
  await open(async (adapter) => {
    await expect(adapter.query('SELECT min (1)')).rejects.toMatchObject({ code: 'QUERY_NOT_READ_ONLY' });
  });
  await withClient(server, (client) => client.query(`DROP FUNCTION ${database}.\`mın\``));
  await open(async (adapter) => expect((await adapter.query('SELECT min(1)')).rows).toEqual([[1]]));
});

it('looks into what users have made in the name of the server', async () => {
  const made = [
    `CREATE DEFINER = 'mariadb.sys'@'localhost' SQL SECURITY INVOKER VIEW ${database}.sealed AS SELECT LOAD_FILE('/etc/hostname') AS f`,
    `CREATE DEFINER = 'mysql.sys'@'localhost' FUNCTION ${database}.mid (x INT) RETURNS TEXT SQL SECURITY INVOKER RETURN LOAD_FILE('/etc/hostname')`,
  ];
  await withClient(server, async (client) => {
    for (const sql of made) await client.query(sql);
  });
  await open(async (adapter) => {
    for (const sql of ['SELECT f FROM sealed', 'SELECT mid (1)'])
      await expect(adapter.query(sql)).rejects.toMatchObject({ code: 'QUERY_NOT_READ_ONLY' });
  });
  await withClient(server, async (client) => {
    await client.query(`DROP VIEW ${database}.sealed`);
    await client.query(`DROP FUNCTION ${database}.mid`);
  });
});

it('refuses what computes the default of a column, in views as well', async () => {
  await withClient(server, (client) =>
    client.query(`CREATE TABLE ${database}.defaulted (id INT, c INT DEFAULT (@left := 5))`),
  );
  await withClient(server, (client) =>
    client.query(`CREATE VIEW ${database}.defaults AS SELECT DEFAULT(id) AS c FROM ${database}.defaulted`),
  );
  await open(async (adapter) => {
    for (const sql of [
      'SELECT DEFAULT(c) FROM defaulted',
      'SELECT default (c) FROM defaulted',
      'SELECT c FROM defaults',
    ])
      await expect(adapter.query(sql)).rejects.toMatchObject({ code: 'QUERY_NOT_READ_ONLY' });
  });
});

it('says of a statement whose warnings hide what it reads that nobody knows it', () =>
  open(async (adapter) => {
    const check = (sql: string) =>
      adapter.planner.check(sql, { timeoutMs: 10_000, context: createCallContext() }).then(({ reads }) => reads);
    const warnings = Array.from({ length: 80 }, (_, at) => `'a${at}' + 0 = 0`);
    expect(await check('SELECT name FROM customer')).toMatchObject([{ nameParts: { relation: 'customer' } }]);
    expect(await check(`SELECT name FROM customer WHERE ${warnings.join(' AND ')}`)).toEqual([
      { nameParts: { relation: '' } },
    ]);
  }));

it('cuts no recursive CTE, and stops one that has no end', () =>
  open(async (adapter) => {
    const count = (end: string) =>
      `WITH RECURSIVE c AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM c WHERE ${end}) SELECT COUNT(*) FROM c`;
    expect((await adapter.query(count('n < 5000'))).rows).toEqual([[5000]]);
    await expect(adapter.query(count('TRUE'), { timeoutMs: 1_000 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
  }));

it('bounds the memory of a statement, and says so', async () => {
  const steps = Array.from(
    { length: 30 },
    (_, at) => `c${at + 1} AS (SELECT n FROM c${at} UNION ALL SELECT n FROM c${at})`,
  );
  await open(async (adapter) => {
    const error = adapter.query(`WITH c0 AS (SELECT 1 AS n), ${steps.join(', ')} SELECT n FROM c30`);
    await expect(error).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringMatching(/more memory than a session may take/),
    });
  });
});
