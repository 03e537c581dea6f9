import { AskemaError } from '@askema/core';
import { describe, expect, test } from 'vitest';
import { anyoneOnLoopback } from './caller/anyone-on-loopback.ts';
import type { Caller } from './contract.ts';
import type { Route } from './routes/route.ts';
import { ROUTES } from './routes/routes.ts';
import { createServer } from './server.ts';
import { fakeDatabase, fakeServer, SQL_ROUTE } from './testing/fake-database.ts';
import { scriptedShop } from './testing/scripted-shop.ts';

const ADA: Caller = { subject: 'ada', tenant: 'acme', scopes: ['sql@shop', 'ask@hr'] };
const ROOT: Caller = { subject: 'root', scopes: ['*'] };
const codeOf = async (response: Response) => ((await response.json()) as { error: { code: string } }).error.code;
const messageOf = async (response: Response) =>
  ((await response.json()) as { error: { message: string } }).error.message;

describe('who may do what', () => {
  const databases = () => ({ shop: fakeDatabase(), hr: fakeDatabase(), secret: fakeDatabase() });

  test('no token, and one that is none: 401, and nothing is opened', async () => {
    const { shop, hr, secret } = databases();
    const { send } = fakeServer([ADA], { databases: { shop, hr, secret } });
    for (const key of [undefined, 'other', '__proto__']) {
      const response = await send('/sql/shop', key, { method: 'POST', body: '{"sql":"SELECT 1"}' });
      expect(response.status).toBe(401);
      expect(response.headers.get('www-authenticate')).toBe('Bearer');
      expect(await codeOf(response)).toBe('CALLER_UNKNOWN');
    }
    expect(shop.opened).toEqual([]);
  });

  test('a scope for another database or another route: 403; a database of no scope is as if it were not there', async () => {
    const { shop, hr, secret } = databases();
    const { sql, send } = fakeServer([ADA], { databases: { shop, hr, secret } }, [
      SQL_ROUTE,
      { ...SQL_ROUTE, path: '/history/:database', scope: 'history' },
    ]);
    expect((await sql('ada', 'shop', 'SELECT 1')).status).toBe(200);
    expect(shop.asked).toEqual(['acme/-: SELECT 1']);
    const refused = await sql('ada', 'hr', 'SELECT 1');
    expect(refused.status).toBe(403);
    expect(await refused.json()).toEqual({
      error: {
        code: 'CALLER_REFUSED',
        message: expect.stringContaining('`sql` for the database "hr"'),
        requestId: refused.headers.get('x-request-id'),
      },
    });
    expect((await send('/history/shop', 'ada', { method: 'POST', body: '{"sql":"SELECT 1"}' })).status).toBe(403);
    const [hidden, missing] = [await sql('ada', 'secret', 'SELECT 1'), await sql('ada', 'secres', 'SELECT 1')];
    expect([hidden.status, missing.status]).toEqual([404, 404]);
    expect((await messageOf(hidden)).replace('secret', 'NAME')).toBe(
      (await messageOf(missing)).replace('secres', 'NAME'),
    );
    expect([hr.opened, secret.opened]).toEqual([[], []]);
  });

  test.each(['__proto__', 'constructor', 'toString'])('%s is a database only where it is served', async (name) => {
    const { sql } = fakeServer([ROOT], { databases: { shop: fakeDatabase() } });
    expect((await sql('root', name, 'SELECT 1')).status).toBe(404);
    const { sql: served } = fakeServer([ROOT], { databases: { [name]: fakeDatabase() } });
    expect((await served('root', name, 'SELECT 1')).status).toBe(200);
  });

  test('a conversation may be edited by whom may send SQL to its database, not to another', async () => {
    const shop = scriptedShop();
    const { send } = fakeServer(
      [{ ...ADA, scopes: ['ask@shop', 'sql@hr'] }],
      { databases: { shop, hr: shop } },
      ROUTES,
    );
    const post = (path: string, body: object) => send(path, 'ada', { method: 'POST', body: JSON.stringify(body) });
    const { id } = (await (await post('/v1/conversations', {})).json()) as { id: string };
    await post(`/v1/conversations/${id}/messages`, { message: 'Who is there?' });
    const edited = await post(`/v1/conversations/${id}/edit`, { sql: 'SELECT ssn FROM users' });
    expect([edited.status, shop.sent]).toEqual([403, ['acme: SELECT name FROM users']]);
  });

  test.each([
    ['admin@shop', 403],
    ['*@shop', 403],
    ['admin', 200],
  ])('the counts of all callers with the scope %s: %s', async (scope, status) => {
    const { send } = fakeServer([{ ...ADA, scopes: [scope] }], { databases: databases() }, ROUTES);
    expect((await send('/metrics', 'ada')).status).toBe(status);
  });

  test('a caller sees the databases that it has scopes for', async () => {
    const { send } = fakeServer([{ ...ADA, scopes: ['catalog@shop', 'sql@shop'] }], { databases: databases() }, ROUTES);
    expect(await (await send('/v1/databases', 'ada')).json()).toEqual({
      databases: [{ name: 'shop', scopes: ['sql', 'catalog'] }],
    });
  });
});

