import { readFileSync, writeFileSync } from 'node:fs';
import { type Adapter, type AskemaError, createCallContext } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { readOnlyText } from '@askema/sql';
import { DuckDBInstance, type DuckDBValue } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { failure, open } from './test-support/open-file.ts';
import { temporaryFolder } from './test-support/temporary-folder.ts';
import { writeDatabase } from './test-support/write-database.ts';
import { createFunctionGuard } from './worker/function-guard.ts';
import { harmlessFunctions, isHarmlessFunction } from './worker/harmless-functions.ts';

vi.setConfig({ testTimeout: 60_000 });

const instance = await DuckDBInstance.create(':memory:');
const connection = await instance.connect();
afterAll(() => {
  connection.closeSync();
  instance.closeSync();
});

async function rowsOf(sql: string): Promise<DuckDBValue[][]> {
  return (await connection.runAndReadAll(sql)).getRows();
}

const namesOf = async (sql: string): Promise<readonly string[]> => (await rowsOf(sql)).map(([name]) => String(name));

const builtIn = await namesOf(
  "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type IN ('scalar', 'aggregate', 'table') ORDER BY 1",
);

/** What became of a statement: `ran`, or the code of its error. */
async function outcomeOf(adapter: Adapter, sql: string): Promise<string> {
  return adapter.query(sql, { timeoutMs: 10_000 }).then(
    () => 'ran',
    (error: AskemaError) => (error.details.errorClass === 'syntax' ? 'syntax' : error.code),
  );
}

async function thatRan(adapter: Adapter, statements: readonly string[]): Promise<readonly string[]> {
  const ran: string[] = [];
  for (const sql of statements) if ((await outcomeOf(adapter, sql)) === 'ran') ran.push(sql);
  return ran;
}

describe('the list of functions that only read, against duckdb_functions() of the installed DuckDB', () => {
  test('each function is on the list, or refused by the dialect, and none is both', () => {
    const undecided = builtIn.filter((name) => {
      const isRefused = !readOnlyText(`SELECT "${name.replaceAll('"', '""')}"()`, duckdbDialect.lexer).ok;
      return isHarmlessFunction(name.toLowerCase()) === isRefused;
    });
    expect(undecided).toEqual([]);
  });

  test('no name on the list is one that the engine does not have', () => {
    const known = new Set(builtIn.map((name) => name.toLowerCase()));
    expect(harmlessFunctions.filter((name) => !known.has(name))).toEqual([]);
  });

  test('of the engine’s own macros and views, those that are refused are these', async () => {
    const guard = createFunctionGuard({ mayChange: false, ownViews: false, tempFolder: 'none' });
    const macros = await namesOf(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type LIKE '%macro' ORDER BY 1",
    );
    const views = await namesOf('SELECT view_name FROM duckdb_views() ORDER BY 1');
    const refused: string[] = [];
    for (const sql of [...macros.map((name) => `SELECT "${name}"()`), ...views.map((name) => `FROM "${name}"`)])
      if ((await guard.judge(connection, sql)).refusal !== undefined) refused.push(sql);
    expect(macros.length).toBeGreaterThan(100);
    expect(refused).toEqual([
      'SELECT "duckdb_logs_parsed"()',
      'SELECT "duckdb_profiling_settings"()',
      'SELECT "pg_sleep"()',
      'FROM "duckdb_databases"',
      'FROM "duckdb_logs"',
      'FROM "pg_database"',
      'FROM "pg_prepared_statements"',
      'FROM "pg_settings"',
      'FROM "pragma_database_list"',
    ]);
  });
});

