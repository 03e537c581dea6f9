import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AskemaError } from '@askema/core';
import { DriverProcess } from '@askema/core/node';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ProcessFailure } from '../process/requests.ts';
import { createProcessClient } from './process-client.ts';
import { processFailureError } from './process-failure.ts';
import { createProcessPool, type ProcessPoolOptions } from './process-pool.ts';

// Each starts processes of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

interface Talk {
  readonly settings: { readonly starts: boolean };
  readonly request: {
    readonly does:
      | 'answer'
      | 'hold'
      | 'need'
      | 'wait'
      | 'deaf'
      | 'block'
      | 'rows'
      | 'change'
      | 'fail'
      | 'refuse'
      | 'value'
      | 'nothing';
    readonly other?: unknown;
  };
  readonly column: { readonly name: string };
  readonly failure: ProcessFailure;
  readonly ready: object;
  readonly unopenable: never;
}

/** `wait` ends when it is told to stop; `deaf` hears nothing; `block` blocks the thread. */
const PROGRAM = `
import { RequestFailure, runProcess } from ${JSON.stringify(new URL('../process.ts', import.meta.url).href)};
const never = new Promise(() => undefined);
let held = 0;
runProcess({
  packageName: 'adapter-quick-db',
  protocol: 1,
  memory: () => ({ bytes: 1e12, mark: 'too much memory' }),
  load: () => undefined,
  open: async ({ starts }) => {
    if (!starts) throw new Error('out of luck');
    return {
      ready: {},
      explain: (thrown) => ({ kind: 'internal', message: thrown.message }),
      async answer({ does }, conversation) {
        conversation.send({ type: 'columns', columns: [{ name: does }] });
        if (does === 'wait') await new Promise((resolve) => conversation.onStop(resolve)).then(() => conversation.release());
        if (does === 'hold') {
          held += 1;
          await new Promise((resolve) => conversation.onStop(() => setTimeout(resolve, 100)));
          held -= 1;
          conversation.release();
        }
        if (does === 'need' && held > 0) throw new Error('too little is left');
        if (does === 'deaf') await never;
        if (does === 'block') setTimeout(() => { for (;;); }, 20);
        if (does === 'block') await never;
        if (does === 'rows') for (let row = 0; ; row += 1) await conversation.sendRows([[row]]);
        if (does === 'change') await conversation.askToCommit();
        if (does === 'fail') throw new Error('no such thing');
        if (does === 'refuse') throw new RequestFailure({ kind: 'refused', code: 'QUERY_REFUSED', message: 'not here' });
        if (does === 'value') return { type: 'value', value: 1 };
        if (does === 'nothing') return undefined;
        conversation.send({ type: 'value', value: process.pid });
        return { type: 'end' };
      },
    };
  },
});
`;

let folder: string;
let file: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-process-pool-'));
  file = join(folder, 'program.mts');
  writeFileSync(file, PROGRAM);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** As SQLite has it, and as DuckDB has it. */
const POLICIES = {
  'several processes, killed': { processes: 2, perProcess: 1, stopGraceMs: 0, leaveMs: 50 },
  'one process, interrupted': { processes: 1, perProcess: 2, stopGraceMs: 300, leaveMs: 200 },
} as const;
const policies = Object.entries(POLICIES);

function openPool(policy: (typeof POLICIES)[keyof typeof POLICIES], options: Partial<ProcessPoolOptions<Talk>> = {}) {
  let started = 0;
  const pool = createProcessPool<Talk>({
    name: 'shop',
    idleTimeoutMs: 60_000,
    start: () => {
      started += 1;
      return startProcess(true);
    },
    ...policy,
    ...options,
  });
  const client = createProcessClient(pool, (failure, sql) => processFailureError(failure, sql, ':name'));
  const ask = (does: Talk['request']['does'], timeoutMs = 50_000, signal?: AbortSignal) =>
    client.value<number>({ does }, { what: 'The query', sql: 'SELECT 1', timeoutMs, signal });
  return { pool, client, ask, started: () => started, [Symbol.asyncDispose]: () => pool.close() };
}

function startProcess(starts: boolean): DriverProcess<Talk> {
  return new DriverProcess<Talk>({
    file,
    protocol: 1,
    settings: { starts },
    names: {
      process: 'A process',
      driver: 'driver quick-db',
      install: 'npm install quick-db',
      packageName: 'adapter-quick-db',
    },
    memoryMark: 'too much memory',
  });
}

const failure = (promise: Promise<unknown>): Promise<unknown> => promise.catch((error: unknown) => error);

