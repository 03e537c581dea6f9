import { fixtureSpec, resultEvents } from '@askema/testkit';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { CallEvent } from '../context/call-context.ts';
import { createCallContext } from '../context/call-context.ts';
import { AskemaError } from '../errors/askema-error.ts';
import type { AdapterSpec, ExecuteOptions, QueryOptions, QueryResult, ResultEvent } from './adapter-spec.ts';
import { QUERY_DEFAULTS } from './adapter-spec.ts';
import { resolveAdapter } from './resolve-adapter.ts';
import { STOP_GRACE_MS } from './run-query.ts';

type Execute = Parameters<typeof fixtureSpec>[0];

const query = (execute: Execute, options?: QueryOptions, parts?: Partial<AdapterSpec>): Promise<QueryResult> =>
  resolveAdapter(fixtureSpec(execute, parts)).query('select 1', options);
const failure = (promise: Promise<unknown>): Promise<AskemaError> =>
  promise.then(
    () => Promise.reject(new Error('It did not fail.')),
    (error: AskemaError) => error,
  );
const hang: Execute = async function* () {
  await new Promise(() => undefined);
  yield* [];
};

describe('query', () => {
  it('collects a whole result and passes the defaults on', async () => {
    const seen: ExecuteOptions[] = [];
    const result = await query(
      (_, options) => {
        seen.push(options);
        return [
          ...resultEvents([1, null]).slice(0, 2),
          { type: 'rows', rows: [[2n]] },
          { type: 'end', bytesProcessed: 9, queryId: 'q1' },
        ];
      },
      { maxRows: 5, timeoutMs: undefined },
    );
    expect(result).toMatchObject({ rows: [[1], [null], [2n]], bytesProcessed: 9, queryId: 'q1' });
    expect(result).not.toHaveProperty('type');
    expect(result.elapsedMs).toBeGreaterThanOrEqual(0);
    expect(seen[0]).toMatchObject({ ...QUERY_DEFAULTS, maxRows: 5 });
  });

  it('refuses a read of more than a million characters before anything looks at it', async () => {
    const run = vi.fn(() => resultEvents([1]));
    const adapter = resolveAdapter(fixtureSpec(run));
    const long = `SELECT ${'1+'.repeat(500_000)}1`;
    const limits = { timeoutMs: 1000, context: createCallContext() };
    expect(await failure(adapter.query(long))).toMatchObject({
      code: 'QUERY_REFUSED',
      message: expect.stringContaining('1000008 characters, more than the 1000000'),
    });
    expect(() => adapter.executor.execute(long, { ...QUERY_DEFAULTS, ...limits })).toThrow('characters');
    expect(run).not.toHaveBeenCalled();
    expect((await adapter.query(long.slice(0, 1_000_000))).rows).toEqual([[1]]);
  });

  it('tells its listener figures, never data, and survives a listener that throws', async () => {
    const events: CallEvent[] = [];
    const context = createCallContext({ emit: (event) => void events.push(event) });
    await query(() => resultEvents(['secret cell']), { context });
    await failure(
      query(
        () => {
          throw new AskemaError('QUERY_FAILED', 'no');
        },
        { context },
      ),
    );
    expect(events.map(({ type }) => type)).toEqual(['query', 'query']);
    expect(events[0]?.data).toEqual({ rows: 1, elapsedMs: expect.any(Number) });
    expect(events[1]?.data).toEqual({ rows: 0, elapsedMs: expect.any(Number), error: 'QUERY_FAILED' });
    const deaf = createCallContext({
      emit: () => {
        throw new Error('listener');
      },
    });
    expect((await query(() => resultEvents([1]), { context: deaf })).rows).toEqual([[1]]);
  });

  it('cuts what an executor yields beyond the caps, and leaves it', async () => {
    let returned = false;
    async function* endless(): AsyncGenerator<ResultEvent> {
      try {
        yield* resultEvents(['abc', 'def']).slice(0, 2);
        while (true) yield { type: 'rows', rows: [['ghi']] };
      } finally {
        returned = true;
      }
    }
    expect(await query(endless, { maxRows: 3 })).toMatchObject({
      truncated: 'rows',
      rows: [['abc'], ['def'], ['ghi']],
    });
    expect(returned).toBe(true);
    expect(await query(endless, { maxBytes: 8 })).toMatchObject({ truncated: 'bytes', rows: [['abc'], ['def']] });
    const honest = [...resultEvents(['a']).slice(0, 2), { type: 'end', truncated: 'bytes' } as const];
    expect(await query(() => honest)).toMatchObject({ truncated: 'bytes' });
    const exact = await query(() => resultEvents(['a', 'b']), { maxRows: 2 });
    expect(exact.truncated).toBeUndefined();
  });

  const [columns, rows, end] = resultEvents([1]) as [ResultEvent, ResultEvent, ResultEvent];
  it.each<[string, ResultEvent[], RegExp]>([
    ['nothing at all', [], /yielded nothing/],
    ['rows before columns', [rows, end], /`rows` before `columns`/],
    ['columns twice', [columns, columns, end], /`columns` a second time/],
    ['no end', [columns, rows], /stopped without `end`/],
    ['rows after the end', [columns, end, rows], /`rows` after `end`/],
    ['rows of another width', [columns, { type: 'rows', rows: [[1, 2]] }, end], /row of 2 values for 1 columns/],
  ])('says what is wrong with an executor that yields %s', async (_, events, message) => {
    const error = await failure(query(() => events));
    expect(error.code).toBe('CONTRACT_MISMATCH');
    expect(error.message).toMatch(message);
    expect(error.message).toContain('"fixture"');
  });

  it('lets an executor finish its work behind `end`', async () => {
    let released = false;
    await query(async function* () {
      yield* resultEvents([1]);
      released = true;
    });
    expect(released).toBe(true);
  });

  it('writes only when both the adapter and the call allow it', async () => {
    expect((await failure(query(() => resultEvents([]), { access: 'write' }))).code).toBe('CONFIG_INVALID');
    const seen: string[] = [];
    const execute: Execute = (_, { access }) => {
      seen.push(access);
      return resultEvents([]);
    };
    await query(execute, {}, { access: 'write' });
    await query(execute, { access: 'write' }, { access: 'write' });
    expect(seen).toEqual(['read', 'write']);
    const options = { ...QUERY_DEFAULTS, access: 'write', context: createCallContext() } as const;
    expect(() => resolveAdapter(fixtureSpec(execute)).executor.execute('x', options)).toThrow(/opened for reading/);
  });

  it.each([
    { maxRows: 0 },
    { maxRows: 1.5 },
    { maxBytes: Number.NaN },
    { timeoutMs: -1 },
    { timeoutMs: 2 ** 40 },
    { maxRows: Number.POSITIVE_INFINITY },
  ])('refuses the cap %o', async (options) => {
    const error = await failure(query(() => resultEvents([1]), options));
    expect(error.code).toBe('CONFIG_INVALID');
    expect(error.message).toContain(Object.keys(options)[0]);
  });

  it("gives a driver's error the class of its dialect", async () => {
    const thrown = Object.assign(new Error("Object 'ORDRES' does not exist"), { code: '42S02' });
    const error = await failure(
      query(() => {
        throw thrown;
      }),
    );
    expect(error.code).toBe('QUERY_FAILED');
    expect(error.details).toMatchObject({ errorClass: 'identifier', vendorCode: '42S02', sql: 'select 1' });
    const own = new AskemaError('QUERY_TIMEOUT', 'mine');
    expect(
      await failure(
        query(() => {
          throw own;
        }),
      ),
    ).toBe(own);
    const bug = await failure(
      query(() => {
        throw new TypeError('x is undefined');
      }),
    );
    expect(bug.code).toBe('INTERNAL');
  });
});

