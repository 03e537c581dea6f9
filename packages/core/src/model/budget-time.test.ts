import { expect, test } from 'vitest';
import { createBudget } from './budget.ts';
import { answer, collect, fakeModel, listeningContext, requestOf, tokens } from './testing/fake-model.ts';
import { withBudget } from './with-budget.ts';

/** A clock that is moved by hand; sleepers wake when their time has come. */
function handClock() {
  let now = 0;
  const sleepers = new Set<{ until: number; wake: () => void }>();
  const sleep = (delayMs: number, signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const sleeper = { until: now + delayMs, wake: resolve };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        sleepers.delete(sleeper);
        reject(new Error('woken'));
      });
    });
  const advance = async (byMs: number) => {
    now += byMs;
    for (const sleeper of sleepers) if (sleeper.until <= now) sleeper.wake();
    await new Promise((resolve) => setImmediate(resolve));
  };
  return { runtime: { clock: { now: () => now }, sleep }, advance, sleepers };
}

/** Answers only when it is aborted, or never. */
const hanging = (signals: AbortSignal[], deaf = false) =>
  fakeModel(() => answer('unused'), {
    generate: (request) =>
      new Promise((_resolve, reject) => {
        const { signal } = request.context;
        signals.push(signal!);
        if (!deaf) signal?.addEventListener('abort', () => reject(signal.reason));
      }),
  });

test.each([false, true])(
  'a call under way is stopped when the time is over (model deaf to its signal: %s)',
  async (deaf) => {
    const { runtime, advance, sleepers } = handClock();
    const signals: AbortSignal[] = [];
    const budget = createBudget({ maxSeconds: 2, runtime });
    const pending = withBudget(hanging(signals, deaf), budget).generate(requestOf('x', { maxOutputTokens: 7 }));
    const outcome = expect(pending).rejects.toMatchObject({
      code: 'BUDGET_EXCEEDED',
      message: expect.stringMatching(/`maxSeconds` is 2, and 2\.0 s are over/),
      details: { limit: 'maxSeconds' },
    });
    await advance(1999);
    expect(signals[0]?.aborted).toBe(false);
    await advance(1);
    await outcome;
    expect(signals[0]?.aborted).toBe(true);
    expect(budget.spent()).toMatchObject({ calls: 1, outputTokens: 7, estimatedCalls: 1 });
    expect(sleepers.size).toBe(0);
  },
);

test('afterwards no call is sent, and the clock runs from the first call', async () => {
  const { runtime, advance } = handClock();
  const model = fakeModel(() => answer('x', { usage: tokens(1, 1) }));
  const wrapped = withBudget(model, createBudget({ maxSeconds: 2, runtime }));
  await advance(60_000);
  await wrapped.generate(requestOf('x'));
  await advance(1999);
  await wrapped.generate(requestOf('x'));
  await advance(1);
  await expect(wrapped.generate(requestOf('x'))).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  expect(model.requests).toHaveLength(2);
});

test('a call that ends in time leaves no timer behind', async () => {
  const { runtime, sleepers } = handClock();
  const wrapped = withBudget(
    fakeModel(() => answer('x')),
    createBudget({ maxSeconds: 2, runtime }),
  );
  await wrapped.generate(requestOf('x'));
  await collect(wrapped.stream!(requestOf('x')));
  expect(sleepers.size).toBe(0);
});

test("the caller's abort stays ABORTED", async () => {
  const { runtime } = handClock();
  const controller = new AbortController();
  const signals: AbortSignal[] = [];
  const { context } = listeningContext({ signal: controller.signal });
  const pending = withBudget(hanging(signals), createBudget({ maxSeconds: 2, runtime })).generate(
    requestOf('x', { context }),
  );
  await Promise.resolve();
  controller.abort(new DOMException('stop', 'AbortError'));
  await expect(pending).rejects.toThrow('stop');
  expect(signals[0]?.aborted).toBe(true);
});

test('a stream that stalls is stopped when the time is over', async () => {
  const { runtime, advance } = handClock();
  const model = fakeModel(() => answer('unused'), {
    async *stream() {
      yield { type: 'text-delta', text: 'half' };
      await new Promise(() => {});
    },
  });
  const seen: string[] = [];
  const reading = (async () => {
    const wrapped = withBudget(model, createBudget({ maxSeconds: 1, runtime }));
    for await (const event of wrapped.stream!(requestOf('x'))) seen.push(event.type);
  })();
  const outcome = expect(reading).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  await advance(500);
  expect(seen).toEqual(['text-delta']);
  await advance(500);
  await outcome;
});

test('a budget goes on where another process left it', async () => {
  const { runtime, advance } = handClock();
  const before = createBudget({ maxCalls: 2, maxSeconds: 10, runtime });
  await withBudget(
    fakeModel(() => answer('x', { usage: tokens(3, 4) })),
    before,
  ).generate(requestOf('x'));
  await advance(9000);
  const spent = JSON.parse(JSON.stringify(before.spent()));
  expect(spent).toMatchObject({ calls: 1, inputTokens: 3, outputTokens: 4, elapsedMs: 9000 });
  const after = createBudget({ maxCalls: 2, maxSeconds: 10, spent, runtime });
  expect(after.remainingMs()).toBe(1000);
  await withBudget(
    fakeModel(() => answer('x')),
    after,
  ).generate(requestOf('x'));
  await expect(
    withBudget(
      fakeModel(() => answer('x')),
      after,
    ).generate(requestOf('x')),
  ).rejects.toThrow(/`maxCalls` is 2, 2 is spent/);
  expect(() => createBudget({ maxCostUsd: 1, spent })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
