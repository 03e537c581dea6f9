import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createCallContext, QUERY_DEFAULTS, resolveAdapter } from '@askema/core';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { type SqliteOptions, sqlite } from './index.ts';
import { makeDatabase } from './test-support/make-database.ts';
import { eventually, isAlive } from './test-support/processes.ts';
import { stateOf, temporaryFolder } from './test-support/temporary-folder.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const TABLES = 'CREATE TABLE t (a INTEGER PRIMARY KEY, b TEXT); CREATE TABLE u (a INT REFERENCES t (a))';
const MANY = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n)';

function openDatabase(sql = TABLES, options: Partial<SqliteOptions> = {}) {
  const folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'), sql);
  const spec = sqlite({ file, access: 'write', poolSize: 2, ...options });
  const adapter = resolveAdapter(spec);
  return {
    file,
    folder,
    spec,
    adapter,
    write: (statement: string, timeoutMs = 10_000) => adapter.query(statement, { access: 'write', timeoutMs }),
    async [Symbol.asyncDispose]() {
      await adapter.close();
      folder[Symbol.dispose]();
    },
  };
}

test('changed rows are counted; statements that change the schema change none', async () => {
  await using database = openDatabase();
  const counts: unknown[] = [];
  for (const sql of [
    "INSERT INTO t VALUES (1, 'x'), (2, 'y')",
    "INSERT INTO t VALUES (1, 'z'), (3, 'z') ON CONFLICT DO NOTHING",
    "WITH x AS (SELECT 2 AS a) UPDATE t SET b = 'w' WHERE a IN (SELECT a FROM x)",
    'CREATE TABLE v AS SELECT * FROM t',
    'ALTER TABLE v ADD COLUMN c',
    'DROP TABLE v',
    'DELETE FROM t',
  ])
    counts.push((await database.write(sql)).affectedRows);
  expect(counts).toEqual([2, 1, 1, expect.any(Number), 0, 0, 3]);
});

test('a statement that reads is read, whatever the call may do', async () => {
  await using database = openDatabase();
  const { rows, affectedRows } = await database.write('SELECT 1');
  expect([rows, affectedRows]).toEqual([[[1]], undefined]);
});

test('what works on other files, transactions or settings is refused to writers too, and nothing changes', async () => {
  await using database = openDatabase();
  const { file, folder } = database;
  const before = stateOf(file, folder.path);
  for (const sql of [
    `ATTACH '${folder.file('y.sqlite')}' AS y`,
    `VACUUM INTO '${folder.file('y.sqlite')}'`,
    'VACUUM',
    'BEGIN',
    'COMMIT',
    'PRAGMA journal_mode = WAL',
    'PRAGMA user_version = 2',
    'PRAGMA foreign_keys = OFF',
    "SELECT load_extension('x')",
    "INSERT INTO t SELECT load_extension('x'), 1",
    'INSERT INTO t VALUES (9, 9); DELETE FROM t',
    'CREATE TEMP TABLE t (a)',
    'CREATE TABLE temp.t (a)',
    'CREATE TEMP VIEW w AS SELECT 1',
  ])
    await expect(database.write(sql), sql).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
  expect(stateOf(file, folder.path)).toBe(before);
});

test('foreign keys hold, and a failing statement leaves nothing, whatever its conflict clause', async () => {
  await using database = openDatabase(`${TABLES}; INSERT INTO t VALUES (1, 'x')`);
  for (const sql of [
    'INSERT INTO u VALUES (1), (99)',
    "INSERT INTO t VALUES (2, 'y'), (1, 'z')",
    "INSERT OR ROLLBACK INTO t VALUES (2, 'y'), (1, 'z')",
    "INSERT OR FAIL INTO t VALUES (2, 'y'), (1, 'z')",
    "INSERT INTO t VALUES (2, 'y'), (1, 'z') RETURNING a",
  ])
    await expect(database.write(sql), sql).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      details: { errorClass: 'constraint' },
    });
  expect((await database.adapter.query('SELECT (SELECT count(*) FROM t), (SELECT count(*) FROM u)')).rows).toEqual([
    [1, 0],
  ]);
});

test('a change is made whole although the caller takes one row of what it returns and leaves', async () => {
  await using database = openDatabase();
  const options = { ...QUERY_DEFAULTS, access: 'write', context: createCallContext() } as const;
  const insert = `${MANY} INSERT INTO t SELECT x, 'y' FROM n LIMIT 5000 RETURNING a`;
  for await (const event of database.spec.executor.execute(insert, options)) if (event.type === 'rows') break;
  expect((await database.adapter.query('SELECT count(*) FROM t')).rows).toEqual([[5000]]);
});

test('a change that is stopped in the middle is rolled back: by its deadline, by an abort, by closing', {
  timeout: 30_000,
}, async () => {
  await using database = openDatabase();
  const { adapter, file, spec, write } = database;
  await adapter.query('SELECT 1');
  const insert = `${MANY} INSERT INTO t SELECT x, hex(randomblob(2000)) FROM n`;
  const isWriting = (): boolean => existsSync(`${file}-journal`);
  await expect(write(insert, 700)).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
  expect((await adapter.introspect()).schema.relations).toHaveLength(2);
  expect((await adapter.query('SELECT count(*) FROM t')).rows).toEqual([[0]]);

  const controller = new AbortController();
  const context = createCallContext({ signal: controller.signal });
  const aborted = adapter.query(insert, { access: 'write', context }).catch((error: unknown) => error);
  expect(await eventually(isWriting)).toBe(true);
  controller.abort();
  expect(await aborted).toMatchObject({ code: 'ABORTED' });
  expect((await adapter.query('SELECT count(*) FROM t')).rows).toEqual([[0]]);

  const closed = write(insert).catch((error: unknown) => error);
  expect(await eventually(isWriting)).toBe(true);
  await spec.close();
  expect(await closed).toMatchObject({ code: 'DATABASE_CLOSED' });
  await using again = resolveAdapter(sqlite({ file, access: 'write' }));
  expect((await again.query('SELECT count(*) FROM t')).rows).toEqual([[0]]);
  const plain = new Database(file, { readonly: true });
  expect(plain.pragma('integrity_check', { simple: true })).toBe('ok');
  plain.close();
});

