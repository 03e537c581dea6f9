import { textOf, withRetry } from '@askema/core';
import { loopbackModelServer } from '@askema/testkit';
import OpenAI from 'openai';
import { afterEach, expect, test, vi } from 'vitest';
import { openai } from './openai.ts';
import { requestOf } from './test-support/settings-of.ts';

afterEach(() => vi.unstubAllEnvs());

test('without a key nothing is sent to OpenAI, and the caller is told where to put one', async () => {
  vi.stubEnv('OPENAI_API_KEY', '');
  vi.stubEnv('OPENAI_BASE_URL', '');
  const fetch = vi.fn();
  const call = openai({ model: 'gpt-6-luna', fetch }).generate(requestOf());
  await expect(call).rejects.toMatchObject({
    code: 'MODEL_AUTHENTICATION',
    message: expect.stringContaining('OPENAI_API_KEY'),
  });
  expect(fetch).not.toHaveBeenCalled();
});

test('OPENAI_BASE_URL names the server; the key that belongs to OpenAI never reaches a server of another name', async () => {
  await using server = await loopbackModelServer();
  vi.stubEnv('OPENAI_API_KEY', 'key-of-the-environment');
  vi.stubEnv('OPENAI_ORG_ID', 'org-of-the-environment');
  vi.stubEnv('OPENAI_BASE_URL', `${server.origin}/v1`);
  server.reply(...Array.from({ length: 2 }, () => ({ kind: 'answer', answer: { text: 'hello' } }) as const));
  await openai({ model: 'm' }).generate(requestOf());
  await openai({ model: 'm', apiKey: 'own-key', headers: { 'x-own': 'yes' } }).generate(requestOf());
  expect(server.requests.map(({ path, headers }) => [path, headers.authorization, headers['x-own']])).toEqual([
    ['/v1/chat/completions', 'Bearer none', undefined],
    ['/v1/chat/completions', 'Bearer own-key', 'yes'],
  ]);
  expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain('of-the-environment');
});

test('a request that is sent again has the key of the first, another one a key of its own', async () => {
  await using server = await loopbackModelServer();
  server.reply(
    { kind: 'failure', failure: 'server-error' },
    ...Array.from({ length: 2 }, () => ({ kind: 'answer', answer: { text: 'hello' } }) as const),
  );
  const model = withRetry(openai({ model: 'm', baseURL: `${server.origin}/v1`, apiKey: 'k' }), {
    runtime: { sleep: async () => undefined },
  });
  const request = requestOf();
  await model.generate(request);
  await model.generate({ ...request, sample: 1 });
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), keys[0], expect.not.stringMatching(String(keys[0]))]);
});

test('a client of your own is used as it is, but does not retry', async () => {
  await using server = await loopbackModelServer();
  const client = new OpenAI({ apiKey: 'k', baseURL: `${server.origin}/v1`, maxRetries: 5 });
  const model = openai({ model: 'm', client, provider: 'mine' });
  server.reply({ kind: 'failure', failure: 'server-error' }, { kind: 'answer', answer: { text: 'hello' } });
  await expect(model.generate(requestOf())).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  expect(server.requests).toHaveLength(1);
  expect(textOf((await model.generate(requestOf())).content)).toBe('hello');
  expect([model.provider, model.modelId]).toEqual(['mine', 'm']);
});

test('the values of own headers stand in no error', async () => {
  await using server = await loopbackModelServer();
  const headers = { authorization: 'Custom very-secret-value' };
  server.reply({ kind: 'failure', failure: 'wrong-key', message: `bad header: ${headers.authorization}` });
  const model = openai({ model: 'm', baseURL: `${server.origin}/v1`, headers });
  const error: unknown = await model.generate(requestOf()).catch((thrown: unknown) => thrown);
  expect(server.requests[0]?.headers.authorization).toBe(headers.authorization);
  expect(JSON.stringify(error)).not.toContain('very-secret-value');
});

test('nothing is loaded or sent before the first call', () => {
  const fetch = vi.fn();
  const model = openai({ model: 'gpt-6-luna', apiKey: 'k', fetch });
  expect(model).toMatchObject({ contract: 1, provider: 'openai', modelId: 'gpt-6-luna' });
  expect(fetch).not.toHaveBeenCalled();
});

test("Node's own fetch, which gives up after five minutes, is not what carries a call", async () => {
  await using server = await loopbackModelServer();
  server.reply({ kind: 'answer', answer: { text: 'hello' } });
  vi.stubGlobal('fetch', () => Promise.reject(new Error('global fetch')));
  try {
    const model = openai({ model: 'm', baseURL: `${server.origin}/v1` });
    expect(textOf((await model.generate(requestOf())).content)).toBe('hello');
  } finally {
    vi.unstubAllGlobals();
  }
});
