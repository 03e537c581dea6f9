import { connect, type Socket } from 'node:net';
import type { Table } from '../harness/bench.ts';
import { quantile } from '../harness/measure-work.ts';
import { showNumber } from '../harness/render.ts';
import { makeSales } from './engines.ts';
import { takeTurn } from './load.ts';
import { IDLE_QUESTION, KEYS } from './protocol.ts';
import { WORKLOADS } from './sales.ts';
import { type Listening, startChild } from './start-child.ts';

/** What the other tenant may take, of what it takes alone. */
const MOST = 2;
/** Of the other tenant, who asks as an analyst does. */
const CLIENTS = 4;

const LARGEST = 'SELECT * FROM order_lines';

/** Begins to do harm, and gives how to stop it. */
type Harm = (server: Listening, quick: boolean) => Promise<() => Promise<void>>;

const HARMS: Readonly<Record<string, Harm>> = {
  'readers of the largest table, a byte at a time': (server, quick) =>
    sockets(server, quick ? 10 : 50, { body: { sql: LARGEST }, accept: 'application/x-ndjson', reads: 'slowly' }),
  'readers of the largest result as JSON, a byte at a time': (server, quick) =>
    sockets(server, quick ? 10 : 50, { body: { sql: LARGEST, maxRows: 50_000 }, reads: 'slowly' }),
  'readers who never read': (server, quick) =>
    sockets(server, quick ? 10 : 50, { body: { sql: LARGEST }, accept: 'application/x-ndjson', reads: 'never' }),
  'half-closed sockets': (server, quick) =>
    sockets(server, quick ? 100 : 1_000, { body: { sql: 'SELECT 1 AS one' }, reads: 'never', half: true }),
  'idle event streams of one question': (server, quick) =>
    sockets(server, quick ? 1_000 : 10_000, { ...IDLE, key: 'one' }),
  'idle event streams, a question each': (server, quick) => sockets(server, quick ? 500 : 2_000, IDLE),
  'the largest table as lines, again and again': (server) => again(server, { sql: LARGEST }, 'application/x-ndjson'),
  'the largest table as JSON, again and again': (server) =>
    again(server, { sql: LARGEST, maxRows: 200_000 }, undefined),
};

const IDLE = { body: { question: IDLE_QUESTION }, accept: 'text/event-stream', reads: 'never' } as const;

/** The times of one tenant's ordinary questions, while another does harm, before and after. */
export async function measureHarm({ quick }: { readonly quick: boolean }): Promise<Table> {
  const place = await makeSales('SQLite');
  if (place === undefined) throw new Error('SQLite needs no server.');
  const rows: (string | number)[][] = [];
  const remarks: string[] = [];
  for (const [name, begin] of Object.entries(HARMS)) {
    const { alone, harmed, errors } = await harmOf({ place, begin, quick });
    const ratio = harmed / alone;
    rows.push([name, alone, harmed, ratio.toFixed(2), errors]);
    process.stderr.write(`${rows.at(-1)?.join(' | ')}\n`);
    if (ratio > MOST) remarks.push(`${name}: ${showNumber(ratio)} times the time; it shall be ${MOST} at most.`);
    if (errors > 0) remarks.push(`${name}: ${errors} requests of the other tenant failed.`);
  }
  return { columns: ['what one tenant does', 'p95 alone, ms', 'p95 meanwhile, ms', 'times', 'errors'], rows, remarks };
}

interface HarmRequest {
  readonly place: string;
  readonly begin: Harm;
  readonly quick: boolean;
}

async function harmOf({ place, begin, quick }: HarmRequest) {
  const server = await startChild({ kind: 'askema', engine: 'SQLite', place });
  const bodies = WORKLOADS.analyst.map(({ question }) => ({ question }));
  const ask = (amount: number) => takeTurn(server, { path: '/v1/ask', key: KEYS[1], bodies, clients: CLIENTS, amount });
  await ask(100);
  const amount = quick ? 100 : 150;
  const before = await ask(amount);
  const stop = await begin(server, quick);
  const during = await ask(amount);
  await stop();
  // Not counted: what the harm has left behind ends meanwhile.
  await ask(50);
  const after = await ask(amount);
  await server.stop();
  const alone = quantile(
    [before.p95, after.p95].sort((a, b) => a - b),
    0.5,
  );
  return { alone, harmed: during.p95, errors: before.errors + during.errors };
}

interface SocketsOf {
  readonly body: object;
  /** An `Idempotency-Key`: the same request gives the same run. */
  readonly key?: string | undefined;
  readonly accept?: string | undefined;
  readonly reads: 'slowly' | 'never';
  /** Closes its side once the request is sent. */
  readonly half?: boolean | undefined;
}

/** Requests whose answers are hardly read. */
async function sockets(server: Listening, count: number, of: SocketsOf): Promise<() => Promise<void>> {
  const { hostname, port } = new URL(server.origin);
  const open: Socket[] = [];
  for (let at = 0; at < count; at += 1) {
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    socket.on('error', () => undefined);
    await new Promise<void>((resolve) => {
      socket.once('connect', resolve);
      socket.once('error', () => resolve());
    });
    socket.pause();
    socket.write(textOf(of));
    if (of.half === true) socket.end();
    open.push(socket);
  }
  const timer = setInterval(() => {
    if (of.reads === 'slowly') for (const socket of open) socket.read(1);
  }, 100);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return async () => {
    clearInterval(timer);
    for (const socket of open) socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  };
}

function textOf({ body, key, accept = 'application/json' }: SocketsOf): string {
  const text = JSON.stringify(body);
  const headers = [
    ...[`POST ${'question' in body ? '/v1/ask' : '/v1/sql'} HTTP/1.1`, 'Host: 127.0.0.1'],
    ...[`Authorization: Bearer ${KEYS[0]}`, 'Content-Type: application/json', `Accept: ${accept}`],
    ...(key === undefined ? [] : [`Idempotency-Key: ${key}`]),
    `Content-Length: ${Buffer.byteLength(text)}`,
  ];
  return `${headers.join('\r\n')}\r\n\r\n${text}`;
}

/** Four clients who read a result to its end and ask for it again. */
async function again(server: Listening, body: object, accept: string | undefined): Promise<() => Promise<void>> {
  const stop = new AbortController();
  const client = async (): Promise<void> => {
    while (!stop.signal.aborted) {
      const response = await fetch(`${server.origin}/v1/sql`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${KEYS[0]}`,
          'content-type': 'application/json',
          ...(accept === undefined ? {} : { accept }),
        },
        body: JSON.stringify(body),
        signal: stop.signal,
      });
      for await (const _chunk of response.body ?? []) if (stop.signal.aborted) return;
    }
  };
  const clients = Array.from({ length: 4 }, () => client().catch(() => undefined));
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  return async () => {
    stop.abort();
    await Promise.all(clients);
  };
}
