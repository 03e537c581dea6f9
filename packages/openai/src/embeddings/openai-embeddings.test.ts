import { createCallContext, withEmbeddingRetry } from '@askema/core';
import { loopbackEmbeddingServer } from '@askema/testkit';
import { afterEach, expect, test, vi } from 'vitest';
import { openAiBodyCheck } from '../test-support/openai-schema.ts';
import { openaiEmbeddings } from './openai-embeddings.ts';

afterEach(() => vi.unstubAllEnvs());

const context = createCallContext();
/** Tells texts apart; exact in 32 bits. */
const vectorOf = (text: string): readonly number[] => [text.length, text.charCodeAt(0), 0.5];
const start = () => loopbackEmbeddingServer(vectorOf);
const modelAt = ({ origin }: { readonly origin: string }, more: object = {}) =>
  openaiEmbeddings({ model: 'small', baseURL: `${origin}/v1`, ...more });
const lists = (vectors: readonly Float32Array[]) => vectors.map((vector) => [...vector]);

test('vectors come in the order of the texts, whatever order the server answers in', async () => {
  await using server = await start();
  const { vectors, usage } = await modelAt(server).embed(['a', 'bcd', 'ef'], context);
  expect(lists(vectors)).toEqual(['a', 'bcd', 'ef'].map(vectorOf));
  expect(vectors[0]).toBeInstanceOf(Float32Array);
  expect(usage).toEqual({ inputTokens: 3 });
  expect(server.requests.map(({ path, body }) => [path, body])).toEqual([
    ['/v1/embeddings', { model: 'small', input: ['a', 'bcd', 'ef'], encoding_format: 'float' }],
  ]);
});

test('more than one request holds go in several, by number and by length, and their usage is added up', async () => {
  await using server = await start();
  const texts = Array.from({ length: 2_050 }, (_, at) => `text ${at}`);
  const { vectors, usage } = await modelAt(server).embed(texts, context);
  expect(server.requests.map((request) => request.texts.length)).toEqual([2_048, 2]);
  expect([vectors.length, [...(vectors[2_049] ?? [])], usage]).toEqual([
    2_050,
    vectorOf('text 2049'),
    { inputTokens: 2_050 },
  ]);
  await modelAt(server, { batchSize: 2 }).embed(['a', 'b', 'c'], context);
  await modelAt(server).embed(['x'.repeat(60_000), 'y'.repeat(60_000), 'z'], context);
  expect(server.requests.slice(2).map((request) => request.texts.length)).toEqual([2, 1, 1, 2]);
});

test('dimensions are sent where they are given, and must be what comes', async () => {
  await using server = await start();
  const model = modelAt(server, { dimensions: 3 });
  expect(model.dimensions).toBe(3);
  await model.embed(['a'], context);
  expect(server.requests[0]?.body).toMatchObject({ dimensions: 3 });
  await expect(modelAt(server, { dimensions: 2 }).embed(['a'], context)).rejects.toMatchObject({
    code: 'MODEL_OUTPUT_INVALID',
    message: expect.stringContaining('length 3'),
  });
});

test('an empty text is never sent, and is like nothing; no text costs nothing', async () => {
  await using server = await start();
  const { vectors } = await modelAt(server).embed(['', 'a', ' \n'], context);
  expect(lists(vectors)).toEqual([[0, 0, 0], vectorOf('a'), [0, 0, 0]]);
  expect(server.requests[0]?.texts.every((text) => text.trim() !== '')).toBe(true);
  expect(await modelAt(server).embed([], context)).toEqual({ vectors: [], usage: {} });
  expect(server.requests).toHaveLength(1);
});

const entry = (index: unknown, embedding: unknown) => ({ object: 'embedding', index, embedding });

test.each([
  ['too few', [entry(0, [1, 2])]],
  ['the same place twice', [entry(0, [1, 2]), entry(0, [3, 4])]],
  ['a place that is none', [entry(0, [1, 2]), entry(2, [3, 4])]],
  ['other lengths', [entry(0, [1, 2]), entry(1, [3])]],
  ['empty vectors', [entry(0, []), entry(1, [])]],
  ['base64', [entry(0, 'AACAPw=='), entry(1, 'AACAPw==')]],
  ['what is no number', [entry(0, [1, null]), entry(1, [1, 2])]],
  ['what no 32 bits hold', [entry(0, [1, 1e300]), entry(1, [1, 2])]],
  ['nothing', [null, null]],
])('%s is MODEL_OUTPUT_INVALID', async (_, data) => {
  await using server = await start();
  server.reply({ kind: 'body', body: { object: 'list', data } });
  await expect(modelAt(server).embed(['a', 'b'], context)).rejects.toMatchObject({ code: 'MODEL_OUTPUT_INVALID' });
});

