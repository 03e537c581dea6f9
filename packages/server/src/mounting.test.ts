import { createServer as createHttp, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import express from 'express';
import { Hono } from 'hono';
import { afterEach, expect, it } from 'vitest';
import { anyoneOnLoopback } from './caller/anyone-on-loopback.ts';
import type { Authenticator, Caller } from './contract.ts';
import { eventsOf, shopServer } from './testing/shop-server.ts';

const open: Server[] = [];
afterEach(() => {
  for (const server of open.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

async function listen(handle: RequestListener): Promise<string> {
  const http = createHttp(handle);
  open.push(http);
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
}

const asking = (headers: object = {}): RequestInit => ({
  method: 'POST',
  headers: { authorization: 'Bearer ann', 'content-type': 'application/json', ...headers },
  body: JSON.stringify({ question: 'Who is there?' }),
});

it('11: in Hono', async () => {
  const { server } = shopServer();
  const app = new Hono();
  app.mount('/askema', server.fetch);
  const response = await app.request('http://localhost/askema/v1/ask', asking());
  expect(await response.json()).toMatchObject({ type: 'answered' });
});

it('11: in Express, before and beside its own routes', async () => {
  const { server } = shopServer();
  const app = express();
  app.use('/askema', getRequestListener(server.fetch));
  app.use(express.json());
  app.get('/own', (_request, response) => {
    response.send('own');
  });
  const address = await listen(app);
  expect(await (await fetch(`${address}/askema/v1/ask`, asking())).json()).toMatchObject({ type: 'answered' });
  expect(await (await fetch(`${address}/own`)).text()).toBe('own');
});

it('in Express behind a body parser, says what has eaten the body', async () => {
  const { server } = shopServer();
  const app = express().use(express.json()).use(getRequestListener(server.fetch));
  const response = await fetch(`${await listen(app)}/v1/ask`, asking());
  expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining('express.json()') } });
});

it('knows callers by the login of the application around it', async () => {
  const auth: Authenticator = {
    isOpen: false,
    async authenticate(_request, { incoming }: { incoming?: { caller?: Caller } }) {
      return incoming?.caller;
    },
  };
  const { server } = shopServer({ auth });
  const app = express();
  app.use((request, _response, next) => {
    const subject = /^session=(.*)$/.exec(request.headers.cookie ?? '')?.[1];
    if (subject !== undefined) Object.assign(request, { caller: { subject, scopes: ['ask'] } });
    next();
  });
  app.use('/askema', getRequestListener(server.fetch));
  const address = await listen(app);
  const ask = async (cookie: string) => {
    const response = await fetch(`${address}/askema/v1/ask`, asking({ cookie }));
    return [response.status, ((await response.json()) as { error?: { code: string } }).error?.code];
  };
  expect(await ask('session=ann')).toEqual([200, undefined]);
  expect(await ask('other=1')).toEqual([401, 'CALLER_UNKNOWN']);
  // Two without a name would be one.
  expect((await ask('session='))[0]).toBe(500);
});

it('events pass through what compresses and what holds back', async () => {
  const { server } = shopServer();
  const { headers } = await server.fetch(
    new Request('http://localhost/v1/ask', asking({ accept: 'text/event-stream' })),
  );
  expect(headers.get('cache-control')).toBe('no-store, no-transform');
});

it('11: as the handlers of a Next route', async () => {
  const { server } = shopServer({ basePath: '/api/askema' });
  // app/api/askema/[...path]/route.ts
  const POST: (request: Request, context: { params: Promise<object> }) => Promise<Response> = server.fetch;
  const request = new Request('http://localhost/api/askema/v1/ask', asking());
  const response = await POST(request, { params: Promise.resolve({ path: ['v1', 'ask'] }) });
  expect(await response.json()).toMatchObject({ type: 'answered' });
  const described = await server.fetch(new Request('http://localhost/api/askema/openapi.json'));
  expect(await described.json()).toMatchObject({ servers: [{ url: '/api/askema' }] });
  expect((await server.fetch(new Request('http://localhost/v1/ask', asking()))).status).toBe(404);
});

it('11: in plain Node, where a socket that closes stops the statement', async () => {
  const { server, shop } = shopServer();
  const address = await listen(getRequestListener(server.fetch));
  const events = await eventsOf(await fetch(`${address}/v1/ask`, asking({ accept: 'text/event-stream' })));
  expect(events.at(-1)).toMatchObject({ event: 'outcome', data: { type: 'answered' } });
  for (const accept of ['text/event-stream', 'application/json']) {
    const leaving = new AbortController();
    const slow = { ...asking({ accept }), body: JSON.stringify({ question: 'slow' }), signal: leaving.signal };
    const left = fetch(`${address}/v1/ask`, slow).then((response) => response.text());
    left.catch(() => undefined);
    const before = shop.stopped.length;
    await shop.standing();
    leaving.abort();
    await expect.poll(() => shop.stopped.length, { timeout: 5_000 }).toBe(before + 1);
  }
});

it('11: whoever is on this machine is known by the socket, without a word about it', async () => {
  const { server } = shopServer({ auth: anyoneOnLoopback() });
  const address = await listen(getRequestListener(server.fetch));
  expect((await fetch(`${address}/v1/databases`)).status).toBe(200);
  expect((await server.fetch(new Request('http://localhost/v1/databases'))).status).toBe(401);
});

it.each(['/mcp', '/metrics', '/.well-known/oauth-protected-resource/mcp'])(
  'a HEAD of %s is over at once',
  async (path) => {
    const { server, send } = shopServer();
    const response = await send('ann', 'HEAD', path);
    expect([response.body, response.status < 500]).toEqual([null, true]);
    // Longer than a test may take.
    await server.drain(60_000);
  },
);

it.each(['askema', '/api/', '/a b'])('a base path %j is none', (basePath) => {
  expect(() => shopServer({ basePath })).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID' }));
});
