import type { LanguageModelV4StreamPart } from '@ai-sdk/provider';
import { APICallError } from '@ai-sdk/provider';
import { createBudget, memoryCache, textOf, withBudget, withCache, withRetry } from '@askema/core';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, test, vi } from 'vitest';
import { fromAiSdk } from './from-ai-sdk.ts';
import { answerOf, eventsOf, requestOf } from './test-support/mock-models.ts';

/** Never answers, and pays no attention to its signal. */
const deaf = () =>
  new MockLanguageModelV4({
    doGenerate: () => new Promise(() => {}),
    doStream: async () => ({ stream: new ReadableStream<LanguageModelV4StreamPart>() }),
  });

test('8: an abort reaches the provider', async () => {
  const mock = new MockLanguageModelV4({
    doGenerate: ({ abortSignal }) =>
      new Promise((_, reject) => abortSignal?.addEventListener('abort', () => reject(abortSignal.reason))),
  });
  const controller = new AbortController();
  const call = fromAiSdk(mock).generate(requestOf({ signal: controller.signal }));
  await vi.waitUntil(() => mock.doGenerateCalls.length === 1);
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: 'ABORTED', retryable: false });
});

test('8: a provider that does not listen is left', async () => {
  const controller = new AbortController();
  const mock = deaf();
  const request = requestOf({ signal: controller.signal });
  const calls = [fromAiSdk(mock).generate(request), eventsOf(fromAiSdk(mock), request)];
  const ended = Promise.all(calls.map((call) => expect(call).rejects.toMatchObject({ code: 'ABORTED' })));
  await vi.waitUntil(() => mock.doGenerateCalls.length + mock.doStreamCalls.length === 2);
  controller.abort();
  await ended;
  await expect(fromAiSdk(deaf(), { timeoutMs: 5 }).generate(requestOf())).rejects.toMatchObject({
    code: 'MODEL_TIMEOUT',
    retryable: true,
  });
});

test('8: an aborted caller reaches no provider', async () => {
  const mock = new MockLanguageModelV4({ doGenerate: async () => answerOf() });
  const call = fromAiSdk(mock).generate(requestOf({ signal: AbortSignal.abort() }));
  await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
  expect(mock.doGenerateCalls).toHaveLength(0);
});

test('8: a consumer that leaves early cancels the stream', async () => {
  const cancel = vi.fn();
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    pull: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'x' }),
    cancel,
  });
  for await (const _ of fromAiSdk(new MockLanguageModelV4({ doStream: { stream } })).stream(requestOf())) break;
  expect(cancel).toHaveBeenCalledOnce();
});

test('a budget finds the price by the name of the vendor, and a cache asks once', async () => {
  const usage = {
    inputTokens: { total: 1000, noCache: 600, cacheRead: 400, cacheWrite: undefined },
    outputTokens: { total: 100, text: 100, reasoning: undefined },
  };
  const doGenerate = vi.fn<MockLanguageModelV4['doGenerate']>().mockResolvedValue(answerOf({ usage }));
  const mock = new MockLanguageModelV4({ provider: 'openai.responses', modelId: 'gpt-5-mini', doGenerate });
  const budget = createBudget({
    maxCostUsd: 1,
    prices: { 'openai:gpt-5-mini': { input: 1, cachedInput: 0.1, output: 10 } },
  });
  const model = withCache(withBudget(fromAiSdk(mock), budget), { store: memoryCache() });
  const results = [await model.generate(requestOf()), await model.generate(requestOf())];
  expect(results.map(({ cached }) => cached?.usage.inputTokens)).toEqual([undefined, 1000]);
  expect(doGenerate).toHaveBeenCalledOnce();
  expect(budget.spent()).toMatchObject({
    calls: 1,
    inputTokens: 1000,
    costUsd: (600 * 1 + 400 * 0.1 + 100 * 10) / 1e6,
  });
});

test('retries are ours: one call each, under one key', async () => {
  const failure = { url: 'https://models.example/v1', requestBodyValues: {}, statusCode: 503 };
  const doGenerate = vi
    .fn<MockLanguageModelV4['doGenerate']>()
    .mockRejectedValueOnce(new APICallError({ ...failure, message: 'Busy.' }))
    .mockResolvedValue(answerOf());
  const model = withRetry(fromAiSdk(new MockLanguageModelV4({ doGenerate })), {
    runtime: { sleep: async () => undefined },
  });
  expect(textOf((await model.generate(requestOf())).content)).toBe('Twelve.');
  const keys = doGenerate.mock.calls.map(([{ headers }]) => headers?.['Idempotency-Key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), keys[0]]);
});
