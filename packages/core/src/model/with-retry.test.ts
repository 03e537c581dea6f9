import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import type { ErrorCode } from '../errors/error-code.ts';
import { answer, collect, fakeModel, listeningContext, requestOf, withoutStream } from './testing/fake-model.ts';
import { backoffDelay, withEmbeddingRetry, withRetry } from './with-retry.ts';

const failing = (code: ErrorCode, retryable = true, retryAfterMs?: number) =>
  new AskemaError(code, `${code}.`, { retryable, details: retryAfterMs === undefined ? {} : { retryAfterMs } });

/** Fails as often as told, then answers; sleeps are noted, not slept. */
function unlucky(failures: readonly Error[]) {
  const slept: number[] = [];
  const model = fakeModel((_request, index) => {
    const failure = failures[index];
    if (failure !== undefined) throw failure;
    return answer(`try ${index + 1}`);
  });
  const runtime = { sleep: async (delayMs: number) => void slept.push(delayMs), random: () => 0.5 };
  return { model, slept, runtime };
}

describe('generate', () => {
  test('retries what may succeed later, with growing waits, and tells the listener', async () => {
    const { model, slept, runtime } = unlucky([
      failing('MODEL_UNAVAILABLE'),
      failing('MODEL_TIMEOUT'),
      failing('MODEL_RATE_LIMITED'),
    ]);
    const { context, events } = listeningContext();
    const result = await withRetry(model, { baseDelayMs: 100, runtime }).generate(
      requestOf('x', { context, sample: 2 }),
    );
    expect(result.content).toEqual(answer('try 4').content);
    expect(slept).toEqual([50, 100, 200]);
    expect(
      events.map(({ type, data }) => [type, data.attempt, data.code, data.delayMs, data.sample, data.modelId]),
    ).toEqual([
      ['model-retry', 1, 'MODEL_UNAVAILABLE', 50, 2, 'one'],
      ['model-retry', 2, 'MODEL_TIMEOUT', 100, 2, 'one'],
      ['model-retry', 3, 'MODEL_RATE_LIMITED', 200, 2, 'one'],
    ]);
  });

  test('every attempt carries the same idempotency key', async () => {
    const { model, runtime } = unlucky([failing('MODEL_UNAVAILABLE')]);
    await withRetry(model, { runtime }).generate(requestOf('x'));
    const keys = model.requests.map((request) => request.context.idempotencyKey);
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
  });

  test('gives up after maxAttempts with the last error, which says how often it was tried', async () => {
    const { model, slept, runtime } = unlucky(Array.from({ length: 9 }, () => failing('MODEL_UNAVAILABLE')));
    await expect(withRetry(model, { maxAttempts: 3, runtime }).generate(requestOf('x'))).rejects.toMatchObject({
      code: 'MODEL_UNAVAILABLE',
      retryable: true,
      message: expect.stringContaining('attempt 3 of 3'),
      details: { attempts: 3 },
    });
    expect(model.requests).toHaveLength(3);
    expect(slept).toHaveLength(2);
  });

  test.each([failing('MODEL_AUTHENTICATION', false), failing('ABORTED', false), new TypeError('a bug')])(
    'does not repeat %s',
    async (failure) => {
      const { model, runtime } = unlucky([failure]);
      await expect(withRetry(model, { runtime }).generate(requestOf('x'))).rejects.toBe(failure);
      expect(model.requests).toHaveLength(1);
    },
  );

  test('waits at least as long as the vendor asks', async () => {
    const { model, slept, runtime } = unlucky([failing('MODEL_RATE_LIMITED', true, 7000)]);
    await withRetry(model, { baseDelayMs: 100, runtime }).generate(requestOf('x'));
    expect(slept).toEqual([7050]);
  });

  test('does not come back early when the vendor asks to wait longer than allowed', async () => {
    const { model, slept, runtime } = unlucky([failing('MODEL_RATE_LIMITED', true, 61_000)]);
    await expect(withRetry(model, { runtime }).generate(requestOf('x'))).rejects.toMatchObject({
      code: 'MODEL_RATE_LIMITED',
      message: expect.stringMatching(/wait 61 s.*maxRetryAfterMs/),
    });
    expect([slept.length, model.requests.length]).toEqual([0, 1]);
  });

  test('an abort ends the wait at once', async () => {
    const controller = new AbortController();
    const { model } = unlucky([failing('MODEL_UNAVAILABLE', true, 50_000)]);
    const { context } = listeningContext({ signal: controller.signal });
    const pending = withRetry(model, {}).generate(
      requestOf('x', { context: { ...context, emit: () => controller.abort() } }),
    );
    await expect(pending).rejects.toMatchObject({ code: 'ABORTED' });
    expect(model.requests).toHaveLength(1);
  });

  test('a listener that throws does not stop the retry', async () => {
    const { model, runtime } = unlucky([failing('MODEL_UNAVAILABLE')]);
    const emit = () => {
      throw new Error('broken listener');
    };
    const { context } = listeningContext();
    await withRetry(model, { runtime }).generate(requestOf('x', { context: { ...context, emit } }));
    expect(model.requests).toHaveLength(2);
  });
});

