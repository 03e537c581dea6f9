import { describe, expect, test, vi } from 'vitest';
import type { Caller, CallerLimits } from '../contract.ts';
import { Limiter } from './limiter.ts';
import { StatementSlots } from './statement-slots.ts';

const DAY = 86_400_000;
const ADA: Caller = { subject: 'ada', scopes: [] };
const limiterOf = (limits: CallerLimits, start = 0) => {
  let now = start;
  const limiter = new Limiter({ limits, runtime: { clock: { now: () => now } } });
  return { limiter, ada: () => limiter.of(ADA), wait: (ms: number) => (now += ms) };
};

describe('questions a minute', () => {
  test('as many at once as a minute allows, then one after another, each told when to come again', () => {
    const { ada, wait } = limiterOf({ questionsPerMinute: 3 });
    for (let question = 0; question < 3; question += 1) ada().beginQuestion();
    expect(() => ada().beginQuestion()).toThrow(
      expect.objectContaining({
        code: 'LIMIT_EXCEEDED',
        retryable: true,
        details: { limit: 'questionsPerMinute', retryAfterMs: 20_000 },
      }),
    );
    wait(19_999);
    expect(() => ada().beginQuestion()).toThrow();
    wait(1);
    ada().beginQuestion();
    expect(() => ada().beginQuestion()).toThrow();
    wait(10 * 60_000);
    for (let question = 0; question < 3; question += 1) ada().beginQuestion();
    expect(() => ada().beginQuestion()).toThrow();
  });

  test('callers that look alike do not share them', () => {
    const { limiter } = limiterOf({ questionsPerMinute: 1 });
    const callers = [
      ...['ada', 'Ada', 'ada ', '__proto__', 'constructor'].map((subject) => ({ subject, scopes: [] })),
      ...['a', 'A', '__proto__'].map((tenant) => ({ subject: 'ada', tenant, scopes: [] })),
    ];
    for (const caller of callers) limiter.of(caller).beginQuestion();
    for (const caller of callers) expect(() => limiter.of(caller).beginQuestion()).toThrow('questionsPerMinute');
  });

  test('limits of a caller are in place of those of the server', () => {
    const { limiter } = limiterOf({ questionsPerMinute: 1 });
    const caller = { ...ADA, limits: { questionsPerMinute: 2 } };
    limiter.of(caller).beginQuestion();
    limiter.of(caller).beginQuestion();
    expect(() => limiter.of(caller).beginQuestion()).toThrow('this caller, 2,');
  });
});

describe('bytes a day', () => {
  test('what is estimated is held, and settled with what was scanned, until the day is over', async () => {
    const { ada, wait } = limiterOf({ bytesPerDay: 100 }, DAY / 2);
    const first = await ada().beginStatement(60, undefined);
    await expect(ada().beginStatement(60, undefined)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'bytesPerDay', retryAfterMs: DAY / 2 },
    });
    first.settle(30);
    first.settle(30);
    const second = await ada().beginStatement(60, undefined);
    second.settle(undefined);
    await expect(ada().beginStatement(11, undefined)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    (await ada().beginStatement(0, undefined)).settle(500);
    await expect(ada().beginStatement(0, undefined)).rejects.toMatchObject({ code: 'LIMIT_EXCEEDED' });
    wait(DAY / 2);
    await expect(ada().beginStatement(100, undefined)).resolves.toBeDefined();
  });

  test('a statement that is turned away, or given up while it waits, holds nothing', async () => {
    const { ada } = limiterOf({ bytesPerDay: 100, statementsAtOnce: 1 });
    const first = await ada().beginStatement(10, undefined);
    const stop = new AbortController();
    const waiting = ada().beginStatement(90, stop.signal);
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'ABORTED' });
    first.settle(10);
    await expect(ada().beginStatement(90, undefined)).resolves.toBeDefined();
  });
});

describe('statements', () => {
  test('a minute', async () => {
    const { ada } = limiterOf({ statementsPerMinute: 2 });
    for (let statement = 0; statement < 2; statement += 1) (await ada().beginStatement(0, undefined)).settle(0);
    await expect(ada().beginStatement(0, undefined)).rejects.toMatchObject({
      details: { limit: 'statementsPerMinute', retryAfterMs: 30_000 },
    });
  });

  test('at a time: others wait for their turn, and one that is given up takes none', async () => {
    const slots = new StatementSlots(2);
    const order: string[] = [];
    const [first, second] = [await slots.enter(undefined), await slots.enter(undefined)];
    const entered = async (name: string) => {
      const leave = await slots.enter(undefined);
      order.push(name);
      return leave;
    };
    const stop = new AbortController();
    const waiting = [entered('third'), slots.enter(stop.signal).catch(() => undefined), entered('fifth')];
    stop.abort();
    await Promise.resolve();
    expect(order).toEqual([]);
    first?.();
    first?.();
    const third = await waiting[0];
    expect(order).toEqual(['third']);
    second?.();
    const fifth = await waiting[2];
    expect(order).toEqual(['third', 'fifth']);
    third?.();
    fifth?.();
    expect(slots.isIdle).toBe(true);
  });

  test('one whose turn does not come in its time is turned away', async () => {
    vi.useFakeTimers();
    try {
      const slots = new StatementSlots(1);
      const first = await slots.enter(undefined);
      const late = slots.enter(undefined, 1000);
      const patient = slots.enter(undefined, 5000);
      await vi.advanceTimersByTimeAsync(1000);
      expect(await late).toBeUndefined();
      first?.();
      expect(await patient).toBeTypeOf('function');
    } finally {
      vi.useRealTimers();
    }
  });

  test('so many wait, and no more', async () => {
    const { ada } = limiterOf({ statementsAtOnce: 1 });
    const first = await ada().beginStatement(0, undefined);
    const waiting = Array.from({ length: 16 }, () => ada().beginStatement(0, undefined));
    await expect(ada().beginStatement(0, undefined)).rejects.toMatchObject({
      code: 'LIMIT_EXCEEDED',
      details: { limit: 'statementsAtOnce' },
    });
    first.settle(0);
    for (const each of waiting) (await each).settle(0);
  });
});

test('callers of whom nothing counts any more are forgotten, others are not', () => {
  const { limiter, wait } = limiterOf({ questionsPerMinute: 1 });
  const caller = (index: number) => ({ subject: `caller-${index}`, scopes: [] });
  for (let index = 0; index < 10_000; index += 1) limiter.of(caller(index)).beginQuestion();
  const before = limiter.of(caller(1));
  wait(59_999);
  limiter.of(caller(20_000));
  expect(limiter.of(caller(1))).toBe(before);
  wait(1);
  for (let index = 20_000; index < 40_000; index += 1) limiter.of(caller(index));
  expect(limiter.of(caller(1))).not.toBe(before);
});

test('a limit that is no number is refused when the server starts', () => {
  for (const limits of [{ questionsPerMinute: 0.5 }, { bytesPerDay: -1 }, { costUsdPerDay: Number.NaN }])
    expect(() => new Limiter({ limits })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
