import { type AdapterSpec, type AskemaError, createCallContext, QUERY_DEFAULTS, resolveAdapter } from '@askema/core';
import { describe, expect, test } from 'vitest';

/** An adapter whose driver runs in processes, opened on a database of its own. */
export interface OpenedProcesses {
  readonly spec: AdapterSpec;
  /** Process ids of those that live. */
  readonly pids: () => readonly number[];
  /** Removes the database; the adapter is closed before. */
  readonly dispose: () => void;
}

export interface CrashHarness {
  /** Opens a database with a table `t` of two rows. `maxMemoryBytes` where statements are to run out of memory. */
  readonly open: (options: { readonly poolSize: number; readonly maxMemoryBytes?: number }) => OpenedProcesses;
  /** Processes that work when `poolSize` statements run. */
  readonly processes: (poolSize: number) => number;
  /** Gives rows without end. */
  readonly endless: string;
  /** Need far more memory than they are given. */
  readonly greedy: readonly string[];
  readonly greedyBytes: number;
  /** End the process by themselves, with a mistake of the engine. */
  readonly crashing?: readonly string[] | undefined;
}

const ROUNDS = 4;
const TIMEOUT_MS = 60_000;

/** To try again helps. */
const TAKEN_ALONG = { code: 'DATABASE_UNAVAILABLE', retryable: true };
const CRASHED = { code: 'QUERY_FAILED', retryable: false, message: expect.stringContaining('crashed') };

/**
 * A vitest suite for an adapter whose driver runs in processes: they are killed, crash, and run out of memory, again and
 * again and all at once. Each time the statements that ran fail with a code that says so, who waits is answered, and no
 * place of the pool is lost.
 */
export function describeCrashes(name: string, harness: CrashHarness): void {
  const open = openChecked(name, harness);
  const { processes, endless, greedy, greedyBytes, crashing = [] } = harness;
  describe(`processes that end: ${name}`, () => {
    for (const signal of ['SIGKILL', 'SIGSEGV'] as const)
      test(`all of them by ${signal}, ${ROUNDS} times`, { timeout: TIMEOUT_MS }, () =>
        withOpened(open({ poolSize: 2 }), async ({ spec, pids }) => {
          for (let round = 0; round < ROUNDS; round += 1) {
            const running = [runEndless(spec, endless), runEndless(spec, endless)];
            await Promise.all(running.map(({ started }) => started));
            const waiting = [answers(spec), answers(spec), answers(spec)];
            const working = pids();
            expect(working).toHaveLength(processes(2));
            for (const pid of working) process.kill(pid, signal);
            // A crash is laid to a statement that ran alone.
            const isCrashOfOne = signal === 'SIGSEGV' && working.length === running.length;
            for (const { failed } of running) expect(await failed).toMatchObject(isCrashOfOne ? CRASHED : TAKEN_ALONG);
            await Promise.all(waiting);
            expect(pids().filter((pid) => working.includes(pid))).toEqual([]);
          }
        }),
      );

    test(`for want of memory and by themselves, ${ROUNDS} times in a row`, { timeout: TIMEOUT_MS }, () =>
      withOpened(open({ poolSize: 1, maxMemoryBytes: greedyBytes }), async ({ spec }) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          for (const sql of greedy) {
            const error = await failure(query(spec, sql));
            expect(error).toMatchObject({ code: 'QUERY_FAILED', message: expect.stringMatching(/maxMemoryBytes/) });
          }
          for (const sql of crashing) expect(await failure(query(spec, sql))).toMatchObject(CRASHED);
        }
        await answers(spec);
      }),
    );

    test('a parameter that cannot be sent costs no place', { timeout: TIMEOUT_MS }, () =>
      withOpened(open({ poolSize: 1 }), async ({ spec }) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          const error = await failure(query(spec, 'SELECT ?', [(() => 1) as never]));
          expect(error.message).toContain('could not be cloned');
        }
        await answers(spec);
      }),
    );
  });
}

const HARNESS_PARTS = {
  open: 'function',
  processes: 'function',
  endless: 'string',
  greedy: 'object',
  greedyBytes: 'number',
} as const;
const OPENED_PARTS = { spec: 'object', pids: 'function', dispose: 'function' } as const;
const SPEC_PARTS = { dialect: 'object', executor: 'object', close: 'function' } as const;

/** The `open` of a harness, whose parts are looked at. */
export function openChecked(name: string, harness: CrashHarness): CrashHarness['open'] {
  requireParts(`the harness of describeCrashes('${name}')`, harness, HARNESS_PARTS);
  return (options) => {
    const opened = harness.open(options);
    requireParts("what the harness's `open` returns", opened, OPENED_PARTS);
    requireParts("the `spec` that the harness's `open` returns", opened.spec, SPEC_PARTS);
    return opened;
  };
}

/** Without this a part of another name would be missed only after a minute of waiting. */
function requireParts<T extends object>(what: string, given: T, parts: { readonly [Key in keyof T]?: string }): void {
  const names = Object.keys(given ?? {}).join(', ') || 'nothing';
  for (const [name, type] of Object.entries(parts)) {
    const found = typeof (given as Readonly<Record<string, unknown>> | undefined)?.[name];
    if (found !== type)
      throw new TypeError(`In ${what}, \`${name}\` must be of type ${type}, and is ${found}. There is: ${names}.`);
  }
}

async function withOpened(opened: OpenedProcesses, work: (opened: OpenedProcesses) => Promise<void>): Promise<void> {
  try {
    await work(opened);
  } finally {
    await opened.spec.close();
    opened.dispose();
  }
}

/** `started` when its first answer is there, `failed` with what it fails with. */
function runEndless(spec: AdapterSpec, sql: string) {
  const { promise: started, resolve } = Promise.withResolvers<void>();
  const options = {
    ...QUERY_DEFAULTS,
    maxRows: 1e12,
    maxBytes: 1e15,
    timeoutMs: TIMEOUT_MS,
    context: createCallContext(),
  };
  const drain = async (): Promise<void> => {
    for await (const _event of spec.executor.execute(sql, options)) resolve();
  };
  return { started, failed: failure(drain()) };
}

function query(spec: AdapterSpec, sql: string, parameters: readonly never[] = []) {
  return resolveAdapter(spec).query(sql, { timeoutMs: TIMEOUT_MS, ...(parameters.length === 0 ? {} : { parameters }) });
}

async function answers(spec: AdapterSpec): Promise<void> {
  expect((await query(spec, 'SELECT count(*) FROM t')).rows).toEqual([[2]]);
}

function failure(promise: Promise<unknown>): Promise<AskemaError> {
  return promise.then(
    () => expect.unreachable('It did not fail.'),
    (error: AskemaError) => error,
  );
}
