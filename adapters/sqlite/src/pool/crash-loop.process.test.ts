import { type Adapter, createCallContext, QUERY_DEFAULTS, resolveAdapter } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { type SqliteOptions, sqlite } from '../index.ts';
import { makeDatabase } from '../test-support/make-database.ts';
import { temporaryFolder } from '../test-support/temporary-folder.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const ENDLESS = 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) SELECT x FROM n';

function openDatabase(options: Pick<SqliteOptions, 'poolSize' | 'maxMemoryBytes'>) {
  const folder = temporaryFolder();
  const spec = sqlite({ file: makeDatabase(folder.file('x.sqlite'), ''), ...options });
  return {
    spec,
    adapter: resolveAdapter(spec),
    async [Symbol.asyncDispose]() {
      await spec.close();
      folder[Symbol.dispose]();
    },
  };
}

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'no failure',
    (error: unknown) => error,
  );

async function answers(adapter: Adapter): Promise<void> {
  expect((await adapter.query('SELECT 1', { timeoutMs: 20_000 })).rows).toEqual([[1]]);
}

test.each(['SIGKILL', 'SIGSEGV'] as const)(
  'all workers end by %s, four times: their statements fail, who waits is answered',
  async (signal) => {
    await using database = openDatabase({ poolSize: 2 });
    const { adapter, spec } = database;
    const options = {
      ...QUERY_DEFAULTS,
      maxRows: 1e12,
      maxBytes: 1e15,
      timeoutMs: 50_000,
      context: createCallContext(),
    };
    const runEndless = () => {
      const { promise: started, resolve } = Promise.withResolvers<void>();
      const drain = async (): Promise<void> => {
        for await (const _event of spec.executor.execute(ENDLESS, options)) resolve();
      };
      return { started, failed: failure(drain()) };
    };
    for (let round = 0; round < 4; round += 1) {
      const running = [runEndless(), runEndless()];
      await Promise.all(running.map(({ started }) => started));
      const waiting = [answers(adapter), answers(adapter), answers(adapter)];
      const pids = spec.workerPids();
      expect(pids).toHaveLength(2);
      for (const pid of pids) process.kill(pid, signal);
      for (const { failed } of running)
        expect(await failed).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
      await Promise.all(waiting);
      expect(spec.workerPids().filter((pid) => pids.includes(pid))).toEqual([]);
    }
  },
);

test('four statements in a row that need too much memory: the next one is answered', async () => {
  await using database = openDatabase({ poolSize: 1, maxMemoryBytes: 160 * 1024 * 1024 });
  const greedy =
    'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000000) SELECT count(*) FROM (SELECT x, zeroblob(4000) || x AS filler FROM n ORDER BY hex(filler))';
  for (let round = 0; round < 4; round += 1)
    expect(await failure(database.adapter.query(greedy, { timeoutMs: 50_000 }))).toMatchObject({
      code: 'QUERY_FAILED',
      message: expect.stringContaining('maxMemoryBytes'),
    });
  await answers(database.adapter);
});

test('a parameter that cannot be sent costs no worker', async () => {
  await using database = openDatabase({ poolSize: 1 });
  for (let round = 0; round < 4; round += 1)
    expect(await failure(database.adapter.query('SELECT ?', { parameters: [(() => 1) as never] }))).toMatchObject({
      message: expect.stringContaining('could not be cloned'),
    });
  await answers(database.adapter);
});
