import { writeFileSync } from 'node:fs';
import { createCallContext, QUERY_DEFAULTS } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { duckdb } from './index.ts';
import { failure, open } from './test-support/open-file.ts';
import { type TemporaryFolder, temporaryFolder } from './test-support/temporary-folder.ts';
import { writeDatabase } from './test-support/write-database.ts';

vi.setConfig({ testTimeout: 60_000 });

function smallFile(): TemporaryFolder & { readonly path: string } {
  const folder = temporaryFolder();
  writeFileSync(folder.file('t.csv'), 'id\n1\n2\n');
  return folder;
}

/** What DuckDB stops at once when it is interrupted: it looks between pieces of work. */
const STOPPABLE = {
  join: 'SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range * b.range % 7 = 3',
  sort: 'SELECT m FROM (SELECT md5(range::VARCHAR) AS m FROM range(50000000)) ORDER BY m LIMIT 1',
  aggregate: 'SELECT count(DISTINCT md5(range::VARCHAR)) FROM range(200000000)',
};

/** One call of a function over one row, in which it does not look: seconds to minutes. */
const UNSTOPPABLE = "SELECT levenshtein(repeat('ab', 60000), repeat('ba', 60000))";

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a deadline interrupts what runs: its place is free at once, and the process stays', async () => {
  using folder = smallFile();
  const spec = duckdb({ files: folder.file('t.csv'), poolSize: 1 });
  await using _ = { [Symbol.asyncDispose]: () => spec.close() };
  const run = async (sql: string, timeoutMs: number): Promise<void> => {
    for await (const _event of spec.executor.execute(sql, {
      ...QUERY_DEFAULTS,
      timeoutMs,
      context: createCallContext(),
    }));
  };
  await run('FROM t', 20_000);
  const [pid = 0] = spec.workerPids();
  for (const [name, sql] of Object.entries(STOPPABLE)) {
    const started = performance.now();
    expect({ name, code: (await failure(run(sql, 300))).code }).toEqual({ name, code: 'QUERY_TIMEOUT' });
    expect(performance.now() - started).toBeLessThan(3_000);
    // There is but one place, which a statement that goes on would hold until its process is given up.
    await run('FROM t', 20_000);
    expect({ name, pids: spec.workerPids() }).toEqual({ name, pids: [pid] });
  }
});

test('a statement that does not stop costs its process, and nobody waits for it', async () => {
  using folder = smallFile();
  const spec = duckdb({ files: folder.file('t.csv') });
  await using _ = { [Symbol.asyncDispose]: () => spec.close() };
  const context = createCallContext();
  const run = async (sql: string, timeoutMs: number): Promise<number> => {
    let rows = 0;
    for await (const event of spec.executor.execute(sql, { ...QUERY_DEFAULTS, timeoutMs, context }))
      if (event.type === 'rows') rows += event.rows.length;
    return rows;
  };
  expect(await run('FROM t', 20_000)).toBe(2);
  const [stuck = 0] = spec.workerPids();
  const started = performance.now();
  expect((await failure(run(UNSTOPPABLE, 300))).code).toBe('QUERY_TIMEOUT');
  expect(performance.now() - started).toBeLessThan(2_000);
  // Others are answered meanwhile, then by a new process.
  expect(await run('FROM t', 20_000)).toBe(2);
  await vi.waitFor(() => expect(isAlive(stuck)).toBe(false), 15_000);
  expect(await run('FROM t', 20_000)).toBe(2);
  expect(spec.workerPids()).not.toContain(stuck);
});

test('closing does not wait for a statement that does not stop', async () => {
  using folder = smallFile();
  const spec = duckdb({ files: folder.file('t.csv') });
  const options = { ...QUERY_DEFAULTS, context: createCallContext() };
  const running = failure(
    (async () => {
      for await (const _event of spec.executor.execute(UNSTOPPABLE, options));
    })(),
  );
  await vi.waitFor(() => expect(spec.workerPids()).toHaveLength(1), 20_000);
  await new Promise((resolve) => setTimeout(resolve, 300));
  const [pid = 0] = spec.workerPids();
  const started = performance.now();
  await spec.close();
  expect(performance.now() - started).toBeLessThan(3_000);
  expect((await running).code).toBe('DATABASE_CLOSED');
  expect(isAlive(pid)).toBe(false);
});