describe('stopping', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('leaves an executor that ignores its deadline', async () => {
    const error = failure(query(hang, { timeoutMs: 500 }));
    await vi.advanceTimersByTimeAsync(500 + STOP_GRACE_MS);
    expect((await error).code).toBe('QUERY_TIMEOUT');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves an executor that ignores the abort of its caller', async () => {
    const controller = new AbortController();
    const error = failure(query(hang, { context: createCallContext({ signal: controller.signal }) }));
    await vi.advanceTimersByTimeAsync(100);
    controller.abort();
    await vi.advanceTimersByTimeAsync(STOP_GRACE_MS);
    expect((await error).code).toBe('ABORTED');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('leaves an executor whose reader stands still behind the deadline, and tells the reader', async () => {
    let left = false;
    const endless: Execute = async function* () {
      try {
        yield* resultEvents([1]);
      } finally {
        left = true;
      }
    };
    const stream = await resolveAdapter(fixtureSpec(endless)).stream('select 1', { timeoutMs: 500 });
    await vi.advanceTimersByTimeAsync(400 + STOP_GRACE_MS);
    expect(left).toBe(false);
    await vi.advanceTimersByTimeAsync(100);
    expect(left).toBe(true);
    expect((await failure(stream[Symbol.asyncIterator]().next())).code).toBe('QUERY_TIMEOUT');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('takes whatever an executor throws after an abort for the abort', async () => {
    const controller = new AbortController();
    const obedient: Execute = async function* (_, { context }) {
      await new Promise((_, reject) =>
        context.signal?.addEventListener('abort', () => reject(new Error('socket closed'))),
      );
      yield* [];
    };
    const error = failure(query(obedient, { context: createCallContext({ signal: controller.signal }) }));
    controller.abort();
    expect((await error).code).toBe('ABORTED');
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not start when the caller has stopped already', async () => {
    let started = false;
    const execute: Execute = () => {
      started = true;
      return [];
    };
    const context = createCallContext({ signal: AbortSignal.abort() });
    expect((await failure(query(execute, { context }))).code).toBe('ABORTED');
    expect(started).toBe(false);
  });

  it('leaves no timer behind after an answer', async () => {
    await query(() => resultEvents([1]));
    expect(vi.getTimerCount()).toBe(0);
  });
});
