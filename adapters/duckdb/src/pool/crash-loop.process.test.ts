import { writeFileSync } from 'node:fs';
import { type Adapter, type AskemaError, createCallContext, QUERY_DEFAULTS, resolveAdapter } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { type DuckdbAdapterSpec, type DuckdbOptions, duckdb } from '../index.ts';
import { failure } from '../test-support/open-file.ts';
import { temporaryFolder } from '../test-support/temporary-folder.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const ENDLESS = 'SELECT md5(range::VARCHAR) FROM range(1000000000000)';

function openFile(options: Pick<DuckdbOptions, 'poolSize' | 'maxMemoryBytes'>) {
  const folder = temporaryFolder();
  writeFileSync(folder.file('t.csv'), 'id\n1\n2\n');
  const spec = duckdb({ ...options, files: folder.file('t.csv') });
  return {
    spec,
    adapter: resolveAdapter(spec),
    async [Symbol.asyncDispose]() {
      await spec.close();
      folder[Symbol.dispose]();
    },
  };
}

/** A statement that never ends: `started` when its first answer is there, `failed` with what it fails with. */
function runEndless(spec: DuckdbAdapterSpec): {
  readonly started: Promise<void>;
  readonly failed: Promise<AskemaError>;
} {
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const options = { ...QUERY_DEFAULTS, maxRows: 1e12, maxBytes: 1e15, timeoutMs: 50_000, context: createCallContext() };
  const drain = async (): Promise<void> => {
    for await (const _event of spec.executor.execute(ENDLESS, options)) resolve();
  };
  return { started, failed: failure(drain()) };
}

async function answers(adapter: Adapter): Promise<void> {
  expect((await adapter.query('SELECT count(*) FROM t', { timeoutMs: 20_000 })).rows).toEqual([[2]]);
}

test('four statements in a row end the process, by a crash and by want of memory: the next one is answered', async () => {
  await using file = openFile({ poolSize: 1, maxMemoryBytes: 64 * 1024 * 1024 });
  const crash = "SELECT json_structure((repeat('[', 100000) || repeat(']', 100000))::JSON)";
  const greedy = "SELECT printf('%2000000000d', 1)";
  for (let round = 0; round < 2; round += 1) {
    expect(await failure(file.adapter.query(crash))).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
    expect(await failure(file.adapter.query(greedy))).toMatchObject({ code: 'QUERY_FAILED' });
  }
  await answers(file.adapter);
});

test('all places are busy when the process is killed, four times: they fail, who waits is answered', async () => {
  await using file = openFile({ poolSize: 2 });
  for (let round = 0; round < 4; round += 1) {
    const running = [runEndless(file.spec), runEndless(file.spec)];
    await Promise.all(running.map(({ started }) => started));
    const waiting = [answers(file.adapter), answers(file.adapter), answers(file.adapter)];
    const [pid = 0, ...others] = file.spec.workerPids();
    expect(others).toEqual([]);
    process.kill(pid, 'SIGKILL');
    for (const { failed } of running)
      expect(await failed).toMatchObject({ code: 'DATABASE_UNAVAILABLE', retryable: true });
    await Promise.all(waiting);
    expect(file.spec.workerPids()).not.toContain(pid);
  }
});

test('a parameter that cannot be sent costs no place', async () => {
  await using file = openFile({ poolSize: 1 });
  const parameters = [(() => 1) as never];
  for (let round = 0; round < 4; round += 1)
    expect((await failure(file.adapter.query('SELECT ?', { parameters }))).message).toContain('could not be cloned');
  await answers(file.adapter);
});
