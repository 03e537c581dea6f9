import { afterEach, beforeEach, expect, test } from 'vitest';
import { type LoopbackModelServer, loopbackModelServer } from './loopback-model-server.ts';

let server: LoopbackModelServer;
beforeEach(async () => {
  server = await loopbackModelServer();
});
afterEach(() => server.close());

const post = (path: string, body: object, signal?: AbortSignal) =>
  fetch(`${server.origin}${path}`, { method: 'POST', body: JSON.stringify(body), ...(signal ? { signal } : {}) });

test.each([
  [
    '/v1/chat/completions',
    {
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'u' },
      ],
    },
    'chat',
  ],
  ['/v1/responses', { instructions: 's', input: [{ role: 'user', content: 'u' }] }, 'responses'],
  [
    '/v1beta/models/m:generateContent',
    { systemInstruction: { parts: [{ text: 's' }] }, contents: [{ role: 'user', parts: [{ text: 'u' }] }] },
    'generate-content',
  ],
  ['/v1/messages', { system: 's', messages: [{ role: 'user', content: [{ type: 'text', text: 'u' }] }] }, 'messages'],
])('%s: reads the request and answers in the protocol, at once and as a stream', async (path, body, protocol) => {
  server.reply(...[1, 2].map(() => ({ kind: 'answer', answer: { text: 'Zwölf 🦊' } }) as const));
  const whole = await post(path, { model: 'm', ...body });
  expect(JSON.stringify(await whole.json())).toContain('Zwölf 🦊');
  const stream = await post(path.replace(':generate', ':streamGenerate'), { model: 'm', stream: true, ...body });
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
  expect((await stream.text()).match(/^data: /gm)?.length).toBeGreaterThan(2);
  expect(server.requests.map((request) => [request.protocol, request.stream])).toEqual([
    [protocol, false],
    [protocol, true],
  ]);
  expect(server.requests[0]).toMatchObject({ model: 'm', system: 's', turns: [{ role: 'user', text: 'u' }] });
});

test('says so when the script is at its end, and when it does not know the path', async () => {
  const over = await post('/v1/responses', {});
  expect([over.status, await over.text()]).toEqual([500, expect.stringContaining('at its end')]);
  const unknown = await post('/v1/embeddings', {});
  expect([unknown.status, await unknown.text()]).toEqual([404, expect.stringContaining('/v1/embeddings')]);
});

test('knows whether the client went away', async () => {
  server.reply({ kind: 'hang' }, { kind: 'answer', answer: { text: 'x' } });
  const controller = new AbortController();
  const hanging = post('/v1/responses', {}, controller.signal).catch((error: Error) => error.name);
  const request = await server.received(0);
  controller.abort();
  expect(await hanging).toBe('AbortError');
  expect(await request.ended).toBe('cut');
  await (await post('/v1/responses', {})).text();
  expect(await server.requests[1]?.ended).toBe('answered');
});

test('half a stream ends as it was told', async () => {
  const answer = { text: 'a text of several deltas' };
  server.reply({ kind: 'answer', answer, fault: 'end' }, { kind: 'answer', answer, fault: 'drop' });
  const half = await (await post('/v1/chat/completions', { stream: true })).text();
  expect(half).toContain('data: ');
  expect(half).not.toContain('[DONE]');
  const dropped = post('/v1/chat/completions', { stream: true }).then((response) => response.text());
  await expect(dropped).rejects.toThrow();
});