test('without proof only this machine is let in, and no proxy on it', async () => {
  const server = createServer({ auth: anyoneOnLoopback(), databases: { shop: fakeDatabase() } });
  const statusFrom = async (remoteAddress: string | undefined, headers: Readonly<Record<string, string>> = {}) =>
    (await server.fetch(new Request('http://localhost/v1/databases', { headers }), { remoteAddress })).status;
  for (const address of ['127.0.0.1', '::ffff:127.0.0.1']) expect(await statusFrom(address)).toBe(200);
  for (const address of ['10.0.0.7', '::ffff:10.0.0.7', '', undefined]) expect(await statusFrom(address)).toBe(401);
  for (const name of ['forwarded', 'via', 'x-real-ip', 'x-forwarded-for', 'x-forwarded-host'])
    expect(await statusFrom('127.0.0.1', { [name]: '10.0.0.7' })).toBe(401);
});

describe('where a request comes from', () => {
  const { send } = fakeServer([ROOT], { databases: { shop: fakeDatabase() } }, ROUTES);
  const listed = fakeServer(
    [ROOT],
    { databases: { shop: fakeDatabase() }, hosts: ['db.example.com'], origins: ['https://app.example.com'] },
    ROUTES,
  );

  test.each([
    ['localhost', 200],
    ['127.0.0.1:8080', 200],
    ['[::1]:8080', 200],
    ['evil.example', 403],
    ['localhost.evil.example', 403],
    ['localhost@evil.example', 403],
    ['', 403],
  ])('the host %j: %i', async (host, status) => {
    expect((await send('/health', undefined, { headers: { host } })).status).toBe(status);
  });

  test('hosts that are listed are in place of those', async () => {
    expect((await listed.send('/health', undefined, { headers: { host: 'db.example.com:443' } })).status).toBe(200);
    expect((await listed.send('/health', undefined, { headers: { host: 'localhost' } })).status).toBe(403);
  });

  test.each([
    ['http://localhost', 200],
    ['http://evil.example', 403],
    ['http://localhost:3000', 403],
    ['null', 403],
  ])('a page of %s: %i, and it may not read the answer', async (origin, status) => {
    const response = await send('/v1/databases', 'root', { headers: { origin, host: 'localhost' } });
    expect(response.status).toBe(status);
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('what a page elsewhere only embeds does not run', async () => {
    for (const [site, status] of Object.entries({ 'cross-site': 403, none: 200 }))
      expect((await send('/v1/databases', 'root', { headers: { 'sec-fetch-site': site } })).status).toBe(status);
  });

  test('a page of a listed origin may, without cookies', async () => {
    const headers = { origin: 'https://app.example.com', host: 'db.example.com' };
    const asked = await listed.send('/v1/databases', undefined, { method: 'OPTIONS', headers });
    expect(asked.status).toBe(204);
    const response = await listed.send('/v1/databases', 'root', { headers });
    expect(response.status).toBe(200);
    for (const each of [asked, response]) {
      expect(each.headers.get('access-control-allow-origin')).toBe('https://app.example.com');
      expect(each.headers.get('access-control-allow-credentials')).toBeNull();
      expect(each.headers.get('set-cookie')).toBeNull();
    }
  });

  test.each(['*', 'https://app.example.com/', 'app.example.com', 'null'])('%s is no origin to list', (origin) => {
    expect(() => fakeServer([ROOT], { databases: { shop: fakeDatabase() }, origins: [origin] })).toThrow(
      expect.objectContaining({ code: 'CONFIG_INVALID' }),
    );
  });
});

describe('what is sent', () => {
  const { send, sql } = fakeServer([ROOT], { databases: { shop: fakeDatabase() }, maxBodyBytes: 1000 });
  const post = (body: string, headers: Readonly<Record<string, string>> = {}) =>
    send('/sql/shop', 'root', { method: 'POST', body, headers });

  test('too large: 413, whether it says so or not', async () => {
    const long = await sql('root', 'shop', 'x'.repeat(1000));
    expect(long.status).toBe(413);
    expect(await codeOf(long)).toBe('REQUEST_TOO_LARGE');
    expect((await post('{"sql":"SELECT 1"}', { 'content-length': '1000000' })).status).toBe(413);
    expect((await sql('root', 'shop', 'x'.repeat(900))).status).toBe(200);
  });

  test.each([
    ['no JSON', '{"sql":', {}],
    ['a field that is missing', '{}', {}],
    ['a field of another type', '{"sql":1}', {}],
    ['a field of the prototype', '{"__proto__":{"sql":"SELECT 1"}}', {}],
    ['null', 'null', {}],
    ['nothing', '', {}],
    ['another type of content', '{"sql":"SELECT 1"}', { 'content-type': 'text/plain' }],
  ])('%s: 400', async (_what, body, headers) => {
    const response = await post(body, headers);
    expect(response.status).toBe(400);
    expect(await codeOf(response)).toBe('INPUT_INVALID');
  });

  test('a field that is wrong is named', async () => {
    expect(await (await post('{"sql":1}')).json()).toMatchObject({
      error: { details: { issues: [{ path: 'sql', message: expect.stringContaining('string') }] } },
    });
  });

  test('a route that is not there: 404', async () => {
    for (const response of [await send('/sqll/shop', 'root'), await send('/sql/shop', 'root', { method: 'PUT' })]) {
      expect(response.status).toBe(404);
      expect(await codeOf(response)).toBe('ROUTE_NOT_FOUND');
    }
  });
});

test('every response says what browsers must not do with it', async () => {
  const { send } = fakeServer([ROOT], { databases: { shop: fakeDatabase() } }, ROUTES);
  for (const path of ['/health', '/v1/databases', '/missing']) {
    const { headers } = await send(path, undefined);
    expect(headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'");
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  }
});

describe('limits', () => {
  test('429 with the time to wait; other callers are not held up', async () => {
    const shop = fakeDatabase();
    const { sql } = fakeServer([ROOT, ADA], { databases: { shop }, limits: { statementsPerMinute: 1 } });
    expect((await sql('root', 'shop', 'SELECT 1')).status).toBe(200);
    const response = await sql('root', 'shop', 'SELECT 2');
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(50);
    expect(await codeOf(response)).toBe('LIMIT_EXCEEDED');
    expect((await sql('ada', 'shop', 'SELECT 3')).status).toBe(200);
    expect(shop.asked).toEqual(['-/-: SELECT 1', 'acme/-: SELECT 3']);
  });

  test('no more statements at a time than allowed, and all of them run', async () => {
    let [running, most] = [0, 0];
    const shop = fakeDatabase({
      async *run() {
        running += 1;
        most = Math.max(most, running);
        yield { type: 'columns', columns: [] };
        await new Promise((resolve) => setImmediate(resolve));
        running -= 1;
        yield { type: 'end' };
      },
    });
    const { sql } = fakeServer([ROOT], { databases: { shop }, limits: { statementsAtOnce: 2 } });
    const responses = await Promise.all(Array.from({ length: 20 }, () => sql('root', 'shop', 'SELECT 1')));
    expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(most).toBe(2);
  });

  test('bytes that engines scanned, and what a statement is about to scan', async () => {
    const shop = fakeDatabase();
    const { sql } = fakeServer([ROOT], { databases: { shop }, limits: { bytesPerDay: 25 } });
    const statuses = [];
    for (let statement = 0; statement < 3; statement += 1)
      statuses.push((await sql('root', 'shop', 'SELECT 1')).status);
    expect(statuses).toEqual([200, 200, 429]);
    expect(shop.asked).toHaveLength(2);
  });

  test.each(['ABORTED', 'QUERY_TIMEOUT'] as const)('what ends as %s has scanned what it held', async (code) => {
    const shop = fakeDatabase({
      async *run() {
        yield { type: 'columns', columns: [] };
        throw new AskemaError(code, 'Stopped just before its end.');
      },
    });
    const { sql } = fakeServer([ROOT], { databases: { shop }, limits: { bytesPerDay: 25 } });
    for (let statement = 0; statement < 4; statement += 1) await sql('root', 'shop', 'SELECT 1');
    expect(shop.asked).toHaveLength(2);
  });
});

describe('the end', () => {
  const waiting = () => {
    const gate = Promise.withResolvers<void>();
    const began = Promise.withResolvers<AbortSignal>();
    const shop = fakeDatabase();
    const route: Route = {
      method: 'GET',
      path: '/wait',
      scope: 'sql',
      async handle(call) {
        await call.database('shop');
        const body = new ReadableStream<Uint8Array>({
          async pull(controller) {
            began.resolve(call.signal);
            await gate.promise;
            controller.enqueue(new TextEncoder().encode('done'));
            controller.close();
          },
        });
        return new Response(body);
      },
    };
    return { shop, gate, began, ...fakeServer([ROOT], { databases: { shop } }, [route, ...ROUTES]) };
  };

  test('draining waits for a response that is still read, and takes nothing new', async () => {
    const { server, send, gate, began } = waiting();
    const reading = (await send('/wait', 'root')).text();
    await began.promise;
    let drained = false;
    const draining = server.drain(60_000).then(() => {
      drained = true;
    });
    const refused = await send('/wait', 'root');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    const health = await send('/health', undefined);
    expect([health.status, await health.json()]).toEqual([503, { status: 'draining' }]);
    expect(drained).toBe(false);
    gate.resolve();
    expect(await reading).toBe('done');
    await draining;
  });

  test('closing stops what runs and closes the databases', async () => {
    const { server, shop, send, began } = waiting();
    const response = await send('/wait', 'root');
    const reading = response.text().catch(() => undefined);
    const signal = await began.promise;
    await server.close();
    expect(signal.aborted).toBe(true);
    expect(shop.closed).toEqual(['-/-']);
    void reading;
  });

  test('a reader that leaves gives back what it had', async () => {
    const { server, send, gate, began } = waiting();
    const reader = (await send('/wait', 'root')).body?.getReader();
    void reader?.read();
    await began.promise;
    await reader?.cancel();
    await server.drain(60_000);
    gate.resolve();
  });
});

test.each([
  {},
  { 'a b': fakeDatabase() },
  { 'a/b': fakeDatabase() },
  { 'a@b': fakeDatabase() },
  { '': fakeDatabase() },
])('databases that cannot be named are refused', (databases) => {
  expect(() => createServer({ auth: anyoneOnLoopback(), databases })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID' }),
  );
});
