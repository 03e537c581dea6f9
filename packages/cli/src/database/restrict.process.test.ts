import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Adapter, createCallContext } from '@askema/core';
import { duckdb } from '@askema/duckdb';
import { restrict } from '@askema/lint';
import { createSqlParser } from '@askema/sql-parser';
import { sqlite } from '@askema/sqlite';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  ALLOWED,
  DUCKDB_HOSTILE,
  HOSTILE,
  RESTRICTED_SQL,
  SECRET,
  SQLITE_HOSTILE,
} from '../testing/restricted-shop.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 });

const folder = mkdtempSync(join(tmpdir(), 'askema-restrict-'));
const parser = createSqlParser();
const RULES = { hide: ['users.ssn', 'salaries', 'hr_*'], mask: ['*.email', 'users.balance'] };
afterAll(async () => {
  await parser.close();
  rmSync(folder, { recursive: true, force: true });
});

const fileOf = (engine: string): string => join(folder, `shop.${engine}`);

async function make(engine: string): Promise<Adapter> {
  const file = fileOf(engine);
  if (engine === 'sqlite') {
    const { default: Database } = await import('better-sqlite3');
    const database = new Database(file);
    database.exec(RESTRICTED_SQL);
    database.close();
    return restrict(sqlite({ file }), { ...RULES, parser });
  }
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(RESTRICTED_SQL);
  connection.closeSync();
  instance.closeSync();
  return restrict(duckdb({ file }), { ...RULES, parser });
}

describe.each([
  ['sqlite', [...HOSTILE, ...SQLITE_HOSTILE]],
  ['duckdb', [...HOSTILE, ...DUCKDB_HOSTILE]],
])('hide and mask on %s', (engine, hostile) => {
  let adapter: Adapter;
  beforeAll(async () => {
    adapter = await make(engine);
  });
  afterAll(() => adapter.close());

  test('at least 60 hostile statements are tried', () => expect(hostile.length).toBeGreaterThanOrEqual(60));

  test.each(hostile)('refuses %s', async (sql) => {
    const error = await adapter.query(sql).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'QUERY_REFUSED' });
    const said = JSON.stringify(error);
    expect(said).not.toContain(SECRET);
    for (const name of ['ssn', 'salaries', 'hr_notes'])
      if (!sql.toLowerCase().includes(name)) expect(said.toLowerCase()).not.toContain(name);
  });

  test.each(ALLOWED)('runs %s', async (sql) => {
    const { rows } = await adapter.query(sql);
    expect(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? String(value) : value))).not.toContain(
      SECRET,
    );
    expect(rows.length).toBeGreaterThan(0);
  });

  test('the catalog, samples and the diagnosis have no hidden name and no masked value', async () => {
    const catalog = await adapter.introspect();
    const text = JSON.stringify(catalog).toLowerCase();
    for (const name of ['ssn', 'salaries', 'hr_notes', 'v_users', 'v_deep']) expect(text).not.toContain(name);
    expect(catalog.schema.attributes.map(({ name }) => name)).toContain('email');
    const samples = await adapter.sampleValues(
      catalog.schema.attributes.map(({ id }) => id),
      { catalog, limit: 5, timeoutMs: 20_000, context: createCallContext() },
    );
    expect(JSON.stringify(samples)).not.toContain(SECRET);
    expect(JSON.stringify(samples)).toContain('Ada');
    const diagnosis = await adapter.diagnose();
    expect(diagnosis.findings).toContainEqual(expect.objectContaining({ code: 'kept-back' }));
    expect(JSON.stringify(diagnosis).toLowerCase()).not.toMatch(/ssn|salaries|hr_notes/);
  });

  test.each([
    'SELECT ssn FROM users',
    'SELECT email FROM users',
    'SELECT COUNT(*) FROM users',
    'SELECT code FROM v_users',
    'SELECT n FROM numbers, salaries',
  ])('where our parser takes %s for another statement, the engine still says what it reads', async (sql) => {
    const harmless = 'SELECT n FROM numbers';
    const parse: typeof parser.parse = (text, ...rest) => parser.parse(text === sql ? harmless : text, ...rest);
    const inner = engine === 'sqlite' ? sqlite({ file: fileOf(engine) }) : duckdb({ file: fileOf(engine) });
    const fooled = restrict(inner, { ...RULES, parser: { ...parser, parse } });
    await expect(fooled.query(sql)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    expect((await fooled.query(harmless)).rows).toEqual([[777]]);
    await fooled.close();
  });

  test('a plan is checked as well, and writing is refused', async () => {
    const check = (sql: string) => adapter.planner.check(sql, { timeoutMs: 10_000, context: createCallContext() });
    expect(await check('SELECT ssn FROM users')).toMatchObject({ verdict: 'invalid' });
    await expect(adapter.query('DELETE FROM users', { access: 'write' })).rejects.toThrow();
  });
});

