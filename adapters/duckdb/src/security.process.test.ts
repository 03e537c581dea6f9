import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { type Adapter, type AskemaError, createCallContext, isAskemaError } from '@askema/core';
import { adapterFixture, hostileStatements } from '@askema/testkit';
import { describe, expect, test, vi } from 'vitest';
import { failure, open } from './test-support/open-file.ts';
import { stateOf, temporaryFolder } from './test-support/temporary-folder.ts';
import { fixtureStatements, writeDatabase } from './test-support/write-database.ts';

vi.setConfig({ testTimeout: 60_000 });

const REFUSALS = ['QUERY_REFUSED', 'QUERY_NOT_READ_ONLY', 'QUERY_FAILED'];

/** What came back, as text, of statements that were not refused. */
async function leaked(adapter: Adapter, statements: readonly string[]): Promise<readonly unknown[]> {
  const wrong: unknown[] = [];
  for (const sql of statements) {
    const outcome: unknown = await adapter.query(sql, { timeoutMs: 10_000 }).catch((thrown: AskemaError) => thrown);
    if (!isAskemaError(outcome) || !REFUSALS.includes(outcome.code)) wrong.push({ sql, outcome });
    else if (JSON.stringify(outcome).includes('treasure') || outcome.message.includes('treasure'))
      wrong.push({ sql, told: outcome.message });
  }
  return wrong;
}

/** Ways to a file beside the one that was opened; some of them no text check could know. */
function reachFor(secret: string, allowed: string): readonly string[] {
  const folder = secret.slice(0, secret.lastIndexOf('/'));
  return [
    `SELECT * FROM '${secret}'`,
    `FROM '${secret}'`,
    `FROM "${secret}"`,
    `FROM '${folder}/*.csv'`,
    `FROM '${folder}/../${folder.slice(folder.lastIndexOf('/') + 1)}/secret.csv'`,
    `FROM 'file://${secret}'`,
    `SELECT (SELECT a FROM '${secret}' LIMIT 1)`,
    `WITH x AS (FROM '${secret}') FROM x`,
    `SELECT * FROM read_csv('${secret}')`,
    `SELECT * FROM read_csv(['${allowed}', '${secret}'])`,
    `SELECT * FROM read_csv_auto('${secret}')`,
    `SELECT * FROM "read_text"('${secret}')`,
    `SELECT * FROM main.read_text('${secret}')`,
    `SELECT * FROM read_blob('${secret}')`,
    `SELECT * FROM read_json('${secret}')`,
    `SELECT * FROM read_parquet('${secret}')`,
    `SELECT * FROM sniff_csv('${secret}')`,
    `SELECT * FROM glob('${folder}/*')`,
    `SELECT * FROM query('SELECT * FROM ''${secret}''')`,
    `SELECT * FROM query_table('${secret}')`,
    `SELECT * FROM query_table(['${secret}'])`,
    `SELECT * FROM json_execute_serialized_sql(json_serialize_sql('FROM ''${secret}'''))`,
    "SELECT * FROM '/etc/passwd'",
    "SELECT * FROM read_text('/etc/passwd')",
    "SELECT * FROM read_csv('/proc/self/environ')",
    "SELECT * FROM read_csv('/dev/stdin')",
    "SELECT getenv('HOME')",
    'SELECT * FROM duckdb_secrets()',
    `SUMMARIZE '${secret}'`,
    `DESCRIBE FROM '${secret}'`,
    `EXPLAIN ANALYZE SELECT * FROM '${secret}'`,
    `PIVOT '${secret}' ON a IN ('x') USING count(*)`,
    "SELECT * FROM 'https://example.org/x.csv'",
    "SELECT * FROM read_csv('s3://bucket/x.csv')",
    "SELECT * FROM sqlite_scan('x.db', 't')",
    'SELECT * FROM arrow_scan(1::POINTER, 2::POINTER, 3::POINTER)',
    `COPY (SELECT 1) TO '${folder}/new.csv'`,
    `COPY (SELECT 1) TO '${allowed}'`,
    `EXPORT DATABASE '${folder}/out'`,
    `ATTACH '${folder}/new.duckdb'`,
    "ATTACH ':memory:' AS m",
    'LOAD json',
    'INSTALL httpfs',
    'SET enable_external_access = true',
    'SET lock_configuration = false',
    `SET allowed_paths = ['${secret}']`,
    'PRAGMA enable_profiling',
    'CREATE TABLE hacked (a INTEGER)',
    'CREATE TEMP TABLE hacked (a INTEGER)',
    'CREATE TEMP MACRO hacked() AS 1',
    'CREATE SCHEMA hacked',
    'BEGIN',
    'COMMIT',
    'CHECKPOINT',
    'VACUUM',
    "SELECT write_log('hacked')",
    'SELECT * FROM enable_logging()',
  ];
}

