import { resolveAdapter } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { sqlite } from './index.ts';
import { makeDatabase } from './test-support/make-database.ts';
import { temporaryFolder } from './test-support/temporary-folder.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

/** An adapter over a new file, removed at the end of the test. */
function openDatabase(sql = '', access: 'read' | 'write' = 'read') {
  const folder = temporaryFolder();
  const adapter = resolveAdapter(sqlite({ file: makeDatabase(folder.file('x.sqlite'), sql), access, poolSize: 2 }));
  return {
    adapter,
    async [Symbol.asyncDispose]() {
      await adapter.close();
      folder[Symbol.dispose]();
    },
  };
}

test('text with NUL characters is whole; text that is no UTF-8 is made legible; bytes and integers are exact', async () => {
  await using database = openDatabase();
  const { rows } = await database.adapter.query(
    "SELECT 'a' || char(0) || 'b', CAST(x'61ff62' AS TEXT), x'', -9223372036854775808, 9007199254740991, 9007199254740992, 1.0, 9e999, 0.0 / 0",
  );
  expect(rows).toEqual([
    [
      'a\0b',
      'a\uFFFDb',
      new Uint8Array(),
      -9223372036854775808n,
      9007199254740991,
      9007199254740992n,
      1,
      Infinity,
      null,
    ],
  ]);
});

test('columns: declared type, source, and for expressions the type of their first value', async () => {
  await using database = openDatabase(
    "CREATE TABLE t (a VARCHAR(10), b DATE); INSERT INTO t VALUES ('x', '2024-01-01')",
  );
  const { columns } = await database.adapter.query(
    "SELECT t.a AS x, b, count(*), 'y' AS y, x'00' AS z, NULL AS n FROM t",
  );
  expect(columns).toEqual([
    { name: 'x', nativeType: 'VARCHAR(10)', type: 'TEXT', source: { relation: 't', attribute: 'a' } },
    { name: 'b', nativeType: 'DATE', type: 'DATETIME', source: { relation: 't', attribute: 'b' } },
    { name: 'count(*)', nativeType: '', type: 'NUMERIC' },
    { name: 'y', nativeType: '', type: 'TEXT' },
    { name: 'z', nativeType: '', type: 'BINARY' },
    { name: 'n', nativeType: '', type: 'TEXT' },
  ]);
});

test('parameters keep their storage class; numbered ones go by number', async () => {
  await using database = openDatabase();
  const types = await database.adapter.query(
    'SELECT typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), typeof(?), ? || 1',
    {
      parameters: [1, 1.5, 'x', new Uint8Array([1]), null, true, 7],
    },
  );
  expect(types.rows).toEqual([['integer', 'real', 'text', 'blob', 'null', 'integer', '71']]);
  const numbered = await database.adapter.query('SELECT ?2, ?1, ?2', { parameters: ['a', 'b'] });
  expect(numbered.rows).toEqual([['b', 'a', 'b']]);
  const named = await database.adapter.query('SELECT :a, @b, $c', { parameters: { a: 1, b: 2, c: 3 } });
  expect(named.rows).toEqual([[1, 2, 3]]);
});

test('parameters that do not fit are an error that says so', async () => {
  await using database = openDatabase();
  for (const parameters of [[], [1, 2], { b: 1 }])
    await expect(database.adapter.query('SELECT :a', { parameters })).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringContaining('The parameters do not fit'),
    });
  await expect(database.adapter.query('SELECT ?', { parameters: [2n ** 70n] })).rejects.toMatchObject({
    code: 'QUERY_FAILED',
  });
});

test('errors name the place and the nearest names', async () => {
  await using database = openDatabase('CREATE TABLE customer (id INT, name TEXT); CREATE TABLE product (title TEXT)');
  const error = await database.adapter.query('SELECT c.nmae\nFROM customer c').catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    code: 'QUERY_FAILED',
    message: 'SQLite refused the statement: no such column: c.nmae (line 1, column 8). Did you mean `name`?',
    details: {
      errorClass: 'identifier',
      vendorCode: 'SQLITE_ERROR',
      nearestNames: ['name'],
      position: { offset: 7, line: 1, column: 8 },
    },
  });
  const unclosed = database.adapter.query("SELECT 'secret");
  await expect(unclosed).rejects.toMatchObject({
    message: expect.stringContaining("'secret"),
    details: { errorClass: 'syntax' },
  });
});

test('load_extension is refused as what it is, also when a loop reaches it late', async () => {
  await using database = openDatabase('CREATE TABLE t (a); INSERT INTO t VALUES (0), (1)');
  const query = database.adapter.query("SELECT CASE a WHEN 1 THEN load_extension('x') END FROM t");
  await expect(query).rejects.toMatchObject({
    code: 'QUERY_REFUSED',
    message: expect.stringContaining('load_extension'),
  });
});

