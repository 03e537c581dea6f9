import { readdirSync, readFileSync } from 'node:fs';
import { createCallContext } from '@askema/core';
import { describe, expect, test, vi } from 'vitest';
import { failure, open } from './test-support/open-file.ts';
import { stateOf, temporaryFolder } from './test-support/temporary-folder.ts';
import { writeDatabase } from './test-support/write-database.ts';

vi.setConfig({ testTimeout: 60_000 });

const TABLE = ['CREATE TABLE t (id INTEGER, pw VARCHAR)', "INSERT INTO t VALUES (1, 'treasure')"];

describe('a macro in the place of a function of the engine', () => {
  test('does not run with the statements of the adapter itself', async () => {
    using folder = temporaryFolder();
    const file = folder.file('h.txt');
    const overwrite = `(SELECT 'x' FROM enable_profiling(format := 'json', save_location := '${file}'))`;
    const overloads = ['a', 'a, b', 'a, b, c'].map((parameters) => `(${parameters}) AS ${overwrite}`);
    await writeDatabase(file, [...TABLE, `CREATE MACRO "row" ${overloads.join(', ')}`]);
    const before = stateOf(file, folder.path);
    await using adapter = open({ file });
    for (const ask of [() => adapter.introspect(), () => adapter.query('SELECT 1'), () => adapter.diagnose()])
      expect(await failure(ask())).toMatchObject({ code: 'QUERY_REFUSED', message: expect.stringContaining('"row"') });
    expect((await adapter.planner.check('SELECT 1', { timeoutMs: 10_000, context: createCallContext() })).verdict).toBe(
      'invalid',
    );
    await adapter.close();
    expect(stateOf(file, folder.path)).toBe(before);
    expect(readFileSync(file).subarray(8, 12).toString()).toBe('DUCK');
    expect(readdirSync(folder.path)).toEqual(['h.txt']);
  });

  test.each([
    ['duckdb_tables', 'SHOW TABLES FROM main'],
    ['DUCKDB_VIEWS', 'SHOW TABLES'],
    ['duckdb_columns', 'SHOW ALL TABLES'],
    ['duckdb_schemas', 'SHOW SCHEMAS'],
  ])('nor does a view %s in the place of one of the engine: %s', async (name, sql) => {
    using folder = temporaryFolder();
    const file = folder.file('h.txt');
    const columns = ['database_name', 'schema_name', 'table_name', 'view_name', 'column_name', 'data_type'];
    await writeDatabase(file, [
      ...TABLE,
      `CREATE VIEW "${name}" AS SELECT ${columns.map((column) => `'h' AS ${column}`).join(', ')}, 1 AS table_oid, 1 AS view_oid,
         1 AS column_index, 0 AS database_oid, false AS temporary, false AS internal
       FROM enable_profiling(format := 'json', save_location := '${file}')`,
    ]);
    const before = stateOf(file, folder.path);
    {
      await using adapter = open({ file });
      const thrown = await failure(adapter.query(sql));
      expect(thrown).toMatchObject({ code: 'QUERY_REFUSED', message: expect.stringContaining(`a view "${name}"`) });
      await failure(adapter.query('SELECT 1'));
    }
    expect(stateOf(file, folder.path)).toBe(before);
  });

  test('nor a table that computes its columns', async () => {
    using folder = temporaryFolder();
    const file = folder.file('h.txt');
    await writeDatabase(file, [
      ...TABLE,
      'CREATE TABLE duckdb_tables (id INTEGER, table_name VARCHAR GENERATED ALWAYS AS (setseed(0.42)::VARCHAR))',
    ]);
    await using adapter = open({ file });
    expect(await failure(adapter.query('SHOW TABLES'))).toMatchObject({
      code: 'QUERY_REFUSED',
      message: expect.stringContaining('a table "duckdb_tables"'),
    });
  });

  test('nor a type in the place of JSON', async () => {
    using folder = temporaryFolder();
    const file = folder.file('t.duckdb');
    await writeDatabase(file, [...TABLE, "CREATE TYPE json AS ENUM ('a', 'b')"]);
    await using adapter = open({ file });
    expect(await failure(adapter.query('SELECT NULL::json'))).toMatchObject({
      code: 'QUERY_REFUSED',
      message: expect.stringContaining('a type "json"'),
    });
  });

  test('views with other names of the engine, and tables, are what they are', async () => {
    using folder = temporaryFolder();
    const file = folder.file('t.duckdb');
    await writeDatabase(file, [
      ...TABLE,
      'CREATE VIEW tables AS SELECT id FROM t',
      'CREATE TABLE duckdb_notes (n INT)',
    ]);
    await using adapter = open({ file });
    expect((await adapter.query('SELECT id FROM tables')).rows).toEqual([[1]]);
  });

  test.each([
    ['lower', "SELECT lower('a')"],
    ['UPPER', "SELECT upper('a')"],
    ['->', "SELECT '{}'::JSON -> 'a'"],
    ['list_value', 'SELECT [1]'],
    ['min', 'SUMMARIZE t'],
    ['current_date', 'SELECT current_date'],
    ['get_current_timestamp', 'SELECT current_timestamp'],
    ['count_star', 'SELECT count(*) FROM t'],
  ])('%s: %s is refused, and nothing else is read', async (name, sql) => {
    using folder = temporaryFolder();
    const file = folder.file('t.duckdb');
    const overloads = ['()', '(a)', '(a, b)'].map((parameters) => `${parameters} AS (SELECT max(pw) FROM main.t)`);
    await writeDatabase(file, [
      ...TABLE,
      'CREATE SCHEMA other',
      `CREATE MACRO other."${name}" ${overloads.join(', ')}`,
    ]);
    await using adapter = open({ file });
    const thrown = await failure(adapter.query(sql));
    expect(thrown).toMatchObject({ code: 'QUERY_REFUSED', message: expect.stringContaining(`"${name}"`) });
    expect(await failure(adapter.introspect())).toMatchObject({ code: 'QUERY_REFUSED' });
  });

  test('a table macro in the place of a table function is refused; where writing is granted it can be dropped', async () => {
    using folder = temporaryFolder();
    const file = folder.file('t.duckdb');
    const lie = 'CREATE MACRO duckdb_tables() AS TABLE FROM enable_profiling()';
    await writeDatabase(file, [...TABLE, lie]);
    await using adapter = open({ file, access: 'write' });
    expect(await failure(adapter.introspect())).toMatchObject({ message: expect.stringContaining('DROP MACRO TABLE') });
    await adapter.query('DROP MACRO TABLE duckdb_tables', { access: 'write' });
    expect((await adapter.introspect()).schema.relations).toHaveLength(1);
    await adapter.query('CREATE MACRO lower(a) AS 1', { access: 'write' });
    expect(await failure(adapter.query("SELECT lower('A')"))).toMatchObject({ code: 'QUERY_REFUSED' });
  });

  test('a macro with a name of its own runs', async () => {
    using folder = temporaryFolder();
    const file = folder.file('t.duckdb');
    await writeDatabase(file, [...TABLE, 'CREATE MACRO twice(a) AS a * 2', 'CREATE MACRO "Odd one"() AS 1']);
    await using adapter = open({ file });
    expect((await adapter.query('SELECT twice(id) FROM t')).rows).toEqual([[2]]);
  });
});

