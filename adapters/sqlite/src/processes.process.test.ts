import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createCallContext, QUERY_DEFAULTS, resolveAdapter } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { type SqliteOptions, sqlite } from './index.ts';
import { startWorker } from './start.ts';
import { makeDatabase } from './test-support/make-database.ts';
import { eventually, isAlive } from './test-support/processes.ts';
import { temporaryFolder } from './test-support/temporary-folder.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT count(*) FROM n';
const HEAVY =
  'WITH n(x) AS (SELECT a.value + b.value FROM json_each(?) a, json_each(?) b) SELECT sum(a.x * b.x) FROM n a, n b, n c';

function openDatabase(options: Partial<SqliteOptions> = {}, sql = '') {
  const folder = temporaryFolder();
  const spec = sqlite({ file: makeDatabase(folder.file('x.sqlite'), sql), ...options });
  return {
    spec,
    adapter: resolveAdapter(spec),
    async [Symbol.asyncDispose]() {
      await spec.close();
      folder[Symbol.dispose]();
    },
  };
}

test('an endless query and a huge aggregate are killed at the deadline, the next query answers, and nothing is left', async () => {
  await using database = openDatabase({ poolSize: 2 });
  const { adapter, spec } = database;
  await adapter.query('SELECT 1');
  const list = JSON.stringify(Array.from({ length: 1_000 }, (_, index) => index));
  for (const [sql, parameters] of [
    [ENDLESS, undefined],
    [HEAVY, [list, list]],
  ] as const) {
    const before = spec.workerPids();
    const started = performance.now();
    await expect(adapter.query(sql, { timeoutMs: 400, parameters })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    expect(performance.now() - started).toBeLessThan(10_000);
    // The promise rejects when the process is gone, not before.
    expect(before.filter(isAlive)).toEqual([]);
    expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
  }
  const left = spec.workerPids();
  expect(left.length).toBeGreaterThan(0);
  await spec.close();
  expect(left.filter(isAlive)).toEqual([]);
  expect(spec.workerPids()).toEqual([]);
});

test('workers are made when they are needed, used again, and no more than the pool has room for', async () => {
  await using database = openDatabase({ poolSize: 2 });
  const { adapter, spec } = database;
  expect(spec.workerPids()).toEqual([]);
  await adapter.query('SELECT 1');
  const [first] = spec.workerPids();
  for (let round = 0; round < 5; round += 1) await adapter.query('SELECT 1');
  expect(spec.workerPids()).toEqual([first]);
  const running = Array.from({ length: 4 }, () => adapter.query(ENDLESS, { timeoutMs: 3_000 }).catch(() => undefined));
  // A second one begins when calls have waited as long as the first start took.
  expect(await eventually(() => spec.workerPids().length === 2)).toBe(true);
  await Promise.all(running);
  expect(spec.workerPids().length).toBeLessThanOrEqual(2);
});

test('a worker that was started ahead is the first one, and one that has ended is missed by nobody', async () => {
  for (const isAlive of [true, false]) {
    const worker = startWorker();
    if (!isAlive) worker.end();
    await using database = openDatabase({ worker });
    expect((await database.adapter.query('SELECT 7')).rows).toEqual([[7]]);
    // It was handed over, or has ended: there is nothing to end.
    worker.end();
    expect((await database.adapter.query('SELECT 8')).rows).toEqual([[8]]);
    expect(database.spec.workerPids()).toHaveLength(1);
  }
});

test('waiting for a free worker counts, and the error says that it was the waiting', async () => {
  await using database = openDatabase({ poolSize: 1 });
  const { adapter } = database;
  const controller = new AbortController();
  const context = { runId: 'r', path: 'p', idempotencyKey: 'k', tags: {}, signal: controller.signal };
  const slow = adapter.query(ENDLESS, { context }).catch((error: unknown) => error);
  await expect(adapter.query('SELECT 1', { timeoutMs: 300 })).rejects.toMatchObject({
    code: 'QUERY_TIMEOUT',
    retryable: true,
    message: expect.stringMatching(/waited 300 ms.*poolSize/),
  });
  const queued = adapter.query('SELECT 2');
  controller.abort();
  expect(await slow).toMatchObject({ code: 'ABORTED' });
  expect((await queued).rows).toEqual([[2]]);
});

test('an abort takes a query out of the queue without touching the one that runs', async () => {
  await using database = openDatabase({ poolSize: 1 });
  const running = new AbortController();
  const waiting = new AbortController();
  const contextOf = ({ signal }: AbortController) => ({ runId: 'r', path: 'p', idempotencyKey: 'k', tags: {}, signal });
  const { adapter, spec } = database;
  await adapter.query('SELECT 1');
  const pids = spec.workerPids();
  const first = adapter.query(ENDLESS, { context: contextOf(running) }).catch((error: unknown) => error);
  const second = adapter.query('SELECT 1', { context: contextOf(waiting) }).catch((error: unknown) => error);
  waiting.abort();
  expect(await second).toMatchObject({ code: 'ABORTED' });
  expect(spec.workerPids()).toEqual(pids);
  running.abort();
  expect(await first).toMatchObject({ code: 'ABORTED' });
});

test('a worker that somebody kills gives a clear error and is replaced', async () => {
  await using database = openDatabase({ poolSize: 1 });
  const { adapter, spec } = database;
  await adapter.query('SELECT 1');
  const running = adapter.query(ENDLESS).catch((error: unknown) => error);
  process.kill(spec.workerPids()[0] ?? 0, 'SIGKILL');
  expect(await running).toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
    retryable: true,
    message: expect.stringContaining('SIGKILL'),
  });
  expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
  // One that is killed while it rests is not handed out again.
  const [idle] = spec.workerPids();
  process.kill(idle ?? 0, 'SIGKILL');
  await eventually(() => !spec.workerPids().includes(idle ?? 0));
  expect((await adapter.query('SELECT 1')).rows).toEqual([[1]]);
});