test('in DuckDB, a statement with parameters is planned without them', async () => {
  await using adapter = restrict(duckdb({ file: fileOf('duckdb') }), { ...RULES, parser });
  const rows = async (sql: string, ...parameters: number[]) => (await adapter.query(sql, { parameters })).rows;
  expect(await rows('SELECT id, $1 FROM contacts WHERE id = $2 LIMIT $3', 7, 1, 1)).toEqual([[1, 7]]);
  await expect(rows('SELECT code FROM v_users WHERE $1 > 0', 1)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
  const sql = 'SELECT email FROM contacts WHERE id = $1';
  const parse: typeof parser.parse = (text, ...rest) =>
    parser.parse(text === sql ? 'SELECT note FROM contacts' : text, ...rest);
  await using fooled = restrict(duckdb({ file: fileOf('duckdb') }), { ...RULES, parser: { ...parser, parse } });
  await expect(fooled.query(sql, { parameters: [1] })).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
});

test('in DuckDB, a join of masked values tells nothing of what lies between them', async () => {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const said: string[] = [];
  for (const salary of [50, 95]) {
    const file = join(folder, `between-${salary}.duckdb`);
    const instance = await DuckDBInstance.create(file);
    const connection = await instance.connect();
    await connection.run(
      `CREATE TABLE pay (id INT, name VARCHAR, salary INT); INSERT INTO pay VALUES (1,'n',10), (2,'n',90), (3,'n',${salary})`,
    );
    connection.closeSync();
    instance.closeSync();
    await using adapter = restrict(duckdb({ file }), { mask: ['pay.salary'], parser });
    const sql =
      'SELECT COUNT(*) FROM pay a JOIN pay b ON a.salary = b.salary WHERE b.id IN (1, 2) AND CASE WHEN a.id = 3 THEN CAST(a.name AS INT) ELSE 0 END = 0';
    said.push(
      await adapter.query(sql).then(
        ({ rows }) => String(rows),
        (error: Error) => error.message,
      ),
    );
  }
  expect(said[0]).toBe(said[1]);
});

test('in DuckDB, columns of data files are hidden, and those of that name elsewhere are not', async () => {
  const files = join(folder, 'lake');
  mkdirSync(files);
  writeFileSync(join(files, 'users.csv'), 'id,name,ssn\n1,Ada,777001\n2,Ben,777002\n');
  writeFileSync(join(files, 'notes.json'), '[{"id": 1, "ssn": "none", "at": {"place": "Rome"}}]');
  await using adapter = restrict(duckdb({ files }), { hide: ['users.ssn'], parser });
  expect((await adapter.query('SELECT n.ssn, u.name FROM notes AS n JOIN users AS u ON u.id = n.id')).rows).toEqual([
    ['none', 'Ada'],
  ]);
  for (const sql of ['SELECT id FROM (users CROSS JOIN (SELECT 1)) AS p (x, y, id)', 'SELECT ssn FROM users'])
    await expect(adapter.query(sql)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
});

test('in DuckDB, hidden files that cannot be read are named nowhere', async () => {
  const files = join(folder, 'unread');
  mkdirSync(join(files, 'kept_folder'), { recursive: true });
  writeFileSync(join(files, 'open.csv'), 'id,name\n1,a\n');
  for (const empty of ['kept_one.csv', 'kept_folder/other.json', 'shown.csv']) writeFileSync(join(files, empty), '');
  for (const broken of ['kept_two.parquet', 'kept_two.json']) writeFileSync(join(files, broken), '{"a": [1,');
  await using adapter = restrict(duckdb({ files }), { hide: ['main.kept_*'], parser });
  const { incomplete } = await adapter.introspector.introspect({ context: createCallContext() });
  expect(incomplete.map(({ subject }) => subject)).toEqual([join(files, 'shown.csv')]);
  const diagnosis = await adapter.diagnose?.({ timeoutMs: 10_000, context: createCallContext() });
  expect(JSON.stringify(diagnosis)).not.toContain('kept_');
});

test('in DuckDB, a macro with the name of a function of another engine is one of a user', async () => {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const file = join(folder, 'macros.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(
    `CREATE TABLE people (id INT, name VARCHAR, email VARCHAR); INSERT INTO people VALUES (1, 'Ada', '${SECRET}');
     CREATE MACRO initcap(x) AS (SELECT string_agg(email, ',') FROM people);`,
  );
  connection.closeSync();
  instance.closeSync();
  await using adapter = restrict(duckdb({ file }), { mask: ['people.email'], parser });
  for (const call of ["initcap('a')", `"INITCAP"('a')`, 'name.initcap()', "main.initcap('a')"])
    await expect(adapter.query(`SELECT count(email), ${call} FROM people`)).rejects.toMatchObject({
      code: 'QUERY_REFUSED',
    });
  expect((await adapter.query('SELECT count(email) FROM people')).rows).toEqual([[1]]);
});

test('once all patterns fit, one that no longer names anything is told without names', async () => {
  const { default: Database } = await import('better-sqlite3');
  const file = join(folder, 'changed.sqlite');
  const database = new Database(file);
  database.exec(
    'CREATE TABLE pay_a (id INT, bonus INT); CREATE TABLE pay_b (id INT, bonus INT); CREATE TABLE t (n INT)',
  );
  await using adapter = restrict(sqlite({ file }), { hide: ['pay_a', 'pay_b'], parser });
  await adapter.query('SELECT n FROM t');
  database.exec('DROP TABLE pay_a');
  database.close();
  for (const _ of [1, 2])
    await expect(adapter.query('SELECT 1 AS one')).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.not.stringMatching(/pay_|bonus/),
    });
});

