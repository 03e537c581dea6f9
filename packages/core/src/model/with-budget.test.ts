import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import type { ErrorCode } from '../errors/error-code.ts';
import { type BudgetOptions, createBudget } from './budget.ts';
import type { LanguageModel } from './language-model.ts';
import { memoryCache } from './memory-cache.ts';
import { answer, collect, fakeModel, listeningContext, requestOf, tokens } from './testing/fake-model.ts';
import { withBudget } from './with-budget.ts';
import { withCache } from './with-cache.ts';
import { withFallback } from './with-fallback.ts';

const PRICES = { 'fake:one': { input: 1, output: 10 } };
const perWord = (text: string) => text.split(/\s+/).filter(Boolean).length;
const budgeted = (options: BudgetOptions, usage = tokens(10, 5)) => {
  const budget = createBudget({ countTokens: () => 10, assumedOutputTokens: 5, ...options });
  const model = fakeModel(() => answer('x', { usage }));
  return { budget, model, wrapped: withBudget(model, budget) };
};

describe('limits', () => {
  test.each<[BudgetOptions, number]>([
    [{ maxCalls: 2 }, 2],
    [{ maxCalls: 0 }, 0],
    [{ maxInputTokens: 25 }, 2],
    [{ maxOutputTokens: 15 }, 3],
    [{ maxTokens: 45 }, 3],
    [{ maxCostUsd: 0.00013, prices: PRICES }, 2],
    [{ maxCalls: 5, maxTokens: 15 }, 1],
  ])('%o allows %i calls', async (options, calls) => {
    const { budget, model, wrapped } = budgeted(options);
    for (let call = 0; call < calls; call++) await wrapped.generate(requestOf('x'));
    await expect(wrapped.generate(requestOf('x'))).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED', retryable: false });
    await expect(collect(wrapped.stream!(requestOf('x')))).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
    expect(model.requests).toHaveLength(calls);
    expect(budget.spent()).toMatchObject({
      calls,
      inputTokens: 10 * calls,
      outputTokens: 5 * calls,
      estimatedCalls: 0,
    });
  });

  test('the error tells what is spent, what is held, and which limit to raise', async () => {
    const { budget, wrapped } = budgeted({ maxCostUsd: 0.0002, prices: PRICES });
    await wrapped.generate(requestOf('x'));
    budget.reserve({ provider: 'fake', modelId: 'one' }, requestOf('x'));
    const error = await wrapped
      .generate(requestOf('x', { maxOutputTokens: 90 }))
      .catch((thrown: AskemaError) => thrown);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /fake:one.*`maxCostUsd` is 0\.0002 USD, 0\.0001 USD is spent, 0\.0001 USD is held.*may need 0\.0009 USD/,
      ),
      details: { limit: 'maxCostUsd', max: 0.0002, spent: { calls: 1, inputTokens: 10 } },
    });
  });

  test('a budget may be shared by several models', async () => {
    const budget = createBudget({ maxCalls: 2 });
    const models = ['a', 'b', 'c'].map((modelId) =>
      withBudget(
        fakeModel(() => answer('x'), { modelId }),
        budget,
      ),
    );
    await models[0]!.generate(requestOf('x'));
    await models[1]!.generate(requestOf('x'));
    await expect(models[2]!.generate(requestOf('x'))).rejects.toMatchObject({ code: 'BUDGET_EXCEEDED' });
  });

  test.each([
    { maxCalls: -1 },
    { maxTokens: Number.NaN },
    { maxSeconds: -1 },
    { maxCostUsd: 1, prices: { m: { input: 1, output: -1 } } },
  ])('%o is refused', (options) => {
    expect(() => createBudget(options)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  });
});