describe('a secret beside what was opened', () => {
  test('of data files: only they can be read, in any way that DuckDB has', async () => {
    using folder = temporaryFolder();
    const [allowed, secret] = [folder.file('allowed.csv'), folder.file('secret.csv')];
    writeFileSync(allowed, 'a\nfine\n');
    writeFileSync(secret, 'a\ntreasure\n');
    await using adapter = open({ files: allowed });
    expect((await adapter.query('FROM allowed')).rows).toEqual([['fine']]);
    const before = stateOf(allowed, folder.path);
    expect(await leaked(adapter, reachFor(secret, allowed))).toEqual([]);
    expect(stateOf(allowed, folder.path)).toBe(before);
    expect((await adapter.query('FROM allowed')).rows).toEqual([['fine']]);
    expect((await adapter.introspect()).schema.relations.map(({ name }) => name)).toEqual(['allowed']);
  });

  test('of a database: also through its own views and macros', async () => {
    using folder = temporaryFolder();
    const [file, secret] = [folder.file('shop.duckdb'), folder.file('secret.csv')];
    writeFileSync(secret, 'a\ntreasure\n');
    await writeDatabase(file, [
      'CREATE TABLE customer AS SELECT 1 AS id',
      `CREATE VIEW spy AS FROM read_csv('${secret}')`,
      `CREATE MACRO peek() AS (SELECT content FROM read_text('${secret}'))`,
      `CREATE MACRO look() AS TABLE FROM read_csv('${secret}')`,
      'CREATE SEQUENCE numbers',
    ]);
    await using adapter = open({ file });
    const before = stateOf(file, folder.path);
    const own = ['FROM spy', 'SELECT peek()', 'FROM look()', "SELECT nextval('numbers')"];
    expect(await leaked(adapter, [...reachFor(secret, file), ...own])).toEqual([]);
    expect(stateOf(file, folder.path)).toBe(before);
    const { schema, incomplete } = await adapter.introspect();
    expect(schema.relations.map(({ name }) => name)).toEqual(['customer']);
    expect(incomplete).toEqual([{ subject: 'spy', reason: expect.stringContaining('cannot be read') }]);
  });

  test('in the folder of temporary files, where rows of other statements lie', async () => {
    using folder = temporaryFolder();
    const file = folder.file('shop.duckdb');
    await writeDatabase(file, ['CREATE TABLE customer AS SELECT 1 AS id']);
    await using adapter = open({ file });
    const [[temporary] = []] = (await adapter.query("SELECT current_setting('temp_directory')")).rows;
    for (const sql of [
      `FROM '${temporary}/*[.csv?]tmp'`,
      `SELECT (SELECT count(*) FROM "${temporary}/x.csv") FROM customer`,
      `FROM "${temporary}/x"."csv"`,
      `SUMMARIZE '${temporary}/x.json'`,
      `EXPLAIN FROM '${String(temporary).replace('askema-duckdb', 'ASKEMA-duckdb')}/x.csv'`,
    ])
      await expect(adapter.query(sql)).rejects.toThrow(/folder of temporary files/);
    expect((await adapter.query('FROM customer')).rows).toEqual([[1]]);
  });

  test('behind a link that lies beside the opened file', async () => {
    using folder = temporaryFolder();
    writeFileSync(folder.file('allowed.csv'), 'a\nfine\n');
    symlinkSync('/etc/passwd', folder.file('link.csv'));
    await using adapter = open({ files: folder.file('allowed.csv') });
    expect(await leaked(adapter, [`FROM '${folder.file('link.csv')}'`])).toEqual([]);
  });
});