test('a reader that may not write says what a dead writer has left behind; a writer repairs it', {
  timeout: 30_000,
}, async () => {
  using folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'), `${TABLES}; INSERT INTO t VALUES (1, 'x')`);
  const script = fileURLToPath(new URL('./test-support/busy-parent.ts', import.meta.url));
  const insert = `${MANY} INSERT INTO t SELECT x + 1, randomblob(4000) FROM n`;
  const parent = spawn(process.execPath, ['--conditions=@askema/source', script, file, insert, 'write'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve) => parent.stdout.setEncoding('utf8').once('data', resolve));
  const workers = line.trim().split(' ').map(Number);
  expect(await eventually(() => existsSync(`${file}-journal`))).toBe(true);
  parent.kill('SIGKILL');
  expect(await eventually(() => workers.filter(isAlive).length === 0)).toBe(true);
  await using reader = resolveAdapter(sqlite({ file }));
  await expect(reader.query('SELECT count(*) FROM t')).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    message: expect.stringContaining("access: 'write'"),
  });
  await using writer = resolveAdapter(sqlite({ file, access: 'write' }));
  expect((await writer.query('SELECT count(*) FROM t')).rows).toEqual([[1]]);
  expect((await reader.query('SELECT count(*) FROM t')).rows).toEqual([[1]]);
});

test('many writers at a time wait for each other', async () => {
  await using database = openDatabase(TABLES, { poolSize: 4 });
  await Promise.all(Array.from({ length: 20 }, (_, a) => database.write(`INSERT INTO t VALUES (${a}, 'x')`)));
  expect((await database.adapter.query('SELECT count(*) FROM t')).rows).toEqual([[20]]);
});

test('a write-ahead log: readers see whole changes only, and a stopped one never', async () => {
  await using database = openDatabase(`PRAGMA journal_mode = WAL; ${TABLES}`);
  const { adapter, write } = database;
  await write("INSERT INTO t VALUES (1, 'x')");
  await expect(write(`${MANY} INSERT INTO t SELECT x + 1, hex(randomblob(500)) FROM n`, 500)).rejects.toMatchObject({
    code: 'QUERY_TIMEOUT',
  });
  expect((await adapter.query('SELECT count(*) FROM t')).rows).toEqual([[1]]);
  await write("INSERT INTO t VALUES (2, 'y')");
  expect((await adapter.query('SELECT count(*) FROM t')).rows).toEqual([[2]]);
});

test('an abort at any moment: the change is there exactly when the call has said so', async () => {
  await using database = openDatabase(TABLES, { poolSize: 1 });
  const { adapter } = database;
  // The answer takes longer than the change, so that some aborts come after the commit.
  const change = async (group: number, signal?: AbortSignal): Promise<string> => {
    const sql = `${MANY} INSERT INTO t SELECT ${group} * 10000 + x, hex(randomblob(400)) FROM n LIMIT 4000 RETURNING b`;
    const context = createCallContext({ signal });
    return adapter.query(sql, { access: 'write', context }).then(
      ({ rows }) => `${rows.length} rows`,
      (error: { readonly code?: string }) => String(error.code),
    );
  };
  const outcomes: string[] = [];
  const rounds = 24;
  let whole = 0;
  for (let round = 0; round < rounds; round += 1) {
    const controller = new AbortController();
    const started = performance.now();
    const outcome = change(round, controller.signal);
    if (round === 0) controller.abort();
    // The next one is not stopped: it takes as long as a change takes that must start a worker first.
    const delayMs = round === 1 ? 60_000 : (whole * 1.2 * round) / rounds;
    const timer = setTimeout(() => controller.abort(), delayMs);
    outcomes.push(await outcome);
    clearTimeout(timer);
    if (round === 1) whole = performance.now() - started;
  }
  const { rows } = await adapter.query('SELECT a / 10000, count(*) FROM t GROUP BY 1 ORDER BY 1');
  const told = outcomes.flatMap((outcome, group) => (outcome === '4000 rows' ? [[group, 4000]] : []));
  expect(rows).toEqual(told);
  expect(new Set(outcomes)).toEqual(new Set(['4000 rows', 'ABORTED']));
});

test('an abort and a deadline after the commit come too late: the answer is given to its end', async () => {
  await using database = openDatabase();
  const controller = new AbortController();
  const context = createCallContext({ signal: controller.signal });
  const options = { ...QUERY_DEFAULTS, maxRows: 1e6, access: 'write', context } as const;
  const insert = `${MANY} INSERT INTO t SELECT x, hex(randomblob(400)) FROM n LIMIT 20000 RETURNING b`;
  let rows = 0;
  for await (const event of database.spec.executor.execute(insert, options)) {
    if (event.type === 'columns') controller.abort();
    if (event.type === 'rows') rows += event.rows.length;
    if (event.type === 'end') expect(event.affectedRows).toBe(20_000);
  }
  expect(rows).toBe(20_000);
  expect((await database.adapter.query('SELECT count(*) FROM t')).rows).toEqual([[20_000]]);
});