test('a process that dies is an error that can be tried again, and is replaced', async () => {
  using folder = smallFile();
  const spec = duckdb({ files: folder.file('t.csv') });
  await using _ = { [Symbol.asyncDispose]: () => spec.close() };
  const run = async (sql: string): Promise<void> => {
    for await (const _event of spec.executor.execute(sql, { ...QUERY_DEFAULTS, context: createCallContext() }));
  };
  await run('FROM t');
  const running = failure(run(STOPPABLE.join));
  await new Promise((resolve) => setTimeout(resolve, 200));
  for (const pid of spec.workerPids()) process.kill(pid, 'SIGKILL');
  expect(await running).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
  await run('FROM t');
});

test('a cell that needs more memory than there may be fails, and the caller lives', async () => {
  using folder = smallFile();
  await using adapter = open({ files: folder.file('t.csv'), maxMemoryBytes: 64 * 1024 * 1024 });
  const error = await failure(
    adapter.query(
      "SELECT length(list_aggregate(list_transform(range(3000000), x -> repeat('x', 1000)), 'string_agg', ','))",
    ),
  );
  expect(error).toMatchObject({ code: 'QUERY_FAILED' });
  expect(error.message).toContain('maxMemoryBytes');
  expect((await adapter.query('SELECT count(*) FROM t')).rows).toEqual([[2]]);
});

test('rows are taken as they are needed: a million come whole, ten million are never made', async () => {
  using folder = smallFile();
  await using adapter = open({ files: folder.file('t.csv') });
  const many = await adapter.query('SELECT range AS n, range::VARCHAR AS t FROM range(200000)', { maxRows: 1e6 });
  expect([many.rows.length, many.rows.at(-1), many.truncated]).toEqual([200_000, [199_999, '199999'], undefined]);
  const started = performance.now();
  const cut = await adapter.query('SELECT md5(range::VARCHAR) FROM range(1000000000000)', { maxRows: 5 });
  expect([cut.rows.length, cut.truncated]).toEqual([5, 'rows']);
  expect(performance.now() - started).toBeLessThan(5_000);
});

test('the process ends when nothing is asked, and frees the file for a writer', async () => {
  using folder = temporaryFolder();
  const file = folder.file('t.duckdb');
  await writeDatabase(file, ['CREATE TABLE t AS SELECT 1 AS a']);
  const spec = duckdb({ file, idleTimeoutMs: 100 });
  await using _ = { [Symbol.asyncDispose]: () => spec.close() };
  const run = async (): Promise<unknown[]> => {
    const rows: unknown[] = [];
    for await (const event of spec.executor.execute('FROM t', { ...QUERY_DEFAULTS, context: createCallContext() }))
      if (event.type === 'rows') rows.push(...event.rows);
    return rows;
  };
  expect(await run()).toEqual([[1]]);
  await vi.waitFor(() => expect(spec.workerPids()).toEqual([]), 10_000);
  await writeDatabase(file, ['INSERT INTO t VALUES (2)']);
  expect(await run()).toEqual([[1], [2]]);
});

test('more statements than places wait for their turn, and one that waits too long says so', async () => {
  using folder = smallFile();
  await using adapter = open({ files: folder.file('t.csv'), poolSize: 1 });
  const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => adapter.query(`SELECT ${n}`)));
  expect(answers.map(({ rows }) => rows[0]?.[0])).toEqual(answers.map((_, n) => n));
  const controller = new AbortController();
  const context = createCallContext({ signal: controller.signal });
  const slow = failure(adapter.query(STOPPABLE.join, { context, timeoutMs: 50_000 }));
  expect((await failure(adapter.query('SELECT 1', { timeoutMs: 300 }))).code).toBe('QUERY_TIMEOUT');
  controller.abort();
  expect((await slow).code).toBe('ABORTED');
  expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
});