describe('over a data file', () => {
  const folder = temporaryFolder();
  const orders = folder.file('orders.json');
  const CONTENT = '[{"id": 1, "total": 10}, {"id": 2, "total": 20}]';
  let adapter: Adapter;
  beforeAll(() => {
    writeFileSync(orders, CONTENT);
    // With one place, each statement follows the other on one connection.
    adapter = open({ files: orders, poolSize: 1 });
  });
  afterAll(async () => {
    await adapter.close();
    folder[Symbol.dispose]();
  });
  const settings = async (): Promise<unknown> => {
    const names = (await namesOf('SELECT name FROM duckdb_settings()')).filter(
      (name) => !/path|director|output/.test(name),
    );
    return (await adapter.query(`SELECT ${names.map((name) => `current_setting('${name}')`).join()}`)).rows;
  };

  test('no spelling of enable_profiling() runs, and the file that may be read is not written', async () => {
    const call = `enable_profiling(format='json', save_location='${orders}')`;
    const before = await settings();
    const statements = [
      `SELECT * FROM ${call}`,
      `FROM ${call}`,
      `FROM main.${call}`,
      `FROM system.main.${call}`,
      `FROM "System"."MAIN"."Enable_PROFILING"(format='json', save_location='${orders}')`,
      `WITH a AS MATERIALIZED (FROM ${call}) SELECT 1 FROM orders`,
      `SELECT (SELECT count(*) FROM ${call})`,
      `SELECT id FROM orders ORDER BY (SELECT count(*) FROM ${call}) LIMIT (SELECT count(*) FROM ${call})`,
      `EXPLAIN ANALYZE SELECT * FROM ${call}`,
      `-- a\n/* b */ EXPLAIN /* c */ ANALYZE FROM ${call}`,
      `EXPLAIN (ANALYZE, FORMAT json) FROM ${call}`,
      `EXPLAIN (FROM ${call})`,
      `/* a /* nested */ comment */ EXPLAIN ANALYZE FROM ${call}`,
      `SUMMARIZE FROM ${call}`,
      `SUMMARIZE SELECT * FROM ${call}`,
      `PIVOT (FROM ${call}) ON Success IN (true) USING count(*)`,
      `FROM orders, LATERAL (FROM ${call})`,
      `FROM query('FROM ${call.replaceAll("'", "''")}')`,
      `SELECT json_serialize_plan('FROM ${call.replaceAll("'", "''")}')`,
      `FROM json_execute_serialized_sql(json_serialize_sql('FROM ${call.replaceAll("'", "''")}'))`,
      `CALL ${call}`,
      `PRAGMA enable_profiling('json')`,
      "PRAGMA profiling_output = 'x'",
    ];
    expect(await thatRan(adapter, statements)).toEqual([]);
    await adapter.query('SELECT 1');
    expect(await settings()).toEqual(before);
    expect(readFileSync(orders, 'utf8')).toBe(CONTENT);
    expect((await adapter.query('SELECT sum(total) FROM orders')).rows).toEqual([[30]]);
  });

  test('no function that is not on the list runs, no pragma, and no setting can be set', async () => {
    const before = await settings();
    const refused = builtIn.filter((name) => !isHarmlessFunction(name.toLowerCase()));
    const pragmas = await namesOf(
      "SELECT DISTINCT function_name FROM duckdb_functions() WHERE function_type = 'pragma'",
    );
    const names = await namesOf('SELECT name FROM duckdb_settings()');
    expect([refused.length > 40, pragmas.length > 40, names.length > 100]).toEqual([true, true, true]);
    const statements = [
      ...refused.flatMap((name) => [
        `SELECT "${name}"()`,
        `FROM "${name}"()`,
        `FROM "${name}"('${orders}')`,
        `SELECT "${name}"(1)`,
      ]),
      ...pragmas.flatMap((name) => [`PRAGMA ${name}`, `PRAGMA ${name}('${orders}')`, `CALL ${name}()`]),
      ...names.flatMap((name) => [`SET ${name} = DEFAULT`, `RESET ${name}`, `PRAGMA ${name} = 'x'`]),
    ];
    expect(await thatRan(adapter, statements)).toEqual([]);
    expect(await settings()).toEqual(before);
    expect(readFileSync(orders, 'utf8')).toBe(CONTENT);
  });

  test('the refusal names the function and says what to do instead', async () => {
    const messageOf = async (sql: string) => (await failure(adapter.query(sql))).message;
    expect(await messageOf('FROM enable_logging()')).toMatch(/enable_logging\(\).*Write the query without it/);
    expect(await messageOf("FROM read_csv('x.csv')")).toMatch(/read_csv\(\).*as one of `files`/);
    expect(await messageOf("FROM query('SELECT 1')")).toMatch(/query\(\).*Write that query out/);
    expect(await messageOf('SELECT no_such_function(1)')).toMatch(/no_such_function/);
  });

  test('the planner does not take such a statement for one that reads', async () => {
    const check = (sql: string) => adapter.planner.check(sql, { timeoutMs: 10_000, context: createCallContext() });
    expect(await check('SELECT * FROM enable_profiling()')).toMatchObject({ verdict: 'ok', statement: 'other' });
    expect(await check('SELECT * FROM orders')).toMatchObject({ verdict: 'ok', statement: 'read' });
  });

  test.each([
    'FROM orders',
    'TABLE orders',
    'VALUES (1, 2)',
    'SHOW TABLES',
    'SHOW ALL TABLES',
    'DESCRIBE orders',
    'DESCRIBE SELECT id + 1 AS n FROM orders',
    'SUMMARIZE orders',
    'EXPLAIN SELECT * FROM orders',
    'EXPLAIN (FORMAT json) SELECT * FROM orders',
    'EXPLAIN (SELECT * FROM orders)',
    '-- why\nEXPLAIN ANALYZE SELECT count(*) FROM orders',
    'PIVOT orders ON id IN (1, 2) USING sum(total)',
    'UNPIVOT orders ON id, total',
    "SELECT upper('a'), ('a').upper(), 'a' || 'b', 'ab' LIKE 'a%', 'ab' ILIKE 'A_' ESCAPE 'x', 'a' SIMILAR TO 'a|b', 'a' GLOB 'a*', 'a' ~ 'b'",
    "SELECT trim(BOTH 'x' FROM 'xax'), position('a' IN 'ba'), substring('abc' FROM 2 FOR 1), regexp_replace('a', 'a', 'b', 'g')",
    "SELECT extract(year FROM current_date), date_trunc('month', now()), DATE '2024-01-01' + INTERVAL 1 MONTH, CURRENT_TIMESTAMP AT TIME ZONE 'UTC', age(TIMESTAMP '2024-01-01')",
    "SELECT strftime(DATE '2024-01-01', '%Y-%m'), strptime('2024', '%Y'), date_diff('day', DATE '2024-01-01', today()), last_day(today())",
    "SELECT [1, 2][1], [x * 2 FOR x IN [1, 2] IF x > 1], list_transform([1], lambda x: x + 1), list_sum([1, 2]), array_to_string(['a'], ','), list_aggregate([1], 'max')",
    "SELECT {'a': 1}.a, struct_pack(a := 1), MAP {'a': 1}['a'], row(1, 2), union_value(a := 1)",
    "SELECT '{\"a\": [1]}'::JSON ->> '$.a[0]', json_extract('[1]', '$[0]'), to_json({'a': 1}), json_group_array(id) FROM orders",
    'SELECT id, row_number() OVER (ORDER BY total), lag(total) OVER w, sum(total) FILTER (WHERE id > 1) OVER w FROM orders WINDOW w AS (ORDER BY id)',
    "SELECT median(total), quantile_cont(total, 0.9), mode(total), stddev(total), arg_max(id, total), string_agg(id::VARCHAR, ',' ORDER BY id), approx_count_distinct(id), corr(id, total) FROM orders",
    'SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY total), grouping(id) FROM orders GROUP BY ROLLUP (id)',
    'SELECT id FROM orders GROUP BY ALL HAVING count(*) > 0 ORDER BY ALL LIMIT 5',
    'SELECT id FROM orders QUALIFY rank() OVER (ORDER BY id) = 1',
    'WITH RECURSIVE t(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE n < 3) SELECT * FROM t',
    'SELECT unnest([1, 2]), generate_series, range FROM generate_series(1, 2), range(2)',
    'FROM orders a ASOF JOIN orders b ON a.id >= b.id',
    'FROM orders POSITIONAL JOIN orders b',
    'FROM orders USING SAMPLE 1',
    "SELECT COLUMNS(c -> c LIKE 't%'), * EXCLUDE (id) REPLACE (total + 1 AS total) FROM orders",
    "SELECT coalesce(NULL, 1), nullif(1, 2), greatest(1, 2), CASE WHEN true THEN 1 END, try_cast('x' AS INT), 5 // 2, 2 ** 3, 5 % 2, -1, ~1, 1 IS DISTINCT FROM 2",
    "SELECT levenshtein('a', 'b'), jaro_winkler_similarity('a', 'b'), md5('a'), hash(1), uuid(), random(), format('{}', 1), printf('%d', 1), bar(1, 0, 2, 3)",
    "SELECT 'a' COLLATE NOCASE = 'A', 'ä' COLLATE de < 'b', strip_accents('ä')",
    'FROM histogram(orders, total)',
    'FROM histogram_values(orders, total)',
    'FROM json_each(\'{"a": 1}\')',
    'SELECT table_name FROM information_schema.tables',
    'SELECT relname FROM pg_catalog.pg_class',
    'SELECT name FROM sqlite_master',
    'SELECT table_name FROM duckdb_tables()',
    "FROM pragma_table_info('orders')",
    "SELECT version(), current_setting('threads'), current_schema(), current_user, pg_typeof(1), typeof(1)",
  ])('runs as before: %s', async (sql) => {
    expect({ sql, outcome: await outcomeOf(adapter, sql) }).toEqual({ sql, outcome: 'ran' });
  });

  test('parameters, and a list of ten thousand values', async () => {
    const parameters = { least: 2 };
    expect((await adapter.query('SELECT id FROM orders WHERE id >= $least', { parameters })).rows).toEqual([[2]]);
    const many = Array.from({ length: 10_000 }, (_, n) => n).join(', ');
    expect((await adapter.query(`SELECT count(*) FROM orders WHERE id IN (${many})`)).rows).toEqual([[2]]);
  });
});