test('no statement is told where files lie', async () => {
  using folder = temporaryFolder();
  const file = folder.file('b.duckdb');
  await writeDatabase(file, ['CREATE TABLE t (a INTEGER)', 'CREATE VIEW v AS SELECT * FROM duckdb_databases()']);
  await using adapter = open({ file });
  for (const sql of [
    'SELECT path FROM duckdb_databases()',
    'FROM system.main.duckdb_databases()',
    'FROM duckdb_databases',
    'FROM pragma_database_list',
    'FROM v',
    'SELECT value FROM duckdb_settings()',
    "SELECT current_setting('allowed_paths')",
    "SELECT system.main.current_setting('ALLOWED_PATHS')",
    "SELECT current_setting('allowed' || '_paths')",
    "WITH a AS (SELECT 'secret_directory' AS s) SELECT current_setting(s) FROM a",
  ])
    expect(await failure(adapter.query(sql)), sql).toMatchObject({
      code: expect.stringMatching(/QUERY_NOT_READ_ONLY|QUERY_REFUSED/),
      message: expect.not.stringContaining(file),
    });
  expect((await adapter.query('SHOW DATABASES')).rows).toEqual([['b']]);
  expect((await adapter.query("SELECT table_name FROM information_schema.tables WHERE table_name = 't'")).rows).toEqual(
    [['t']],
  );
});

test('the engine itself is locked, whatever the text check would let through', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('a.csv'), 'a\n1\n');
  await writeDatabase(folder.file('b.duckdb'), ['CREATE TABLE t (a INTEGER)']);
  for (const options of [{ files: folder.file('a.csv') }, { file: folder.file('b.duckdb') }]) {
    await using adapter = open(options);
    const settings = [
      'lock_configuration',
      'enable_external_access',
      'autoload_known_extensions',
      'autoinstall_known_extensions',
      'allow_community_extensions',
      'allow_unsigned_extensions',
      'TimeZone',
    ];
    const sql = `SELECT ${settings.map((name) => `current_setting('${name}')`).join(', ')}`;
    expect((await adapter.query(sql)).rows).toEqual([[true, false, false, false, false, false, 'UTC']]);
    expect((await adapter.diagnose()).readOnly.by).toBe('engine');
  }
});

test('the hostile corpus is refused over data files as it is over a database', async () => {
  using folder = temporaryFolder();
  await writeDatabase(':memory:', [
    ...fixtureStatements(adapterFixture('shop')),
    ...adapterFixture('shop').tables.map(({ name }) => `COPY ${name} TO '${folder.file(`${name}.parquet`)}'`),
  ]);
  await using adapter = open({ files: folder.path });
  const names = (): string => readdirSync(folder.path).sort().join(' ');
  const before = names();
  const wrong: unknown[] = [];
  for (const { attack, sql, harm } of hostileStatements('duckdb', { folder: folder.path })) {
    const code = await adapter.query(sql).then(
      () => 'ran',
      (error: AskemaError) => (error.details.errorClass === 'syntax' ? 'syntax' : error.code),
    );
    const allowed = ['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED', 'syntax', ...(harm === 'reach' ? ['QUERY_FAILED'] : [])];
    if (!allowed.includes(code)) wrong.push({ attack, sql, code });
  }
  expect(wrong).toEqual([]);
  expect(names()).toBe(before);
  expect((await adapter.query('SELECT count(*) FROM customer')).rows).toEqual([[4]]);
});

test('one statement leaves nothing to the next one: no setting, no variable, no temporary table', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('a.csv'), 'a\n1\n');
  await using adapter = open({ files: folder.file('a.csv'), poolSize: 1 });
  expect((await failure(adapter.query('SET VARIABLE x = 1'))).code).toBe('QUERY_REFUSED');
  expect((await adapter.query("SELECT getvariable('x')")).rows).toEqual([[null]]);
  expect((await failure(adapter.query('PREPARE p AS SELECT 1'))).code).toBe('QUERY_REFUSED');
  expect((await failure(adapter.query('EXECUTE p'))).code).not.toBe('ran');
});