test('parallel calls cannot overrun together, in whatever order they end', async () => {
  const call = fc.record({
    words: fc.integer({ min: 1, max: 8 }),
    maxOutputTokens: fc.integer({ min: 1, max: 20 }),
    used: fc.double({ min: 0, max: 1, noNaN: true }),
    fate: fc.constantFrom('answers', 'answers', 'unknown', 'turned-down', 'times-out'),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(call, { minLength: 1, maxLength: 15 }),
      fc.integer({ min: 1, max: 120 }),
      fc.integer({ min: 1, max: 10 }),
      fc.scheduler(),
      async (calls, maxTokens, maxCalls, scheduler) => {
        const maxCostUsd = maxTokens / 200_000;
        const limits = { maxTokens, maxCalls, maxCostUsd, prices: PRICES };
        const budget = createBudget({ ...limits, countTokens: perWord });
        let billedTokens = 0;
        let sent = 0;
        const model = fakeModel(async (request) => {
          sent += 1;
          const { used, fate } = calls[request.seed!]!;
          await scheduler.schedule(Promise.resolve());
          if (fate === 'turned-down') throw new AskemaError('MODEL_RATE_LIMITED', 'slow down', { retryable: true });
          const usage = tokens(perWord(`user ${textOf(request)}`), Math.floor(used * request.maxOutputTokens!));
          billedTokens += usage.inputTokens! + usage.outputTokens!;
          if (fate === 'times-out') throw new AskemaError('MODEL_TIMEOUT', 'too slow', { retryable: true });
          return answer('x', { usage: fate === 'unknown' ? {} : usage });
        });
        const wrapped = withBudget(model, budget);
        const started = calls.map(({ words, maxOutputTokens }, index) =>
          scheduler
            .schedule(Promise.resolve())
            .then(() => wrapped.generate(requestOf('w '.repeat(words), { maxOutputTokens, seed: index })))
            .catch((error: AskemaError) => error.code),
        );
        await scheduler.waitFor(Promise.all(started));
        expect(sent).toBeLessThanOrEqual(maxCalls);
        expect(billedTokens).toBeLessThanOrEqual(maxTokens);
        const spent = budget.spent();
        expect(spent.inputTokens + spent.outputTokens).toBeLessThanOrEqual(maxTokens);
        expect(spent.inputTokens + spent.outputTokens).toBeGreaterThanOrEqual(billedTokens);
        expect(spent.costUsd).toBeLessThanOrEqual(maxCostUsd * (1 + 1e-8));
      },
    ),
    { numRuns: 150 },
  );
});

function textOf(request: { readonly messages: readonly { readonly content: readonly unknown[] }[] }): string {
  return request.messages.flatMap(({ content }) => content.map((part) => (part as { text: string }).text)).join(' ');
}