/** A request that runs: resolves when its process has begun to answer. */
async function begin(opened: ReturnType<typeof openPool>, does: Talk['request']['does'], signal?: AbortSignal) {
  const iterator = opened.client
    .events({ does }, { what: 'The query', timeoutMs: 50_000, signal }, ({ name }) => ({
      name,
      nativeType: '',
      type: 'TEXT',
    }))
    [Symbol.asyncIterator]();
  expect((await iterator.next()).value).toMatchObject({ type: 'columns' });
  return iterator as AsyncGenerator<unknown, void, void>;
}

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test.each(policies)('%s: processes are started when they are needed, and used again', async (_, policy) => {
  await using opened = openPool(policy);
  expect(opened.pool.pids).toEqual([]);
  const [first, second] = [await opened.ask('answer'), await opened.ask('answer')];
  expect([second, opened.started()]).toEqual([first, 1]);
});

test('a second process is started for requests that wait for a while, and not for a few short ones', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    await using opened = openPool(POLICIES['several processes, killed']);
    const pids = await Promise.all(Array.from({ length: 12 }, () => opened.ask('answer')));
    expect([new Set(pids).size, opened.started()]).toEqual([1, 1]);
    await begin(opened, 'wait');
    const [waiting, another] = [opened.ask('answer'), opened.ask('answer')];
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await waiting).not.toBe(pids[0]);
    expect(await another).toBe(await waiting);
    expect(opened.started()).toBe(2);
  } finally {
    vi.useRealTimers();
  }
});

test('a pool that is warmed up has its first process; what went wrong with it, the first request tells', async () => {
  await using opened = openPool(POLICIES['several processes, killed']);
  opened.pool.warmUp();
  opened.pool.warmUp();
  const answered = await opened.ask('answer');
  expect([opened.started(), opened.pool.pids]).toEqual([1, [answered]]);
  await using broken = openPool(POLICIES['several processes, killed'], { start: () => startProcess(false) });
  broken.pool.warmUp();
  await vi.waitFor(() => expect(broken.pool.pids).toEqual([]), 10_000);
  await expect(broken.ask('answer')).rejects.toBeInstanceOf(AskemaError);
});

test.each(policies)('%s: all are killed four times over, who waits is answered', async (_, policy) => {
  await using opened = openPool(policy);
  for (let round = 0; round < 4; round += 1) {
    const running = [await begin(opened, 'wait'), await begin(opened, 'wait')].map((one) => failure(one.next()));
    const waiting = [opened.ask('answer'), opened.ask('answer'), opened.ask('answer')];
    const { pids } = opened.pool;
    expect(pids).toHaveLength(policy.processes);
    for (const pid of pids) process.kill(pid, round % 2 === 0 ? 'SIGKILL' : 'SIGSEGV');
    for (const error of await Promise.all(running)) expect(error).toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    for (const pid of await Promise.all(waiting)) expect(pids).not.toContain(pid);
  }
});

test.each(policies)(
  '%s: an abort ends the request at once, also of a program that hears nothing',
  async (_, policy) => {
    await using opened = openPool(policy);
    for (const does of ['wait', 'deaf', 'block'] as const) {
      const controller = new AbortController();
      const running = await begin(opened, does, controller.signal);
      const pids = opened.pool.pids;
      controller.abort();
      await expect(running.next()).rejects.toMatchObject({ code: 'ABORTED' });
      expect(await opened.ask('answer')).toBeGreaterThan(0);
      if (does === 'block') await vi.waitFor(() => expect(pids.filter(isAlive)).toEqual([]), 10_000);
    }
  },
);

test('a process that does not stop is replaced, and ends what else it has; one that may write is killed', async () => {
  for (const isExclusive of [false, true]) {
    await using opened = openPool(POLICIES['one process, interrupted'], { isExclusive });
    const controller = new AbortController();
    const other = await begin(opened, 'wait');
    const deaf = await begin(opened, 'deaf', controller.signal);
    const [old = 0] = opened.pool.pids;
    controller.abort();
    await expect(deaf.next()).rejects.toMatchObject({ code: 'ABORTED' });
    await vi.waitFor(async () => expect(await opened.ask('answer')).not.toBe(old), 10_000);
    expect(isAlive(old)).toBe(!isExclusive);
    if (isExclusive) await expect(other.next()).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    else {
      await other.return(undefined);
      await vi.waitFor(() => expect(isAlive(old)).toBe(false), 10_000);
    }
  }
});

test('what a request that is being stopped still holds fails no other one', async () => {
  const starves = (failed: ProcessFailure): boolean =>
    failed.kind === 'internal' && failed.message === 'too little is left';
  await using opened = openPool(POLICIES['one process, interrupted'], { starves });
  const controller = new AbortController();
  const holding = await begin(opened, 'hold', controller.signal);
  // One that runs on holds it for good.
  expect(await failure(opened.ask('need'))).toMatchObject({ message: expect.stringContaining('too little is left') });
  controller.abort();
  await expect(holding.next()).rejects.toMatchObject({ code: 'ABORTED' });
  expect(await opened.ask('need')).toBeGreaterThan(0);
});