test.each(['read', 'write'] as const)(
  'no plan and no description of a view calls what no read may, access %s',
  async (access) => {
    using folder = temporaryFolder();
    const file = folder.file('t.duckdb');
    const seeds = 'SELECT * FROM range(CASE WHEN setseed(0.42) IS NULL THEN 1 ELSE 2 END)';
    await writeDatabase(file, [`CREATE VIEW seeds AS ${seeds}`, 'CREATE TABLE t (a BIGINT)']);
    await using adapter = open({ file, access, poolSize: 1 });
    const check = (sql: string) => adapter.planner.check(sql, { timeoutMs: 20_000, context: createCallContext() });
    const seeded = new Set<string>();
    for (const sql of [seeds, 'FROM seeds', "FROM pragma_table_info('seeds')", "FROM pragma_show('s' || 'eeds')"]) {
      expect(await check(sql)).toMatchObject({ statement: 'other' });
      expect((await failure(adapter.query(sql))).code).toBe('QUERY_NOT_READ_ONLY');
      seeded.add(JSON.stringify((await adapter.query('SELECT random()')).rows));
    }
    // The same seed gives the same number.
    expect(seeded.size).toBe(4);
    const insert = `INSERT INTO t ${seeds}`;
    if (access === 'read') expect(await check(insert)).toEqual({ verdict: 'ok', statement: 'write', relations: [] });
    expect((await failure(adapter.query(insert))).code).toBe('QUERY_NOT_READ_ONLY');
    seeded.add(JSON.stringify((await adapter.query('SELECT random()')).rows));
    expect(seeded.size).toBe(5);
  },
);

test('comments in front of a change cost nothing', async () => {
  using folder = temporaryFolder();
  const file = folder.file('t.duckdb');
  await writeDatabase(file, ['CREATE TABLE t (a BIGINT)']);
  await using adapter = open({ file });
  const sql = `${'/**/'.repeat(60)}DROP TABLE t`;
  expect((await failure(adapter.query(sql, { timeoutMs: 15_000 }))).code).toBe('QUERY_NOT_READ_ONLY');
});

test('what a text cannot show is refused by the transaction, also where the adapter may write', async () => {
  using folder = temporaryFolder();
  const file = folder.file('t.duckdb');
  await writeDatabase(file, ['CREATE SEQUENCE numbers', "CREATE MACRO harmless() AS nextval('numbers')"]);
  for (const access of ['read', 'write'] as const) {
    await using adapter = open({ file, access });
    expect((await failure(adapter.query('SELECT harmless()'))).code).toBe('QUERY_NOT_READ_ONLY');
    await adapter.close();
  }
  await using adapter = open({ file, access: 'write' });
  expect((await adapter.query('SELECT harmless()', { access: 'write' })).rows).toEqual([[1]]);
});

test('spilling leaves no file behind', async () => {
  using folder = temporaryFolder();
  writeFileSync(folder.file('a.csv'), 'a\n1\n');
  const temporary = (): readonly string[] =>
    readdirSync(tmpdir()).filter((name) => /^askema-duckdb-[0-9a-f]{8}-/.test(name));
  const before = new Set(temporary());
  const options = { files: folder.file('a.csv'), maxMemoryBytes: 64 * 1024 * 1024, threads: 1 };
  const sql = `SELECT md5(range::VARCHAR) AS m, repeat(m, 5) FROM range(400000) ORDER BY m LIMIT 1 OFFSET 399999`;
  // It does need to be spilled.
  await using dry = open({ ...options, maxTempBytes: 0 });
  expect((await failure(dry.query(sql))).message).toContain('maxTempBytes');
  await using adapter = open(options);
  expect((await adapter.query(sql, { timeoutMs: 55_000 })).rows).toHaveLength(1);
  await adapter.close();
  expect(temporary().filter((name) => !before.has(name))).toEqual([]);
  expect(readFileSync(folder.file('a.csv'), 'utf8')).toBe('a\n1\n');
});
