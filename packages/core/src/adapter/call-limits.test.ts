import { afterEach, describe, expect, it, vi } from 'vitest';
import { type CallLimitsOptions, startLimits } from './call-limits.ts';

afterEach(() => vi.useRealTimers());

const start = (options: Partial<CallLimitsOptions> = {}) =>
  startLimits({ what: 'The query', sql: 'SELECT 1', ...options });
const never = new Promise<never>(() => undefined);

describe('startLimits', () => {
  it('ends at the deadline, with the time and the statement in the error', async () => {
    vi.useFakeTimers();
    const limits = start({ timeoutMs: 300 });
    const raced = expect(limits.race(never)).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
      message: expect.stringContaining('300 ms'),
      details: { sql: 'SELECT 1', errorClass: 'timeout' },
    });
    vi.advanceTimersByTime(299);
    expect([limits.error(), limits.signal.aborted]).toEqual([undefined, false]);
    limits.throwIfOver();
    vi.advanceTimersByTime(1);
    await raced;
    expect(() => limits.throwIfOver()).toThrow(limits.error());
    expect(limits.remainingMs()).toBe(0);
    limits.release();
  });

  it('says ABORTED for the signal, whichever comes first', async () => {
    vi.useFakeTimers();
    const controller = new AbortController();
    const limits = start({ timeoutMs: 300, signal: controller.signal });
    controller.abort();
    vi.advanceTimersByTime(1_000);
    expect(limits.error()?.code).toBe('ABORTED');
    await expect(limits.race(Promise.resolve(1))).rejects.toMatchObject({ code: 'ABORTED' });
    const late = start({ timeoutMs: 300, signal: new AbortController().signal });
    vi.advanceTimersByTime(300);
    expect(late.error()?.code).toBe('QUERY_TIMEOUT');
    for (const each of [limits, late]) each.release();
  });

  it('is over from the start for a signal that has fired, else for a deadline of 0', () => {
    expect(start({ signal: AbortSignal.abort(), timeoutMs: 0 }).error()?.code).toBe('ABORTED');
    const over = start({ timeoutMs: 0 });
    expect([over.error()?.code, over.remainingMs()]).toEqual(['QUERY_TIMEOUT', 0]);
    const stop = vi.fn();
    over.onOver(stop);
    expect(stop).toHaveBeenCalledTimes(1);
  });

  it('has no end without a deadline, and a far one does not fire at once', async () => {
    const long = [undefined, Number.POSITIVE_INFINITY, 2 ** 40].map((timeoutMs) => start({ timeoutMs }));
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(long.map((limits) => limits.error())).toEqual([undefined, undefined, undefined]);
    expect(long[0]?.remainingMs()).toBe(Number.POSITIVE_INFINITY);
    expect(long[2]?.remainingMs()).toBeGreaterThan(2 ** 39);
  });

  it('stops what runs once, and an error of stopping reaches nobody', () => {
    const controller = new AbortController();
    const limits = start({ signal: controller.signal });
    const stop = vi.fn(() => {
      throw new Error('the connection is gone');
    });
    const other = vi.fn();
    limits.onOver(stop);
    limits.onOver(other);
    controller.abort();
    controller.abort();
    expect([stop.mock.calls.length, other.mock.calls.length]).toEqual([1, 1]);
  });

  it('hands results and failures through, and what comes too late is nobody’s concern', async () => {
    const limits = start({ timeoutMs: 10_000 });
    expect(await limits.race(Promise.resolve(7))).toBe(7);
    await expect(limits.race(Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    limits.release();
    const controller = new AbortController();
    const aborted = start({ signal: controller.signal });
    let fail = (_error: Error): void => undefined;
    const raced = aborted.race(new Promise<never>((_, reject) => (fail = reject)));
    controller.abort();
    await expect(raced).rejects.toMatchObject({ code: 'ABORTED' });
    // Unhandled, this would end the test run.
    fail(new Error('too late'));
  });

  it('leaves nothing behind: no listener on the caller’s signal, no timer, none of its own for each race', async () => {
    vi.useFakeTimers();
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const limits = start({ timeoutMs: 60_000, signal });
    const ownAdded = vi.spyOn(limits.signal, 'addEventListener');
    const ownRemoved = vi.spyOn(limits.signal, 'removeEventListener');
    for (let round = 0; round < 5; round += 1) await limits.race(Promise.resolve(round));
    expect([ownAdded.mock.calls.length, ownRemoved.mock.calls.length]).toEqual([5, 5]);
    expect(vi.getTimerCount()).toBe(1);
    limits.release();
    limits.release();
    expect(vi.getTimerCount()).toBe(0);
    expect(removed.mock.calls[0]?.[1]).toBe(added.mock.calls[0]?.[1]);
  });
});

it('a filter or a LIMIT is advised for a statement that runs, not for its plan or for a look at the structure', () => {
  const messageOf = (options: Partial<CallLimitsOptions>) =>
    startLimits({ what: 'The query', timeoutMs: 0, ...options }).error()?.message;
  expect(messageOf({ sql: 'SELECT 1' })).toMatch(/Narrow it with a filter or a LIMIT, or allow more time/);
  for (const options of [{ sql: 'SELECT 1', onlyPlans: true }, { what: 'Reading the catalog' }])
    expect(messageOf(options)).toMatch(/was given up\. Allow more time with `timeoutMs`\.$/);
});