test('the default of a parameter, which no catalog shows, is never filled in', async () => {
  using folder = temporaryFolder();
  const file = folder.file('shop.duckdb');
  await writeDatabase(file, [
    ...TABLE,
    'CREATE MACRO plus(a, b := 5) AS a + b',
    'CREATE MACRO above(least := 0) AS TABLE SELECT id FROM t WHERE id > least',
    'CREATE MACRO twice(a) AS plus(a) * 2',
    'CREATE VIEW v AS SELECT plus(id) AS s FROM t',
    'CREATE VIEW w AS SELECT plus(id, b := 1) AS s FROM t',
  ]);
  await using adapter = open({ file });
  for (const [sql, message] of [
    ['SELECT plus(1)', 'The macro plus() has more parameters than it is given arguments'],
    ['SELECT id, PLUS(id, 2), main.plus(id) FROM t', 'The macro plus() has'],
    ['FROM above()', 'The macro above() has'],
    ['SELECT twice(1)', 'It is called by the macro twice().'],
    ['FROM v', 'It is called by the view v.'],
  ] as const)
    expect(await failure(adapter.query(sql)), sql).toMatchObject({
      code: 'QUERY_NOT_READ_ONLY',
      message: expect.stringContaining(message),
    });
  for (const [sql, cell] of [
    ['SELECT plus(1, 2)', 3],
    ['SELECT plus(1, b := 2)', 3],
    ['FROM above(0)', 1],
    ['FROM w', 2],
  ] as const)
    expect((await adapter.query(sql)).rows, sql).toEqual([[cell]]);
});