test('a later request whose vectors are longer is MODEL_OUTPUT_INVALID; places may be left out', async () => {
  await using server = await start();
  const body = (embedding: readonly number[]) => ({ data: [{ embedding }] });
  const model = modelAt(server, { batchSize: 1 });
  server.reply({ kind: 'body', body: body([1, 2]) }, { kind: 'body', body: body([3, 4]) });
  expect(lists((await model.embed(['a', 'b'], context)).vectors)).toEqual([
    [1, 2],
    [3, 4],
  ]);
  server.reply({ kind: 'body', body: body([1, 2]) }, { kind: 'body', body: body([3]) });
  await expect(model.embed(['a', 'b'], context)).rejects.toMatchObject({ code: 'MODEL_OUTPUT_INVALID' });
});

test.each([
  [{ choices: [] }, 'MODEL_REQUEST_FAILED'],
  ['no JSON object', 'MODEL_REQUEST_FAILED'],
  [{ error: { message: 'model "x" not found', code: 404 } }, 'MODEL_NOT_FOUND'],
])('%j is no list of embeddings', async (body, code) => {
  await using server = await start();
  server.reply({ kind: 'body', body });
  await expect(modelAt(server).embed(['a'], context)).rejects.toMatchObject({ code });
});

test.each([
  ['rate-limit', 'MODEL_RATE_LIMITED', true],
  ['server-error', 'MODEL_UNAVAILABLE', true],
  ['wrong-key', 'MODEL_AUTHENTICATION', false],
  ['unknown-model', 'MODEL_NOT_FOUND', false],
  ['context-too-long', 'MODEL_CONTEXT_TOO_LONG', false],
] as const)('a %s is %s, and the SDK does not retry', async (failure, code, retryable) => {
  await using server = await start();
  server.reply({ kind: 'failure', failure });
  await expect(modelAt(server).embed(['a'], context)).rejects.toMatchObject({ code, retryable });
  expect(server.requests).toHaveLength(1);
});

test('a retry sends the same request under the same key', async () => {
  await using server = await start();
  server.reply({ kind: 'failure', failure: 'server-error' });
  const model = withEmbeddingRetry(modelAt(server), { runtime: { sleep: async () => undefined } });
  expect(lists((await model.embed(['a'], context)).vectors)).toEqual([vectorOf('a')]);
  await model.embed(['b'], context);
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), keys[0], expect.not.stringMatching(String(keys[0]))]);
});

test('the key of OpenAI reaches no other server, and no key stands in an error', async () => {
  await using server = await start();
  vi.stubEnv('OPENAI_API_KEY', 'key-of-the-environment');
  await modelAt(server).embed(['a'], context);
  server.reply({ kind: 'failure', failure: 'wrong-key', message: 'Wrong: own-secret-key' });
  const failed: unknown = await modelAt(server, { apiKey: 'own-secret-key' })
    .embed(['a'], context)
    .catch((thrown: unknown) => thrown);
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer none', 'Bearer own-secret-key']);
  expect(failed).toMatchObject({ code: 'MODEL_AUTHENTICATION' });
  expect(JSON.stringify(failed)).not.toContain('own-secret-key');
});

test('without a key nothing is sent to OpenAI', async () => {
  vi.stubEnv('OPENAI_API_KEY', '');
  vi.stubEnv('OPENAI_BASE_URL', '');
  const fetch = vi.fn();
  const call = openaiEmbeddings({ model: 'text-embedding-3-small', fetch }).embed(['a'], context);
  await expect(call).rejects.toMatchObject({ code: 'MODEL_AUTHENTICATION' });
  expect(fetch).not.toHaveBeenCalled();
});

test('an abort ends the request, and none follows it', async () => {
  await using server = await start();
  server.reply({ kind: 'hang' });
  const controller = new AbortController();
  const call = modelAt(server, { batchSize: 1 }).embed(['a', 'b'], createCallContext({ signal: controller.signal }));
  await vi.waitUntil(() => server.requests.length === 1);
  controller.abort();
  await expect(call).rejects.toMatchObject({ code: 'ABORTED' });
  expect(server.requests).toHaveLength(1);
});

test.each([{ model: '' }, { dimensions: 0 }, { batchSize: 2_049 }, { baseURL: 'here' }])('%j is refused', (wrong) => {
  expect(() => openaiEmbeddings({ model: 'small', ...wrong })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID' }),
  );
});

const check = openAiBodyCheck();

test.skipIf(check === undefined)('what is sent is what the document of OpenAI describes', async () => {
  await using server = await start();
  await modelAt(server, { dimensions: 3 }).embed(['', 'a'], context);
  expect(check?.(server.requests[0]?.body as never, 'embeddings')).toEqual([]);
});
