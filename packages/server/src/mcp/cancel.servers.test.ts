import { fileURLToPath } from 'node:url';
import { type Adapter, resolveAdapter } from '@askema/core';
import { lexical } from '@askema/lexical';
import { postgres } from '@askema/postgres';
import { Client as ModernClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OlderClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OlderHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import { createServer } from '../server.ts';
import { subjectKeys } from '../testing/subject-keys.ts';
import { type Listening, listen } from './fixtures/listen.ts';

const ENDLESS = 'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) AS c FROM n';
const CALL = { name: 'run_sql', arguments: { sql: ENDLESS } };
const INFO = { name: 'test', version: '1.0.0' };
const HEADERS = { requestInit: { headers: { authorization: 'Bearer agent' } } };
const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

let started: StartedServer;
let place: { readonly host: string; readonly port: number; readonly password: string };
let looker: Adapter;
beforeAll(async () => {
  started = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
  const { host, port, password } = started.ready;
  place = { host: String(host), port: Number(port), password: String(password) };
  looker = resolveAdapter(postgres({ ...place, user: 'postgres', database: 'postgres' }));
});
afterAll(async () => {
  await looker?.close();
  await started?.stop();
});

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Statements that the engine works on. */
async function working(): Promise<number> {
  const sql = "SELECT COUNT(*) FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'WITH RECURSIVE n(i)%'";
  return Number((await looker.query(sql)).rows[0]?.[0]);
}
const begun = () => expect.poll(working, { timeout: 30_000 }).toBe(1);
const gone = () => expect.poll(working, { timeout: 30_000 }).toBe(0);

/** A server whose statements may take so long. */
async function serve(timeoutMs = 600_000): Promise<Listening> {
  const auth = subjectKeys([{ subject: 'agent', scopes: ['*'] }]);
  const open = () => ({
    adapter: postgres({ ...place, user: 'postgres', database: 'postgres' }),
    text2sql: { model: lexical(), timeoutMs },
  });
  const http = await listen(createServer({ databases: { shop: { open } }, auth }));
  closing.push(() => http.close());
  return http;
}

async function connectOlder(url: string): Promise<OlderClient> {
  const client = new OlderClient(INFO);
  await client.connect(new OlderHttp(new URL(url), HEADERS) as Parameters<OlderClient['connect']>[0]);
  closing.push(() => client.close());
  return client;
}

/** What a client hears of a call that it has left is its own affair. */
function left(call: Promise<unknown>): void {
  call.catch(() => undefined);
}

describe('test 8: a statement that PostgreSQL works on', () => {
  it.each(['HTTP', 'stdio'])('is gone when a client of 2026-07-28 cancels it over %s', async (over) => {
    const client = new ModernClient(INFO, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    if (over === 'HTTP') await client.connect(new StreamableHTTPClientTransport(new URL((await serve()).url), HEADERS));
    else await client.connect(new StdioClientTransport(command()));
    closing.push(() => client.close());
    const cancelling = new AbortController();
    left(client.callTool(CALL, { signal: cancelling.signal, timeout: 600_000 }));
    await begun();
    cancelling.abort();
    await gone();
    const next = await client.callTool({ name: 'run_sql', arguments: { sql: 'SELECT 7 AS n' } });
    expect(next.structuredContent).toMatchObject({ result: { rows: [[7]] } });
  });

  it('is gone when a client of 2025-11-25 drops its connection', async () => {
    const { url } = await serve();
    const client = await connectOlder(url);
    left(client.callTool(CALL));
    await begun();
    await client.close();
    await gone();
  });

  it('ends at its deadline when a client of 2025-11-25 cancels over HTTP, which the server cannot hear', async () => {
    const { url } = await serve(2_000);
    const client = await connectOlder(url);
    const cancelling = new AbortController();
    left(client.callTool(CALL, undefined, { signal: cancelling.signal }));
    await begun();
    cancelling.abort();
    await gone();
  });
});

/** `askema mcp` for this server. */
function command() {
  const quick = new URL('../../../../scripts/testing/quick-start.ts', import.meta.url).href;
  const address = `postgres://postgres@${place.host}:${place.port}/postgres`;
  return {
    command: process.execPath,
    args: [
      ...['--conditions=@askema/source', `--import=${quick}`],
      ...[path('../../../cli/src/main.ts'), 'mcp', address, '--timeout', '10m'],
    ],
    env: {
      ...{ PATH: process.env.PATH ?? '', PGPASSWORD: place.password },
      ...{ OLLAMA_HOST: '127.0.0.1:1', ASKEMA_CATALOGS: 'off' },
    },
    stderr: 'ignore' as const,
  };
}