describe('what a call costs', () => {
  test('unknown usage is counted as held, with a warning', async () => {
    const { budget, wrapped } = budgeted({ prices: PRICES }, {} as never);
    const result = await wrapped.generate(requestOf('x', { maxOutputTokens: 7 }));
    expect(result.warnings).toEqual([expect.stringMatching(/did not report its usage.*10 input and 7 output/)]);
    expect(budget.spent()).toMatchObject({ inputTokens: 10, outputTokens: 7, costUsd: 0.00008, estimatedCalls: 1 });
  });

  test.each<[ErrorCode, Readonly<Record<string, string | number | boolean>>, boolean]>([
    ['MODEL_RATE_LIMITED', { status: 429 }, true],
    ['MODEL_REQUEST_INVALID', { status: 400 }, true],
    ['MODEL_UNAVAILABLE', { status: 503 }, true],
    ['MODEL_UNAVAILABLE', { vendorCode: 'ECONNREFUSED' }, true],
    ['MODEL_UNAVAILABLE', { vendorCode: 'ECONNRESET' }, false],
    ['MODEL_TIMEOUT', {}, false],
    ['ABORTED', {}, false],
    ['MODEL_REQUEST_FAILED', {}, false],
    ['BUDGET_EXCEEDED', { limit: 'maxCalls', sent: false }, true],
    ['BUDGET_EXCEEDED', { limit: 'maxSeconds' }, false],
  ])('a call that failed with %s %o costs only the call: %s', async (code, details, free) => {
    const budget = createBudget({ countTokens: () => 10, assumedOutputTokens: 5 });
    const model = fakeModel(() => {
      throw new AskemaError(code, 'no', { details });
    });
    await expect(withBudget(model, budget).generate(requestOf('x'))).rejects.toMatchObject({ code });
    await expect(collect(withBudget(model, budget).stream!(requestOf('x')))).rejects.toMatchObject({ code });
    const each = free
      ? { inputTokens: 0, outputTokens: 0, estimatedCalls: 0 }
      : { inputTokens: 20, outputTokens: 10, estimatedCalls: 2 };
    expect(budget.spent()).toMatchObject({ calls: 2, ...each });
  });

  test('a stream is settled at its end; one that is left early is counted as held', async () => {
    const { budget, wrapped } = budgeted({});
    await collect(wrapped.stream!(requestOf('x')));
    expect(budget.spent()).toMatchObject({ calls: 1, inputTokens: 10, estimatedCalls: 0 });
    for await (const _event of wrapped.stream!(requestOf('x', { maxOutputTokens: 50 }))) break;
    expect(budget.spent()).toMatchObject({ calls: 2, outputTokens: 55, estimatedCalls: 1 });
  });

  test('a call is counted once, however often it is settled', () => {
    const budget = createBudget({ countTokens: () => 10, assumedOutputTokens: 5 });
    const reservation = budget.reserve({ provider: 'fake', modelId: 'one' }, requestOf('x'));
    reservation.settle(answer('x'));
    reservation.settle(answer('x'));
    reservation.settleFailed(new Error('late'));
    expect(budget.spent()).toMatchObject({ calls: 1, inputTokens: 10, estimatedCalls: 1 });
  });

  test('an answer from a cache costs nothing, not even a call', async () => {
    const { budget, model } = budgeted({});
    const cached = withBudget(withCache(model, { store: memoryCache() }), budget);
    await cached.generate(requestOf('x'));
    await cached.generate(requestOf('x'));
    expect(budget.spent()).toMatchObject({ calls: 1, inputTokens: 10 });
  });

  test('a call that was aborted before is not sent and not counted', async () => {
    const { budget, model, wrapped } = budgeted({});
    const { context } = listeningContext({ signal: AbortSignal.abort() });
    await expect(wrapped.generate(requestOf('x', { context }))).rejects.toMatchObject({ code: 'ABORTED' });
    expect([budget.spent().calls, model.requests.length]).toEqual([0, 0]);
  });
});

describe('money', () => {
  test('a model without a price cannot be limited in money, and the message says what to add', () => {
    const budget = createBudget({ maxCostUsd: 1, prices: { 'fake:on': { input: 1, output: 1 } } });
    expect(() =>
      withBudget(
        fakeModel(() => answer('x')),
        budget,
      ),
    ).toThrow(
      expect.objectContaining({
        code: 'CONFIG_INVALID',
        message: expect.stringMatching(/fake:one.*Did you mean `fake:on`/),
      }),
    );
  });

  test('without a limit on money an unknown price makes the cost unknown, not 0', async () => {
    const { budget, wrapped } = budgeted({ prices: {} });
    expect(budget.spent().costUsd).toBe(0);
    await wrapped.generate(requestOf('x'));
    expect(budget.spent().costUsd).toBeUndefined();
  });

  test('an answer of another model is counted with its own price, or says that it has none', async () => {
    const down: LanguageModel = fakeModel(() => {
      throw new AskemaError('MODEL_UNAVAILABLE', 'down', { details: { status: 503 } });
    });
    const second = fakeModel(() => answer('x', { usage: tokens(10, 5) }), { modelId: 'two' });
    const known = createBudget({ prices: { ...PRICES, two: { input: 100, output: 100 } } });
    await withBudget(withFallback([down, second]), known).generate(requestOf('x'));
    expect(known.spent().costUsd).toBeCloseTo(0.0015, 10);
    const unknown = createBudget({ prices: PRICES });
    const result = await withBudget(withFallback([down, second]), unknown).generate(requestOf('x'));
    expect(result.warnings.join()).toMatch(/no price for fake:two; the price of fake:one was used/);
  });
});
