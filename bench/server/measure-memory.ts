import { randomUUID } from 'node:crypto';
import autocannon from 'autocannon';
import type { Table } from '../harness/bench.ts';
import { showBytes } from '../harness/render.ts';
import { makeSales } from './engines.ts';
import { KEYS, type ServerRequest } from './protocol.ts';
import { WORKLOADS } from './sales.ts';
import { startChild } from './start-child.ts';

const STEPS = 10;
const CLIENTS = 16;

/** What comes in turn, by how the server answers. A question has an `Idempotency-Key` that nobody had before. */
function mixedRequests(): readonly autocannon.Request[] {
  const asked = WORKLOADS.lookup;
  const post = (path: string, body: object, more: Readonly<Record<string, string>> = {}): autocannon.Request => ({
    method: 'POST',
    path,
    headers: { ...KEY, 'content-type': 'application/json', ...more },
    body: JSON.stringify(body),
  });
  const get = (path: string, headers: Readonly<Record<string, string>> = KEY): autocannon.Request => ({
    method: 'GET',
    path,
    headers,
  });
  const withKey = (made: autocannon.Request): autocannon.Request => ({
    ...made,
    setupRequest: (request) => ({ ...request, headers: { ...request.headers, 'idempotency-key': randomUUID() } }),
  });
  return asked
    .slice(0, 40)
    .flatMap(({ question, sql }, at) => [
      withKey(post('/v1/ask', { question })),
      post('/v1/sql', { sql }),
      post('/v1/sql', { sql: `SELECT nobody FROM products WHERE product_id = ${at}` }),
      withKey(post('/v1/ask', { question }, { accept: 'text/event-stream' })),
      post('/v1/ask', { text: 'no question' }),
      post('/v1/sql', { sql }, { accept: 'application/x-ndjson' }),
      get(`/v1/runs/nobody-${at}`),
      get('/v1/databases'),
      get('/v1/databases', { authorization: `Bearer nobody-${at}` }),
      get(`/nowhere/${at}`),
    ]);
}

const KEY = { authorization: `Bearer ${KEYS[0]}` };

/** Memory of the server's process over many requests, after a garbage collection each time. */
export async function measureMemory({ quick }: { readonly quick: boolean }): Promise<Table> {
  const place = await makeSales('SQLite');
  if (place === undefined) throw new Error('SQLite needs no server.');
  const rows: (string | number)[][] = [];
  for (const journal of ['jsonl', 'memory'] as const)
    rows.push(...(await memoryOf({ kind: 'askema', engine: 'SQLite', place, journal }, quick ? 1_000 : 10_000)));
  return { columns: ['runs', 'requests', 'of them errors of the server', 'heap', 'resident'], rows };
}

async function memoryOf(request: ServerRequest, amount: number): Promise<(string | number)[][]> {
  const server = await startChild(request);
  const rows: (string | number)[][] = [];
  let broken = 0;
  for (let step = 1; step <= STEPS; step += 1) {
    const run = await autocannon({
      url: server.origin,
      ...{ connections: CLIENTS, amount, timeout: 120, sampleInt: 100 },
      requests: [...mixedRequests()],
    });
    broken += run['5xx'] + run.errors + run.timeouts;
    await server.tell('collect');
    const { heapBytes, residentBytes } = await server.tell('collect');
    const kept = request.journal === 'jsonl' ? 'on disk' : 'in memory';
    rows.push([kept, step * amount, broken, showBytes(heapBytes), showBytes(residentBytes)]);
    process.stderr.write(`${rows.at(-1)?.join(' ')}\n`);
  }
  await server.stop();
  return rows;
}