test('a pattern that names nothing is an error with the nearest name', async () => {
  const adapter = restrict(sqlite({ file: join(folder, 'shop.sqlite') }), { hide: ['users.snn'], parser });
  await expect(adapter.introspect()).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(/"users\.snn", which names nothing.*`users\.ssn`/),
  });
  await adapter.close();
});

test('in DuckDB, a name without a schema is that of `main`, whatever else has the name', async () => {
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const file = join(folder, 'schemas.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE pay (id INTEGER, z TEXT); INSERT INTO pay VALUES (1, '${SECRET}');
    CREATE SCHEMA s2; CREATE TABLE s2.pay (id INTEGER, w TEXT); INSERT INTO s2.pay VALUES (2, '${SECRET}')`);
  connection.closeSync();
  instance.closeSync();
  const run = async (hide: string, sql: string) => {
    await using adapter = restrict(duckdb({ file }), { hide: [hide], parser });
    return (await adapter.query(sql)).rows;
  };
  for (const hide of ['pay.z', 's2.*'])
    for (const name of ['pay', 'main.pay']) {
      expect(await run(hide, `SELECT id FROM ${name}`)).toEqual([[1]]);
      const kept = hide === 's2.*' ? 'SELECT w FROM s2.pay' : `SELECT z FROM ${name}`;
      await expect(run(hide, kept)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    }
  expect(await run('pay.z', 'SELECT id FROM s2.pay')).toEqual([[2]]);
});

test('in SQLite, a planted view with the name of what SQLite answers itself is a view like any other', async () => {
  const { default: Database } = await import('better-sqlite3');
  const file = join(folder, 'planted.sqlite');
  const database = new Database(file);
  database.exec(`${RESTRICTED_SQL}
    CREATE VIRTUAL TABLE notes USING fts5 (title);
    INSERT INTO notes VALUES ('${SECRET}');
    CREATE VIEW json_each AS SELECT ssn AS value FROM users;
    CREATE VIEW json_tree AS SELECT name AS value FROM users;
    CREATE VIEW pragma_table_list AS SELECT 'main' AS schema, 'notes' AS name, 'table' AS type, 0 AS wr;
    CREATE VIEW pragma_index_list AS SELECT 'x' AS name, 'pk' AS origin;
    CREATE VIEW pragma_index_xinfo AS SELECT 0 AS seqno, 'name' AS name;
    CREATE VIEW pragma_table_xinfo AS SELECT 'title' AS name, '' AS type, 0 AS "notnull", '' AS dflt_value, 0 AS pk, 0 AS hidden, 0 AS cid`);
  database.close();
  const adapter = restrict(sqlite({ file }), { ...RULES, parser });
  const hostile = [
    'SELECT value FROM json_each',
    "SELECT value FROM json_each('[1]')",
    'SELECT value FROM main.json_each',
    'SELECT title FROM notes',
    'SELECT c0 FROM notes_content',
    'SELECT ssn FROM users',
    'SELECT name FROM pragma_table_list',
    "SELECT name FROM pragma_table_info('users')",
    "SELECT value FROM temp.json_each('[1]')",
  ];
  for (const sql of hostile) await expect(adapter.query(sql), sql).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
  expect((await adapter.query('SELECT value FROM json_tree')).rows).toEqual([['Ada'], ['Bob']]);
  expect((await adapter.introspect()).schema.relations.map(({ name }) => name)).toContain('json_tree');
  await adapter.close();
});

test('in DuckDB, a view means the tables of its own schema', async () => {
  const file = join(folder, 'schemas.duckdb');
  const { DuckDBInstance } = await import('@duckdb/node-api');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE t (id INT, w VARCHAR); INSERT INTO t VALUES (1, 'shown'); CREATE SCHEMA hr;
    CREATE TABLE hr.t (id INT, w VARCHAR); INSERT INTO hr.t VALUES (1, 'S3CR3T'); CREATE VIEW hr.v AS SELECT id, w FROM t;
    CREATE VIEW hr.fine AS SELECT id, w FROM main.t`);
  connection.closeSync();
  instance.closeSync();
  for (const rules of [{ hide: ['hr.t'] }, { mask: ['hr.t.w'] }]) {
    await using adapter = restrict(duckdb({ file }), { ...rules, parser });
    for (const sql of ['SELECT w FROM hr.v', 'SELECT v.w FROM hr.v CROSS JOIN hr.t x WHERE x.w IS NOT NULL'])
      await expect(adapter.query(sql)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    expect((await adapter.query('SELECT w FROM hr.fine')).rows).toEqual([['shown']]);
  }
});
