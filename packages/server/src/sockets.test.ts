import { once } from 'node:events';
import { request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ServerType, serve } from '@hono/node-server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { anyoneOnLoopback } from './caller/anyone-on-loopback.ts';
import type { AskemaServer } from './contract.ts';
import type { Route } from './routes/route.ts';
import { serveRoutes } from './server.ts';
import { fakeDatabase, SQL_ROUTE } from './testing/fake-database.ts';

const began = Promise.withResolvers<AbortSignal>();
const shop = fakeDatabase({
  async *run(_sql, { context }) {
    const { signal } = context;
    if (signal !== undefined && _sql === 'SLOW') {
      began.resolve(signal);
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }
    yield { type: 'columns', columns: [] };
    yield { type: 'end' };
  },
});
const HEALTH: Route = { method: 'GET', path: '/health', scope: 'none', handle: () => ({ status: 'ok' }) };
let server: AskemaServer;
let listening: ServerType;
let port = 0;

beforeAll(async () => {
  const auth = anyoneOnLoopback();
  server = serveRoutes({ auth, databases: { shop }, maxBodyBytes: 10_000 }, [SQL_ROUTE, HEALTH]);
  listening = serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request, env) => server.fetch(request, 'incoming' in env ? env.incoming.socket : {}),
  });
  await once(listening, 'listening');
  port = (listening.address() as AddressInfo).port;
});
afterAll(async () => {
  listening.close();
  await server.close();
});

const sql = (body: string, init: RequestInit = {}) =>
  fetch(`http://127.0.0.1:${port}/sql/shop`, {
    ...{ method: 'POST', body, headers: { 'content-type': 'application/json' } },
    ...init,
  });

test('a statement runs, and its answer says what browsers must not do', async () => {
  const response = await sql('{"sql":"SELECT 1"}');
  expect([response.status, await response.json()]).toEqual([200, { rows: [] }]);
  expect(response.headers.get('x-content-type-options')).toBe('nosniff');
});

test('a sender that goes away stops its statement', async () => {
  const leaving = new AbortController();
  const sending = sql('{"sql":"SLOW"}', { signal: leaving.signal }).catch(() => undefined);
  const signal = await began.promise;
  leaving.abort();
  await sending;
  if (!signal.aborted) await once(signal, 'abort');
  expect(signal.aborted).toBe(true);
});

test('a body that does not say how long it is: 413 as soon as it is too long', async () => {
  const sending = send({ port, path: '/sql/shop', method: 'POST', headers: { 'content-type': 'application/json' } });
  for (let part = 0; part < 12; part += 1) sending.write('x'.repeat(1000));
  const [response] = await once(sending, 'response');
  expect(response.statusCode).toBe(413);
  sending.destroy();
});

test('a name that was pointed at this machine is not its own', async () => {
  const sending = send({ port, path: '/health', headers: { host: 'rebound.evil.example' } }).end();
  const [response] = await once(sending, 'response');
  expect(response.statusCode).toBe(403);
  response.resume();
});
