import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AskemaError } from '../errors/askema-error.ts';
import { createRateLimit } from './rate-limit.ts';
import { answer, fakeModel, listeningContext, requestOf, tokens, withoutStream } from './testing/fake-model.ts';
import { virtualTime } from './testing/virtual-time.ts';
import { withRateLimit } from './with-rate-limit.ts';

/** More than 60 seconds never hold more than the limit. */
function mostInAMinute(events: readonly { readonly at: number; readonly amount: number }[]): number {
  const sums = events.map(({ at: from }) =>
    events.filter(({ at }) => at >= from && at < from + 60_000).reduce((sum, { amount }) => sum + amount, 0),
  );
  return Math.max(0, ...sums);
}

describe('requests per minute', () => {
  test('calls beyond the limit wait, in the order in which they came, and say so', async () => {
    const time = virtualTime();
    const sent: [string, number][] = [];
    const model = fakeModel((request) => {
      sent.push([String(request.sample), time.now()]);
      return answer('x');
    });
    const { context, events } = listeningContext();
    const limited = withRateLimit(model, { requestsPerMinute: 2, runtime: time.runtime });
    await time.run([0, 1, 2, 3, 4].map((sample) => limited.generate(requestOf('x', { sample, context }))));
    expect(sent).toEqual([
      ['0', 0],
      ['1', 0],
      ['2', 60_000],
      ['3', 60_000],
      ['4', 120_000],
    ]);
    expect(events.map(({ type, data }) => [type, data.sample, data.limit, data.delayMs])).toEqual([
      ['model-wait', 2, 'requests', 60_000],
      ['model-wait', 4, 'requests', 60_000],
    ]);
  });

  test('models that share a limit are counted together', async () => {
    const time = virtualTime();
    const sent: number[] = [];
    const limit = createRateLimit({ requestsPerMinute: 1, runtime: time.runtime });
    const models = [1, 2].map(() =>
      withRateLimit(
        fakeModel(() => {
          sent.push(time.now());
          return answer('x');
        }),
        limit,
      ),
    );
    await time.run(models.map((model) => model.generate(requestOf('x'))));
    expect(sent).toEqual([0, 60_000]);
  });

  test('an abort ends the wait at once, and the next one takes the place', async () => {
    const time = virtualTime();
    const model = fakeModel((request) => answer(String(request.sample)));
    const limited = withRateLimit(model, { requestsPerMinute: 1, runtime: time.runtime });
    const controller = new AbortController();
    const { context } = listeningContext({ signal: controller.signal });
    await limited.generate(requestOf('x'));
    const waiting = [1, 2].map((sample) => limited.generate(requestOf('x', { sample, context })));
    const last = limited.generate(requestOf('x', { sample: 3 }));
    controller.abort();
    for (const pending of waiting) await expect(pending).rejects.toMatchObject({ code: 'ABORTED' });
    expect(time.now()).toBe(0);
    await time.run([last]);
    expect(model.requests.map(({ sample }) => sample)).toEqual([0, 3]);
  });

  test('a vendor that says "too many" holds all calls for as long as it asks', async () => {
    const time = virtualTime();
    const sent: number[] = [];
    const model = fakeModel((_request, index) => {
      sent.push(time.now());
      if (index === 0)
        throw new AskemaError('MODEL_RATE_LIMITED', 'Too many.', { retryable: true, details: { retryAfterMs: 7000 } });
      return answer('x');
    });
    const limited = withRateLimit(model, { requestsPerMinute: 100, runtime: time.runtime });
    await expect(limited.generate(requestOf('x'))).rejects.toMatchObject({ code: 'MODEL_RATE_LIMITED' });
    await time.run([limited.generate(requestOf('x'))]);
    expect(sent).toEqual([0, 7000]);
  });
});

describe('tokens per minute', () => {
  test('what was held too much comes back when the usage is known', async () => {
    const time = virtualTime();
    const model = fakeModel(async () => {
      await time.runtime.sleep(1000);
      return answer('x', { usage: tokens(10, 10) });
    });
    const limited = withRateLimit(model, { tokensPerMinute: 1000, runtime: time.runtime });
    const calls = [1, 2, 3].map(() => limited.generate(requestOf('x', { maxOutputTokens: 900 })));
    await time.run(calls);
    // Each one waits for the one before, which took 20 instead of 900, and not for the minute.
    expect(time.now()).toBe(3000);
  });

  test('a call that is larger than the limit is sent when nothing else counts', async () => {
    const time = virtualTime();
    const model = fakeModel(() => answer('x', { usage: tokens(5, 5) }));
    const limited = withRateLimit(model, { tokensPerMinute: 10, runtime: time.runtime });
    await time.run([1, 2].map(() => limited.generate(requestOf('x', { maxOutputTokens: 50 }))));
    expect(model.requests).toHaveLength(2);
    expect(time.now()).toBe(60_000);
  });

  test('in no minute are there more calls or more tokens than the limits', async () => {
    const call = fc.record({ at: fc.nat(90_000), takes: fc.nat(100_000), input: fc.nat(200), output: fc.nat(300) });
    await fc.assert(
      fc.asyncProperty(fc.array(call, { maxLength: 25 }), fc.integer({ min: 2, max: 9 }), async (calls, requests) => {
        const time = virtualTime();
        const started: { at: number; amount: number }[] = [];
        const used: { at: number; amount: number }[] = [];
        const model = fakeModel(async (request) => {
          const { takes, input, output } = calls[request.sample] ?? { takes: 0, input: 0, output: 0 };
          const at = time.now();
          started.push({ at, amount: 1 });
          used.push({ at, amount: input });
          await time.runtime.sleep(takes);
          used.push({ at: time.now(), amount: output });
          return answer('x', { usage: tokens(input, output) });
        });
        const limited = withRateLimit(model, {
          requestsPerMinute: requests,
          tokensPerMinute: 600,
          runtime: time.runtime,
        });
        const pending = calls.map(async ({ at, input }, sample) => {
          await time.runtime.sleep(at);
          // Each word is a token of the rough count, so that the estimate of the input is the input.
          await limited.generate(requestOf('a '.repeat(input), { sample, maxOutputTokens: 300 }));
        });
        await time.run(pending);
        expect(started).toHaveLength(calls.length);
        expect(mostInAMinute(started)).toBeLessThanOrEqual(requests);
        expect(mostInAMinute(used)).toBeLessThanOrEqual(600);
      }),
      { numRuns: 100 },
    );
  });
});

test('a stream is counted, and settled when its reader leaves early', async () => {
  const time = virtualTime();
  const model = fakeModel(() => answer('x', { usage: tokens(1, 1) }));
  const limited = withRateLimit(model, { tokensPerMinute: 1000, runtime: time.runtime });
  for await (const _event of limited.stream?.(requestOf('x', { maxOutputTokens: 999 })) ?? []) break;
  await time.run([limited.generate(requestOf('y', { maxOutputTokens: 900 }))]);
  expect(model.requests).toHaveLength(2);
  expect(time.now()).toBe(0);
});

test.each([
  [{}, 'needs'],
  [{ requestsPerMinute: 0 }, 'requestsPerMinute'],
  [{ tokensPerMinute: 1.5 }, 'tokensPerMinute'],
])('limits that make no sense are refused: %j', (limits, named) => {
  const model = withoutStream(fakeModel(() => answer('x')));
  expect(() => withRateLimit(model, limits)).toThrow(named);
});
