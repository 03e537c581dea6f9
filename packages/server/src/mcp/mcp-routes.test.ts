import { AskemaError } from '@askema/core';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { Caller, ServedKnowledge, ServerOptions } from '../contract.ts';
import { createServer } from '../server.ts';
import { fakeDatabase } from '../testing/fake-database.ts';
import { scriptedShop } from '../testing/scripted-shop.ts';
import { subjectKeys } from '../testing/subject-keys.ts';
import { modernClient } from './fixtures/clients.ts';

const CALLERS: readonly Caller[] = [
  { subject: 'ada', scopes: ['*'] },
  { subject: 'sql', scopes: ['sql@shop'] },
  { subject: 'names', scopes: ['catalog@people'] },
];

function serverOf(options: Partial<ServerOptions> = {}) {
  const databases = { shop: fakeDatabase(), people: fakeDatabase() };
  return createServer({ databases, auth: subjectKeys(CALLERS), ...options });
}

const call = (init: RequestInit = {}, path = '/mcp'): Request => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...init.headers,
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  return new Request(`http://127.0.0.1${path}`, { method: 'POST', body, ...init, headers });
};
const as = (token: string, more: Record<string, string> = {}) =>
  call({ headers: { authorization: `Bearer ${token}`, ...more } });

describe('test 12: the endpoint /mcp', () => {
  it('answers a request without a token with the address of its metadata', async () => {
    const server = serverOf({ mcp: { authorizationServers: ['https://login.example.com'] } });
    for (const request of [call(), as('wrong')]) {
      const response = await server.fetch(request);
      expect(response.status).toBe(401);
      const challenge = response.headers.get('www-authenticate') ?? '';
      const [, address = ''] = /^Bearer resource_metadata="([^"]+)"$/.exec(challenge) ?? [];
      const metadata = await server.fetch(new Request(address));
      expect(await metadata.json()).toMatchObject({
        resource: 'http://127.0.0.1/mcp',
        authorization_servers: ['https://login.example.com'],
        bearer_methods_supported: ['header'],
      });
    }
  });

  it('names no host but the one it was checked by, whatever the request line says', async () => {
    const server = serverOf();
    const host = { host: '127.0.0.1:8471' };
    const path = '/.well-known/oauth-protected-resource/mcp';
    const metadata = await server.fetch(new Request(`http://evil.example${path}`, { headers: host }));
    expect(await metadata.json()).toMatchObject({ resource: 'http://127.0.0.1:8471/mcp' });
    const refused = await server.fetch(new Request('http://evil.example/mcp', { method: 'POST', headers: host }));
    expect(refused.headers.get('www-authenticate')).toContain(`"http://127.0.0.1:8471${path}"`);
  });

  it('refuses long progress tokens and long batches before anything runs', async () => {
    const shop = fakeDatabase();
    const server = serverOf({ databases: { shop } });
    const params = { name: 'run_sql', arguments: { sql: 'SELECT name FROM users' } };
    const one = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const sent = async (body: unknown) => {
      const init = { headers: { authorization: 'Bearer ada' }, body: JSON.stringify(body) };
      const response = await server.fetch(call(init));
      return { status: response.status, text: await response.text() };
    };
    const withToken = (length: number) => ({
      ...one,
      params: { ...params, _meta: { progressToken: 'x'.repeat(length) } },
    });
    for (const body of [withToken(257), [one, withToken(257)]])
      expect(await sent(body)).toMatchObject({ status: 400, text: expect.stringContaining('256 characters') });
    const batch = (length: number) => Array.from({ length }, (_, id) => ({ ...one, id }));
    expect(await sent(batch(21))).toMatchObject({ status: 400, text: expect.stringContaining('20 messages') });
    expect(shop.asked).toEqual([]);
    expect((await sent(withToken(256))).status).toBe(200);
    expect((await sent(batch(20))).status).toBe(200);
    expect(shop.asked).toHaveLength(21);
  });

  it('stands behind the base path of the server, as its metadata does', async () => {
    const path = '/api/askema/mcp';
    const server = serverOf({ basePath: '/api/askema' });
    const refused = await server.fetch(call({}, path));
    const [, address = ''] = /resource_metadata="([^"]+)"/.exec(refused.headers.get('www-authenticate') ?? '') ?? [];
    const metadata = await server.fetch(new Request(address));
    expect(await metadata.json()).toMatchObject({ resource: `http://127.0.0.1${path}` });
    const url = 'https://data.example.com/askema/mcp';
    const mounted = await serverOf({ mcp: { url } }).fetch(call());
    expect(mounted.headers.get('www-authenticate')).toContain(
      '"https://data.example.com/askema/.well-known/oauth-protected-resource/mcp"',
    );
  });

  it('takes no token for another server', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const key = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'ES256' };
    const { jwtAuth } = await import('../caller/jwt-auth.ts');
    const { createServer: listen } = await import('node:http');
    const http = listen((_, response) => response.end(JSON.stringify({ keys: [key] })));
    await new Promise<void>((ready) => http.listen(0, '127.0.0.1', ready));
    const address = http.address() as { port: number };
    const issuer = 'https://login.example.com';
    const auth = jwtAuth({
      ...{ issuer, audience: 'https://data.example.com/mcp', algorithms: ['ES256'] },
      jwksUri: `http://127.0.0.1:${address.port}/`,
    });
    const server = serverOf({ auth });
    const token = (audience: string) =>
      new SignJWT({ scope: '*' })
        .setProtectedHeader({ alg: 'ES256', kid: 'k' })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject('ada')
        .setExpirationTime('1m')
        .sign(privateKey);
    expect((await server.fetch(as(await token('https://other.example.com')))).status).toBe(401);
    expect((await server.fetch(as(await token('https://data.example.com/mcp')))).status).toBe(200);
    http.close();
  });

  it('refuses a Host or an Origin that is not its own', async () => {
    const server = serverOf();
    const statuses = [];
    for (const more of [{ host: 'evil.example.com' }, { origin: 'https://evil.example.com' }])
      statuses.push((await server.fetch(as('ada', more))).status);
    expect(statuses.every((status) => status >= 400 && status < 500)).toBe(true);
  });

  it('gives each caller their tools, databases and catalogs', async () => {
    const server = serverOf();
    const seen = async (token: string) => {
      const client = await modernClient((request) => server.fetch(request), { token });
      const { tools } = await client.listTools();
      const { resources } = await client.listResources();
      const databases = tools.map(({ inputSchema }) => JSON.stringify(inputSchema.properties?.database ?? null));
      return { names: tools.map(({ name }) => name), databases, uris: resources.map(({ uri }) => uri), client };
    };
    expect(await seen('ada')).toMatchObject({
      names: ['search_catalog', 'run_sql', 'check_sql'],
      uris: ['askema://databases/shop/catalog', 'askema://databases/people/catalog'],
    });
    const sql = await seen('sql');
    expect(sql).toMatchObject({ names: ['run_sql', 'check_sql'], databases: ['null', 'null'], uris: [] });
    const names = await seen('names');
    expect(names).toMatchObject({ names: ['search_catalog'], uris: ['askema://databases/people/catalog'] });
    await expect(names.client.readResource({ uri: 'askema://databases/shop/catalog' })).rejects.toThrow(/not found/i);
    await expect(names.client.callTool({ name: 'run_sql', arguments: { sql: 'SELECT 1' } })).rejects.toThrow();
  });

  it('gives the definitions that were accepted to whom may read them, as of their tenant', async () => {
    const knowledge: ServedKnowledge = {
      list: async ({ tenant }) =>
        (['accepted', 'proposed'] as const).map((state) => ({
          ...{ id: `metric:${state}`, kind: 'metric', state },
          entry: { of: tenant, text: 'two\nlines' },
        })),
      propose: () => Promise.reject(new Error('not here')),
    };
    const auth = subjectKeys([
      { subject: 'reads', tenant: 'north', scopes: ['knowledge:read@shop', 'knowledge:read@kept'] },
      { subject: 'asks', tenant: 'north', scopes: ['ask', 'catalog', 'knowledge:read@people'] },
      { subject: 'kept', scopes: ['*'], hide: ['users.ssn'] },
      { subject: 'masked', scopes: ['*'], mask: ['users.ssn'] },
    ]);
    const shop = { ...fakeDatabase(), knowledge };
    const server = serverOf({
      databases: { shop, kept: { ...shop, hide: ['users.ssn'] }, people: fakeDatabase() },
      auth,
    });
    const clientOf = (token: string) => modernClient((request) => server.fetch(request), { token });
    const client = await clientOf('reads');
    const uri = 'askema://databases/shop/knowledge';
    expect((await client.listResources()).resources.map((one) => one.uri)).toEqual([uri]);
    const { contents } = await client.readResource({ uri });
    expect(contents).toMatchObject([{ text: 'metric:accepted {"of":"north","text":"two\\nlines"}' }]);
    for (const other of ['asks', 'kept', 'masked'])
      await expect((await clientOf(other)).readResource({ uri })).rejects.toThrow(/not found/i);
  });

  it('checks the statements of all requests in one thread, also of callers from whom something is kept back', async () => {
    const threads: unknown[] = [];
    const begun = (thread: unknown) => threads.push(thread);
    process.on('worker', begun);
    const callers = [['users.ssn'], ['users.id'], undefined].map(
      (hide, at): Caller => ({ subject: `sql${at}`, scopes: ['sql@shop'], hide }),
    );
    const server = serverOf({ auth: subjectKeys(callers) });
    for (const { subject } of callers) {
      const client = await modernClient((request) => server.fetch(request), { token: subject });
      for (const sql of ['SELECT name FROM users', 'SELECT UPPER(name) FROM users'])
        expect((await client.callTool({ name: 'run_sql', arguments: { sql } })).isError).not.toBe(true);
    }
    process.off('worker', begun);
    await server.close();
    expect(threads).toHaveLength(1);
  });

  it('tells no host of a model that fails, whatever blanks and marks the message has', async () => {
    const onModel = () => {
      throw new AskemaError('MODEL_UNAVAILABLE', 'no answer of\t10.1.2.3  <<<at /srv/secret.sock');
    };
    const server = serverOf({ databases: { shop: scriptedShop({ onModel }) } });
    const client = await modernClient((request) => server.fetch(request), { token: 'ada' });
    const reply = await client.callTool({ name: 'ask', arguments: { question: 'Who is there?' } });
    expect(JSON.stringify(reply)).toContain('MODEL_UNAVAILABLE');
    expect(JSON.stringify(reply)).not.toMatch(/10\.1\.2\.3|secret/);
  });

  it('counts an answer as a question', async () => {
    const server = serverOf({ databases: { shop: scriptedShop() }, limits: { questionsPerMinute: 1 } });
    const client = await modernClient((request) => server.fetch(request), { token: 'ada' });
    const asked = await client.callTool({ name: 'ask', arguments: { question: 'which?' } });
    const { resume } = asked.structuredContent as { readonly resume: string };
    const answered = await client.callTool({ name: 'ask', arguments: { answers: { resume, choice: '1' } } });
    expect(JSON.stringify(answered)).toContain('LIMIT_EXCEEDED');
  });

  it('lists what can be opened, and tells no path of what cannot', async () => {
    const broken = { open: () => Promise.reject(new Error('no file /srv/secret/people.sqlite')) };
    const one = serverOf({ databases: { shop: fakeDatabase(), people: broken } });
    const client = await modernClient((request) => one.fetch(request), { token: 'ada' });
    const { tools } = await client.listTools();
    expect(tools[0]?.inputSchema.properties).not.toHaveProperty('database');
    const none = await serverOf({ databases: { people: broken } }).fetch(as('ada'));
    expect(none.status).toBe(500);
    expect(await none.text()).not.toContain('/srv');
  });
});
