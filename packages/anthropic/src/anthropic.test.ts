import Anthropic from '@anthropic-ai/sdk';
import { systemMessage, textOf, userMessage, withRetry } from '@askema/core';
import { loopbackModelServer } from '@askema/testkit';
import { LLMock } from '@copilotkit/aimock';
import { propagation, trace } from '@opentelemetry/api';
import { afterEach, expect, test, vi } from 'vitest';
import { anthropic } from './anthropic.ts';
import { requestOf } from './test-support/settings-of.ts';

afterEach(() => vi.unstubAllEnvs());

test('without a key nothing is sent to Anthropic, and the caller is told where to put one', async () => {
  vi.stubEnv('ANTHROPIC_API_KEY', '');
  vi.stubEnv('ANTHROPIC_BASE_URL', '');
  const fetch = vi.fn();
  const call = anthropic({ model: 'claude-opus-5-5', fetch }).generate(requestOf());
  await expect(call).rejects.toMatchObject({
    code: 'MODEL_AUTHENTICATION',
    message: expect.stringContaining('ANTHROPIC_API_KEY'),
  });
  expect(fetch).not.toHaveBeenCalled();
});

test('credentials of the environment never reach a server of another name', async () => {
  await using server = await loopbackModelServer();
  vi.stubEnv('ANTHROPIC_API_KEY', 'key-of-the-environment');
  vi.stubEnv('ANTHROPIC_AUTH_TOKEN', 'token-of-the-environment');
  server.reply(...Array.from({ length: 2 }, () => ({ kind: 'answer', answer: { text: 'hello' } }) as const));
  await anthropic({ model: 'm', baseURL: server.origin }).generate(requestOf());
  await anthropic({
    model: 'm',
    baseURL: server.origin,
    apiKey: 'own-key',
    headers: { 'anthropic-beta': 'x' },
  }).generate(requestOf());
  expect(server.requests.map(({ path, headers }) => [path, headers.authorization, headers['anthropic-beta']])).toEqual([
    ['/v1/messages', 'Bearer none', undefined],
    ['/v1/messages', 'Bearer own-key', 'x'],
  ]);
  expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain('of-the-environment');
});

test('a request that is sent again has the key of the first, another one a key of its own', async () => {
  await using server = await loopbackModelServer();
  server.reply(
    { kind: 'failure', failure: 'server-error' },
    ...Array.from({ length: 2 }, () => ({ kind: 'answer', answer: { text: 'hello' } }) as const),
  );
  const model = withRetry(anthropic({ model: 'm', baseURL: server.origin, apiKey: 'k' }), {
    runtime: { sleep: async () => undefined },
  });
  const request = requestOf();
  await model.generate(request);
  await model.generate({ ...request, sample: 1 });
  const keys = server.requests.map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/), keys[0], expect.not.stringMatching(String(keys[0]))]);
});

test('no span is made beside those of @askema/otel, and no trace or baggage goes to the vendor', async () => {
  await using server = await loopbackModelServer();
  const startSpan = vi.fn(() =>
    trace.wrapSpanContext({ traceId: '1'.repeat(32), spanId: '1'.repeat(16), traceFlags: 1 }),
  );
  const tracer = { startSpan, startActiveSpan: vi.fn() };
  const inject = vi.fn((_context, carrier, setter) => setter.set(carrier, 'baggage', 'who=ada'));
  trace.setGlobalTracerProvider({ getTracer: () => tracer });
  propagation.setGlobalPropagator({ inject, extract: (context) => context, fields: () => ['baggage'] });
  try {
    server.reply({ kind: 'answer', answer: { text: 'hello' } });
    await anthropic({ model: 'm', baseURL: server.origin, apiKey: 'k' }).generate(requestOf());
    expect(server.requests[0]?.headers).not.toHaveProperty('baggage');
    expect(startSpan).not.toHaveBeenCalled();
  } finally {
    trace.disable();
    propagation.disable();
  }
});

test('a client of your own is used as it is, but does not retry', async () => {
  await using server = await loopbackModelServer();
  const client = new Anthropic({ apiKey: 'k', baseURL: server.origin, maxRetries: 5 });
  const model = anthropic({ model: 'm', client, provider: 'mine' });
  server.reply({ kind: 'failure', failure: 'overloaded' }, { kind: 'answer', answer: { text: 'hello' } });
  await expect(model.generate(requestOf())).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  expect(server.requests).toHaveLength(1);
  expect(textOf((await model.generate(requestOf())).content)).toBe('hello');
});

test('a large output limit does not need a stream', async () => {
  await using server = await loopbackModelServer();
  server.reply({ kind: 'answer', answer: { text: 'hello' } });
  const model = anthropic({ model: 'claude-opus-5-5', baseURL: server.origin, maxOutputTokens: 128_000 });
  expect(textOf((await model.generate(requestOf())).content)).toBe('hello');
});

test('a stand-in that others wrote understands it, at once and as a stream', async () => {
  const mock = new LLMock({ port: 0 });
  const baseURL = await mock.start();
  try {
    mock.onMessage(/how many/i, { content: 'Zwölf 🦊.' });
    const model = anthropic({ model: 'claude-sonnet-4-6', apiKey: 'k', baseURL });
    const request = requestOf({ messages: [systemMessage('Be brief.'), userMessage('How many?')] });
    expect(textOf((await model.generate(request)).content)).toBe('Zwölf 🦊.');
    let streamed = '';
    for await (const event of model.stream(request)) if (event.type === 'text-delta') streamed += event.text;
    expect(streamed).toBe('Zwölf 🦊.');
  } finally {
    await mock.stop();
  }
});

test("Node's own fetch, which gives up after five minutes, is not what carries a call", async () => {
  await using server = await loopbackModelServer();
  server.reply({ kind: 'answer', answer: { text: 'hello' } });
  vi.stubGlobal('fetch', () => Promise.reject(new Error('global fetch')));
  try {
    const model = anthropic({ model: 'm', baseURL: server.origin });
    expect(textOf((await model.generate(requestOf())).content)).toBe('hello');
  } finally {
    vi.unstubAllGlobals();
  }
});