test('Ctrl-C and a stopping service do not end a worker: that is for its caller to decide', async () => {
  await using database = openDatabase({ poolSize: 1 });
  const { adapter, spec } = database;
  await adapter.query('SELECT 1');
  const pids = spec.workerPids();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.kill(pids[0] ?? 0, signal);
  for (let round = 0; round < 3; round += 1) await adapter.query('SELECT 1');
  expect(spec.workerPids()).toEqual(pids);
});

test('a worker without work ends after its time', async () => {
  await using database = openDatabase({ poolSize: 2, idleTimeoutMs: 30 });
  await database.adapter.query('SELECT 1');
  const [pid] = database.spec.workerPids();
  expect(pid).toBeDefined();
  expect(await eventually(() => database.spec.workerPids().length === 0 && !isAlive(pid ?? 0))).toBe(true);
  expect((await database.adapter.query('SELECT 1')).rows).toEqual([[1]]);
});

test('the deadline kills the worker also while the caller takes its time with the rows', async () => {
  await using database = openDatabase({ poolSize: 1 });
  // The worker has started: its start would count against so short a deadline.
  await database.adapter.query('SELECT 1');
  const options = { ...QUERY_DEFAULTS, maxRows: 1e9, timeoutMs: 400, context: createCallContext() };
  const rows = ENDLESS.replace('count(*)', 'x');
  const iterator = database.spec.executor.execute(rows, options)[Symbol.asyncIterator]();
  expect((await iterator.next()).value).toMatchObject({ type: 'columns' });
  const [pid] = database.spec.workerPids();
  expect(await eventually(() => !isAlive(pid ?? 0))).toBe(true);
  expect((await database.adapter.query('SELECT 1')).rows).toEqual([[1]]);
  await expect(iterator.next()).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
});

test('closing while statements run, wait, and have just been asked', async () => {
  await using database = openDatabase({ poolSize: 1 });
  const { adapter, spec } = database;
  await adapter.query('SELECT 1');
  const errors = [ENDLESS, ENDLESS, 'SELECT 1'].map((sql) => adapter.query(sql).catch((error: unknown) => error));
  const pids = spec.workerPids();
  const started = performance.now();
  await Promise.all([spec.close(), spec.close()]);
  expect(performance.now() - started).toBeLessThan(10_000);
  expect(pids.filter(isAlive)).toEqual([]);
  for (const error of await Promise.all(errors)) expect(error).toMatchObject({ code: 'DATABASE_CLOSED' });
});

test('fifty queries at a time make no warning about listeners', async () => {
  await using database = openDatabase({ poolSize: 2 });
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => {
    warnings.push(warning.message);
  };
  process.on('warning', onWarning);
  await Promise.all(Array.from({ length: 50 }, () => database.adapter.query('SELECT 1')));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
});

/** A process that runs a statement; resolves when the statement is under way. */
async function startParent(
  args: readonly string[],
): Promise<{ readonly parent: ChildProcess; readonly workers: readonly number[] }> {
  const script = fileURLToPath(new URL('./test-support/busy-parent.ts', import.meta.url));
  const parent = spawn(process.execPath, ['--conditions=@askema/source', script, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const line = await new Promise<string>((resolve, reject) => {
    parent.stdout?.setEncoding('utf8').once('data', resolve);
    parent.once('exit', (code) => reject(new Error(`The parent ended with ${code}.`)));
  });
  return { parent, workers: line.trim().split(' ').map(Number) };
}

test('the workers of a parent that was killed with -9 end, busy or not', async () => {
  using folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'));
  const { parent, workers } = await startParent([file, ENDLESS]);
  expect(workers.length).toBeGreaterThan(0);
  expect(workers.filter(isAlive)).toEqual(workers);
  parent.kill('SIGKILL');
  expect(await eventually(() => workers.filter(isAlive).length === 0)).toBe(true);
});

test('resting workers do not keep their parent alive', async () => {
  using folder = temporaryFolder();
  const file = makeDatabase(folder.file('x.sqlite'));
  const { parent, workers } = await startParent([file, 'SELECT 1']).catch(() => {
    throw new Error('The parent ended before it had printed anything.');
  });
  const code = await new Promise((resolve) => {
    if (parent.exitCode === null) parent.once('exit', resolve);
    else resolve(parent.exitCode);
  });
  expect(code).toBe(0);
  expect(await eventually(() => workers.filter(isAlive).length === 0)).toBe(true);
});