describe('in a database', () => {
  test('views, macros and generated columns are followed, whatever they are called', async () => {
    using folder = temporaryFolder();
    const file = folder.file('shop.duckdb');
    await writeDatabase(file, [
      'CREATE TABLE item AS SELECT 1 AS a',
      'CREATE SCHEMA other',
      'CREATE VIEW spy AS FROM enable_logging()',
      'CREATE VIEW "AS " ("a AS (", "b"",") AS SELECT 1, 2 FROM spy',
      'CREATE VIEW other.item AS FROM disable_profiling()',
      'CREATE MACRO plain(x) AS x + 1',
      'CREATE MACRO twice(x) AS plain(plain(x))',
      'CREATE MACRO listed(n) AS TABLE SELECT * FROM range(n)',
      "CREATE MACRO log_it() AS write_log('x')",
      'CREATE MACRO deep() AS (SELECT twice(length(log_it()::VARCHAR)))',
      'CREATE MACRO by_name(n) AS TABLE FROM query_table(n)',
      // Two of one name that call one another: none hides the other.
      'CREATE MACRO other.ping() AS (SELECT count(*) FROM spy)',
      'CREATE MACRO pong() AS other.ping()',
      'CREATE MACRO ping() AS pong()',
      'CREATE VIEW "über" AS SELECT upper(\'a\') AS a',
      'CREATE TABLE slow (a INTEGER, b BOOLEAN GENERATED ALWAYS AS (sleep_ms(a) IS NULL))',
      'INSERT INTO slow VALUES (1)',
      'CREATE SEQUENCE numbers',
      "CREATE TABLE keyed (id BIGINT DEFAULT nextval('numbers'), name VARCHAR, big VARCHAR GENERATED ALWAYS AS (upper(name)))",
    ]);
    await using adapter = open({ file, poolSize: 1 });
    const harmless = [
      'SELECT plain(1)',
      'SELECT twice(1)',
      'FROM listed(3)',
      'FROM "über"',
      'FROM keyed',
      "SELECT upper('a'), system.main.lower('A')",
    ];
    expect(await thatRan(adapter, harmless)).toEqual(harmless);
    const harmful = [
      'FROM spy',
      'FROM main.spy',
      'DESCRIBE spy',
      'SUMMARIZE spy',
      'FROM "AS "',
      'FROM other.item',
      'SELECT log_it()',
      'SELECT deep()',
      'SELECT DEEP()',
      "FROM by_name('spy')",
      'SELECT ping()',
      'SELECT pong()',
      'SELECT other.ping()',
      "SELECT system.main.log_it() FROM (SELECT {'main': 1} AS system)",
      'FROM slow',
      'FROM histogram(spy, Success)',
      "FROM histogram('spy', Success)",
    ];
    expect(await thatRan(adapter, harmful)).toEqual([]);
    expect((await failure(adapter.query('SELECT deep()'))).message).toMatch(
      /write_log\(\).*called by the macro log_it\(\), which is called by the macro deep\(\)/,
    );
    const { schema, incomplete } = await adapter.introspect();
    expect(schema.relations.map(({ name }) => name).sort()).toEqual(['item', 'keyed', 'slow', 'über']);
    expect(incomplete.map(({ subject }) => subject)).toEqual(expect.arrayContaining(['spy', 'AS ', 'other.item']));
  });

  test('what is made while the adapter is open is followed as well', async () => {
    using folder = temporaryFolder();
    const file = folder.file('shop.duckdb');
    await writeDatabase(file, ['CREATE TABLE item AS SELECT 1 AS a']);
    await using adapter = open({ file, access: 'write', poolSize: 1 });
    const write = { access: 'write' } as const;
    expect(await outcomeOf(adapter, 'FROM item')).toBe('ran');
    await adapter.query('CREATE MACRO one() AS 1', write);
    expect((await adapter.query('SELECT one()')).rows).toEqual([[1]]);
    await adapter.query("CREATE OR REPLACE MACRO one() AS write_log('x')", write);
    await adapter.query('CREATE TEMP VIEW spy AS FROM enable_profiling()', write);
    expect(await thatRan(adapter, ['SELECT one()', 'FROM spy'])).toEqual([]);
  });
});