describe('stream', () => {
  test('is retried while nothing has arrived', async () => {
    const { model, runtime } = unlucky([failing('MODEL_UNAVAILABLE')]);
    const events = await collect(withRetry(model, { runtime }).stream!(requestOf('x')));
    expect(events.at(-1)).toMatchObject({ type: 'finish', result: answer('try 2') });
    expect(events.filter((event) => event.type === 'finish')).toHaveLength(1);
  });

  test('is not retried after its first event', async () => {
    const failure = failing('MODEL_UNAVAILABLE');
    const model = fakeModel(() => answer('unused'), {
      async *stream() {
        yield { type: 'text-delta', text: 'half' };
        throw failure;
      },
    });
    const { runtime } = unlucky([]);
    await expect(collect(withRetry(model, { runtime }).stream!(requestOf('x')))).rejects.toBe(failure);
  });
});

test('keeps what the model is', () => {
  const model = fakeModel(() => answer('x'));
  expect(withRetry(model)).toMatchObject({
    contract: 1,
    provider: 'fake',
    modelId: 'one',
    capabilities: { structuredOutput: true },
  });
  expect(withRetry(model).stream).toBeTypeOf('function');
  expect('stream' in withRetry(withoutStream(model))).toBe(false);
});

test.each([{ maxAttempts: 0 }, { maxAttempts: 1.5 }, { baseDelayMs: -1 }, { maxDelayMs: Number.NaN }])(
  '%o is refused',
  (options) => {
    expect(() =>
      withRetry(
        fakeModel(() => answer('x')),
        options,
      ),
    ).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
  },
);

test('the wait is within its bounds, and the bound doubles up to the maximum', () => {
  const number = fc.integer({ min: 0, max: 100_000 });
  const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2000 }),
      number,
      number,
      random,
      (attempt, baseDelayMs, maxDelayMs, value) => {
        const delay = backoffDelay(attempt, { baseDelayMs, maxDelayMs }, () => value);
        expect(Number.isInteger(delay)).toBe(true);
        expect(delay).toBeGreaterThanOrEqual(0);
        expect(delay).toBeLessThanOrEqual(maxDelayMs);
        expect(delay).toBeLessThanOrEqual(baseDelayMs * 2 ** Math.min(attempt - 1, 60));
      },
    ),
  );
  const longest = [1, 2, 3, 4, 5].map((attempt) =>
    backoffDelay(attempt, { baseDelayMs: 100, maxDelayMs: 900 }, () => 0.999999),
  );
  expect(longest).toEqual([99, 199, 399, 799, 899]);
});

test('an embedding model is called again for what may succeed later, and for nothing else', async () => {
  const failures = [failing('MODEL_UNAVAILABLE'), failing('MODEL_RATE_LIMITED', true, 1_000)];
  const slept: number[] = [];
  const runtime = { sleep: async (delayMs: number) => void slept.push(delayMs), random: () => 0.5 };
  const model = withEmbeddingRetry(
    {
      provider: 'fake',
      modelId: 'vectors',
      dimensions: 1,
      async embed(texts) {
        const failure = failures.shift();
        if (failure !== undefined) throw failure;
        return { vectors: texts.map(() => Float32Array.of(1)), usage: { inputTokens: 1 } };
      },
    },
    { baseDelayMs: 100, runtime },
  );
  const { context, events } = listeningContext();
  expect((await model.embed(['a'], context)).vectors).toHaveLength(1);
  expect([model.provider, model.modelId, model.dimensions, slept]).toEqual(['fake', 'vectors', 1, [50, 1_100]]);
  expect(events.map(({ type, data }) => [type, data.modelId])).toEqual([
    ['model-retry', 'vectors'],
    ['model-retry', 'vectors'],
  ]);
  failures.push(failing('MODEL_NOT_FOUND', false));
  await expect(model.embed(['a'], context)).rejects.toMatchObject({ code: 'MODEL_NOT_FOUND' });
  expect(slept).toHaveLength(2);
});