test.each(policies)('%s: waiting for a place counts, in order, and is told apart', async (_, policy) => {
  await using opened = openPool(policy);
  const running = [await begin(opened, 'wait'), await begin(opened, 'wait')];
  expect(await failure(opened.ask('answer', 100))).toMatchObject({
    code: 'QUERY_TIMEOUT',
    retryable: true,
    message: expect.stringMatching(/waited 100 ms.*all 2 were.*poolSize/s),
  });
  const controller = new AbortController();
  const aborted = failure(opened.ask('answer', 50_000, controller.signal));
  const order: number[] = [];
  const waiting = [1, 2, 3].map((number) => opened.ask('answer').then(() => order.push(number)));
  controller.abort();
  expect(await aborted).toMatchObject({ code: 'ABORTED' });
  await running[0]?.return(undefined);
  await Promise.all(waiting);
  expect(order).toEqual([1, 2, 3]);
});

test.each(policies)('%s: rows come as they are taken, and leaving them early frees the place', async (_, policy) => {
  await using opened = openPool(policy);
  for (let round = 0; round < 3; round += 1) {
    const rows = await begin(opened, 'rows');
    for (let row = 0; row < 20; row += 1) expect((await rows.next()).value).toEqual({ type: 'rows', rows: [[row]] });
    await rows.return(undefined);
  }
  expect(await opened.ask('answer')).toBeGreaterThan(0);
});

test.each(policies)('%s: a change is committed by the caller’s word, and a failure is explained', async (_, policy) => {
  await using opened = openPool(policy);
  expect(await opened.ask('change')).toBeGreaterThan(0);
  expect(await failure(opened.ask('fail'))).toMatchObject({
    code: 'INTERNAL',
    message: expect.stringContaining('no such thing'),
    details: { sql: 'SELECT 1' },
  });
  const unsendable = { does: 'answer', other: () => 1 } as const;
  for (let round = 0; round < 4; round += 1)
    await expect(opened.client.value(unsendable, { what: 'The query' })).rejects.toThrow('could not be cloned');
  expect(await opened.ask('answer')).toBeGreaterThan(0);
});

test.each(policies)('%s: one that cannot start fails who waits, and the next call tries again', async (_, policy) => {
  let starts = false;
  await using opened = openPool(policy, { start: () => startProcess(starts) });
  for (const error of await Promise.all([failure(opened.ask('answer')), failure(opened.ask('answer'))]))
    expect(error).toMatchObject({ code: 'DATABASE_UNAVAILABLE', message: expect.stringContaining('out of luck') });
  starts = true;
  expect(await opened.ask('answer')).toBeGreaterThan(0);
  const missing = new AskemaError('DATABASE_NOT_FOUND', 'There is no file.');
  await using other = openPool(policy, { start: () => Promise.reject(missing) });
  expect(await failure(other.ask('answer'))).toBe(missing);
});

test.each(policies)('%s: closing ends what runs, waits, and rests', async (_, policy) => {
  const opened = openPool(policy, { idleTimeoutMs: 30 });
  const pid = await opened.ask('answer');
  await vi.waitFor(() => expect([isAlive(pid), opened.pool.pids]).toEqual([false, []]), 10_000);
  const running = [await begin(opened, 'wait'), await begin(opened, 'deaf')].map((one) => failure(one.next()));
  const waiting = failure(opened.ask('answer'));
  const { pids } = opened.pool;
  await Promise.all([opened.pool.close(), opened.pool.close()]);
  expect(pids.filter(isAlive)).toEqual([]);
  for (const error of [...(await Promise.all(running)), await waiting, await failure(opened.ask('answer'))])
    expect(error).toMatchObject({ code: 'DATABASE_CLOSED' });
});

test('an answer that ends with a part that is no end fails at once, and says what to return', async () => {
  await using opened = openPool(POLICIES['several processes, killed']);
  const error = (does: 'value' | 'nothing') => failure(opened.ask(does, 20_000));
  expect(await error('value')).toMatchObject({
    code: 'INTERNAL',
    message: expect.stringMatching(
      /ended an answer with the part `value`.*conversation\.send.*return \{ type: 'end' \}/,
    ),
  });
  expect(await error('nothing')).toMatchObject({ message: expect.stringContaining('ended an answer with nothing') });
});

test('a failure that is thrown is the answer, without a way through `explain`', async () => {
  await using opened = openPool(POLICIES['one process, interrupted']);
  expect(await failure(opened.ask('refuse'))).toMatchObject({ code: 'QUERY_REFUSED', message: 'not here' });
});