test('no statement is told where the file lies, whatever it calls the list of files', async () => {
  await using opened = openDatabase('CREATE TABLE t (a)');
  for (const name of ['pragma_database_list', 'main.pragma_database_list', '"PRAGMA_DATABASE_LIST"'])
    expect((await opened.adapter.query(`SELECT name, file FROM ${name}`)).rows).toEqual([['main', '']]);
  await expect(opened.adapter.query('PRAGMA database_list')).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
});

test('fts3_tokenizer gives and takes no address, also by parameters, for which SQLite itself never turns it off', async () => {
  await using database = openDatabase('CREATE TABLE t (a); CREATE VIEW v AS SELECT fts3_tokenizer(1) AS a');
  const address = new Uint8Array(8).fill(0x41);
  for (const [sql, parameters] of [
    ['SELECT hex(fts3_tokenizer(?))', ['simple']],
    ['SELECT fts3_tokenizer(:name, :pointer)', { name: 'hacked', pointer: address }],
    ['SELECT "FTS3_Tokenizer"(?, ?)', ['hacked', address]],
    ["SELECT fts3_tokenizer('simple')", undefined],
  ] as const)
    await expect(database.adapter.query(sql, { parameters })).rejects.toMatchObject({
      code: 'QUERY_REFUSED',
      message: expect.stringContaining('fts3_tokenizer() is refused'),
    });
  await expect(database.adapter.query('SELECT a FROM v')).rejects.toMatchObject({ code: expect.any(String) });
  expect((await database.adapter.query('SELECT 1')).rows).toEqual([[1]]);
});

test('a function that writes inside of a SELECT is stopped by the handle', async () => {
  await using database = openDatabase(
    "CREATE VIRTUAL TABLE f USING fts3(x); INSERT INTO f VALUES ('a'); INSERT INTO f VALUES ('b')",
  );
  await expect(database.adapter.query('SELECT optimize(f) FROM f')).rejects.toMatchObject({
    code: 'QUERY_NOT_READ_ONLY',
  });
});

test('a query that builds gigabytes ends with a clear error, and the next one is answered', {
  timeout: 30_000,
}, async () => {
  using folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'));
  await using adapter = resolveAdapter(sqlite({ file, maxMemoryBytes: 256 * 1024 * 1024 }));
  const many = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)';
  for (const sql of [
    `${many} SELECT hex(randomblob(1000)) FROM n ORDER BY 1`,
    `${many} SELECT count(DISTINCT hex(randomblob(1000))) FROM n`,
    'SELECT hex(zeroblob(200000000)) > hex(zeroblob(200000000)) || 1',
    'SELECT zeroblob(400000000), zeroblob(400000000)',
  ])
    await expect(adapter.query(sql, { timeoutMs: 20_000 })).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringContaining('maxMemoryBytes'),
    });
  await expect(adapter.query("SELECT printf('%*d', 2000000000, 1)")).rejects.toMatchObject({
    code: 'QUERY_FAILED',
    details: { vendorCode: 'SQLITE_TOOBIG' },
  });
  expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
});

test('the planner sees through views, and refuses what would never run', async () => {
  await using database = openDatabase(
    'CREATE TABLE a (x); CREATE TABLE b (x); CREATE INDEX i ON b (x); CREATE VIEW v AS SELECT x FROM a JOIN b USING (x)',
  );
  const check = (sql: string) =>
    database.adapter.planner.check(sql, {
      timeoutMs: 5_000,
      context: { runId: 'r', path: 'p', idempotencyKey: 'k', tags: {} },
    });
  expect(await check('SELECT * FROM v WHERE x = ?')).toEqual({
    verdict: 'ok',
    statement: 'read',
    relations: ['a', 'b'],
    reads: [
      { nameParts: { relation: 'a' }, columns: ['x'] },
      { nameParts: { relation: 'b' }, columns: ['x'] },
    ],
  });
  expect(await check('EXPLAIN QUERY PLAN SELECT * FROM a')).toMatchObject({ verdict: 'ok', statement: 'read' });
  expect(await check('WITH c AS (SELECT 1) DELETE FROM a')).toMatchObject({ verdict: 'ok', statement: 'write' });
  expect(await check('CREATE TABLE c (x)')).toMatchObject({ verdict: 'ok', statement: 'ddl' });
  expect(await check("ATTACH 'x' AS y")).toMatchObject({
    verdict: 'invalid',
    error: { details: { code: 'QUERY_REFUSED' } },
  });
  expect(await check('SELECT * FROM missing')).toMatchObject({
    verdict: 'invalid',
    error: { details: { errorClass: 'identifier' } },
  });
  expect((await database.adapter.introspect()).schema.relations).toHaveLength(3);
});
