import { createOpenAI } from '@ai-sdk/openai';
import { APICallError } from '@ai-sdk/provider';
import { createCallContext } from '@askema/core';
import { openaiEmbeddings } from '@askema/openai';
import { loopbackEmbeddingServer } from '@askema/testkit';
import { MockEmbeddingModelV3, MockEmbeddingModelV4 } from 'ai/test';
import { expect, test, vi } from 'vitest';
import { embedFromAiSdk } from './embed-from-ai-sdk.ts';

const context = createCallContext();
const vectorOf = (text: string) => [text.length, text.charCodeAt(0), 0.5];
const lists = (vectors: readonly Float32Array[]) => vectors.map((vector) => [...vector]);

function mockOf(parts: ConstructorParameters<typeof MockEmbeddingModelV4>[0] = {}) {
  return new MockEmbeddingModelV4({
    provider: 'mock.embedding',
    modelId: 'small',
    maxEmbeddingsPerCall: null,
    doEmbed: async ({ values }) => ({
      embeddings: values.map(vectorOf),
      usage: { tokens: values.length },
      warnings: [],
    }),
    ...parts,
  });
}

test('texts become vectors in their order; an empty one is never sent, and is like nothing', async () => {
  const mock = mockOf();
  const model = embedFromAiSdk(mock, { providerOptions: { mock: { truncate: true } } });
  expect(model).toMatchObject({ provider: 'mock', modelId: 'small', dimensions: undefined });
  const { vectors, usage } = await model.embed(['bb', '', 'a'], context);
  expect(lists(vectors)).toEqual([vectorOf('bb'), [0, 0, 0], vectorOf('a')]);
  expect(usage).toEqual({ inputTokens: 3 });
  expect(mock.doEmbedCalls).toMatchObject([
    { values: ['bb', '-', 'a'], providerOptions: { mock: { truncate: true } } },
  ]);
  expect(await model.embed([], context)).toEqual({ vectors: [], usage: {} });
  expect(mock.doEmbedCalls).toHaveLength(1);
});

test.each([
  ['the model', Promise.resolve(2), undefined, [2, 2, 1]],
  ['the caller', 3, 1, [1, 1, 1, 1, 1]],
  ['the caller, but not beyond the model', 2, 4, [2, 2, 1]],
  ['nobody', Number.POSITIVE_INFINITY, undefined, [5]],
  ['nobody, and the model does not know', null, undefined, [5]],
])('%s limits the texts of one request', async (_, maxEmbeddingsPerCall, batchSize, sizes) => {
  const mock = mockOf({ maxEmbeddingsPerCall });
  const { vectors, usage } = await embedFromAiSdk(mock, { batchSize }).embed(['a', 'b', 'c', 'd', 'e'], context);
  expect(mock.doEmbedCalls.map(({ values }) => values.length)).toEqual(sizes);
  expect(lists(vectors)).toEqual(['a', 'b', 'c', 'd', 'e'].map(vectorOf));
  expect(usage).toEqual({ inputTokens: 5 });
});

test('a request holds 100,000 characters; a longer text goes alone', async () => {
  const mock = mockOf({ maxEmbeddingsPerCall: null });
  const texts = ['x'.repeat(60_000), 'y'.repeat(60_000), 'z'.repeat(200_000), 'a'];
  await embedFromAiSdk(mock).embed(texts, context);
  expect(mock.doEmbedCalls.map(({ values }) => values.length)).toEqual([1, 1, 1, 1]);
});

test('a model of AI SDK 6 is one as well; what was not counted stays unknown', async () => {
  const mock = new MockEmbeddingModelV3({ doEmbed: { embeddings: [[1, 2]], warnings: [] } });
  const { vectors, usage } = await embedFromAiSdk(mock).embed(['a'], context);
  expect([lists(vectors), usage]).toEqual([[[1, 2]], {}]);
});

test.each([
  ['too few', [[1, 2]]],
  ['other lengths', [[1, 2], [3]]],
  ['empty vectors', [[], []]],
  [
    'what is no number',
    [
      [1, null],
      [1, 2],
    ],
  ],
  [
    'what no 32 bits hold',
    [
      [1, 1e300],
      [1, 2],
    ],
  ],
  ['no list', undefined],
])('%s is MODEL_OUTPUT_INVALID', async (_, embeddings) => {
  const mock = mockOf({ doEmbed: async () => ({ embeddings: embeddings as never, warnings: [] }) });
  await expect(embedFromAiSdk(mock).embed(['a', 'b'], context)).rejects.toMatchObject({ code: 'MODEL_OUTPUT_INVALID' });
});

test('another length than before, or than was asked for, is MODEL_OUTPUT_INVALID', async () => {
  const answers = [[[1, 2]], [[3]]];
  const growing = mockOf({ doEmbed: async () => ({ embeddings: answers.shift() ?? [], warnings: [] }) });
  const invalid = { code: 'MODEL_OUTPUT_INVALID' };
  await expect(embedFromAiSdk(growing, { batchSize: 1 }).embed(['a', 'b'], context)).rejects.toMatchObject(invalid);
  const mock = mockOf();
  await expect(embedFromAiSdk(mock, { dimensions: 2 }).embed(['a'], context)).rejects.toMatchObject(invalid);
  expect(mock.doEmbedCalls).toMatchObject([{ dimensions: 2 }]);
});

test('a failure has our code and is not retried; an abort ends a provider that does not listen', async () => {
  const limited = new APICallError({ message: 'Slow down.', url: 'x', requestBodyValues: {}, statusCode: 429 });
  const failing = mockOf({ doEmbed: () => Promise.reject(limited) });
  await expect(embedFromAiSdk(failing).embed(['a'], context)).rejects.toMatchObject({ code: 'MODEL_RATE_LIMITED' });
  expect(failing.doEmbedCalls).toHaveLength(1);
  const deaf = mockOf({ doEmbed: () => new Promise(() => {}) });
  const controller = new AbortController();
  const call = embedFromAiSdk(deaf).embed(['a'], createCallContext({ signal: controller.signal }));
  const ended = expect(call).rejects.toMatchObject({ code: 'ABORTED' });
  await vi.waitUntil(() => deaf.doEmbedCalls.length === 1);
  controller.abort();
  await ended;
  expect(deaf.doEmbedCalls[0]?.abortSignal?.aborted).toBe(true);
});

test.each([{ dimensions: 0 }, { batchSize: 0.5 }, { timeoutMs: -1 }])('%j is refused', (wrong) => {
  expect(() => embedFromAiSdk(mockOf(), wrong)).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});

test('12: @ai-sdk/openai gives the vectors that @askema/openai gives', async () => {
  await using server = await loopbackEmbeddingServer(vectorOf);
  const baseURL = `${server.origin}/v1`;
  const texts = ['bb', '', 'a'];
  // One text each: the server answers out of order, and @ai-sdk/openai does not look at the index.
  const options = { dimensions: 3, batchSize: 1 };
  const ours = await openaiEmbeddings({ model: 'small', baseURL, apiKey: 'k', ...options }).embed(texts, context);
  const sdk = createOpenAI({ baseURL, apiKey: 'k' }).embedding('small');
  expect(await embedFromAiSdk(sdk, options).embed(texts, context)).toEqual(ours);
  const bodies = server.requests.map(({ body }) => body);
  expect(bodies.slice(3)).toEqual(bodies.slice(0, 3));
});
