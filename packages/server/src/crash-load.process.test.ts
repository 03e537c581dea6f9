import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { jsonlJournal } from '@askema/core/node';
import { afterAll, expect, it } from 'vitest';
import type { PaidCall } from './testing/item-shop.ts';

const PROGRAM = fileURLToPath(new URL('./testing/serve-until-killed.ts', import.meta.url));
const CLIENTS = 8;
const QUESTIONS_EACH = 9;
/** What each server in turn does so many times before it is killed. The last one lives. */
const KILLS = [
  ...['call 3', 'before 9', 'behind 20', 'half 17', 'statement 4', 'call 8', 'behind 35', 'half 5', 'before 30'],
  ...['statement 7', 'call 5', 'half 28', 'behind 11', 'before 22', 'call 9', 'statement 5', 'half 36', 'behind 26'],
  ...['before 14', 'half 23'],
];

const folder = mkdtempSync(join(tmpdir(), 'askema-load-'));
const children: ChildProcess[] = [];
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(folder, { recursive: true });
});

interface Served {
  readonly origin: Promise<string>;
  readonly closed: Promise<unknown>;
}

function serve(moment: string): Served & { readonly child: ChildProcess } {
  const child = spawn(process.execPath, [...process.execArgv, '--no-warnings', PROGRAM, folder, ...moment.split(' ')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  children.push(child);
  const closed = once(child, 'close');
  const said = once(child.stdout, 'data').then(([chunk]) => /port (\d+)/.exec(String(chunk))?.[1]);
  return { child, closed, origin: said.then((port) => `http://127.0.0.1:${port}`) };
}

const keptCalls = new Set<string>();
/** Paid calls whose reply stood in the journal, and so must not be paid again. */
const paidAgain: string[] = [];
let readCalls = 0;

/** What was paid since, held against what had been kept before; then what is kept now. */
async function look(): Promise<void> {
  const calls = linesOf<PaidCall>('calls.jsonl');
  paidAgain.push(...calls.slice(readCalls).flatMap(({ key }) => (keptCalls.has(key) ? [key] : [])));
  readCalls = calls.length;
  const journal = jsonlJournal({ directory: join(folder, 'runs') });
  for (const id of await journal.runIds())
    for (const { kind, path } of await journal.read(id))
      if (kind === 'call') keptCalls.add(`${id.slice(id.indexOf('.') + 1)}/${path}`);
}

function linesOf<T>(file: string): readonly T[] {
  if (!existsSync(join(folder, file))) return [];
  const lines = readFileSync(join(folder, file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as T);
}

interface Reply {
  readonly runId: string;
  readonly type: string;
  readonly rows: unknown;
}

/** Sends it to the server that lives, and after its death the same again to the next one. */
async function send(current: () => Served, path: string, body: object, key: string, asEvents: boolean): Promise<Reply> {
  for (;;) {
    const served = current();
    try {
      const response = await fetch(`${await served.origin}${path}`, {
        method: 'POST',
        headers: {
          authorization: 'Bearer ann',
          'content-type': 'application/json',
          'idempotency-key': key,
          accept: asEvents ? 'text/event-stream' : 'application/json',
        },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      if (response.status !== 200) throw new Error(`${response.status}: ${text}`, { cause: 'reply' });
      return asEvents ? replyOfEvents(text) : replyOf(JSON.parse(text));
    } catch (thrown) {
      if ((thrown as Error).cause === 'reply') throw thrown;
      // The connection broke: who asked does so again when the next server is there.
      await served.closed;
    }
  }
}

type Json = { readonly runId: string; readonly type: string; readonly result?: { readonly rows: unknown } };
const replyOf = ({ runId, type, result }: Json): Reply => ({ runId, type, rows: result?.rows });

function replyOfEvents(text: string): Reply {
  const data = (event: string) => {
    const [, json] = new RegExp(`^event: ${event}\\ndata: (.*)$`, 'm').exec(text) ?? [];
    return json === undefined ? undefined : JSON.parse(json);
  };
  const outcome = data('outcome');
  if (outcome === undefined) throw new Error(`no outcome: ${text}`, { cause: 'reply' });
  return { ...replyOf(outcome), rows: data('rows')?.rows };
}

it('killed with -9 under load at 20 moments, no accepted question is lost, and nothing that was kept is paid again', async () => {
  expect(KILLS).toHaveLength(20);
  const [first = '', ...others] = [...KILLS, 'never'];
  let served = serve(first);
  const killing = (async () => {
    for (const moment of others) {
      const { child, closed } = served;
      const next = serve(moment);
      await closed;
      expect(child.signalCode).toBe('SIGKILL');
      // Clients go on with the next one when what this one left was looked at.
      await look();
      served = next;
    }
  })();
  const answered = new Map<string, Reply>();
  await Promise.all(
    Array.from({ length: CLIENTS }, async (_, client) => {
      for (let number = 0; number < QUESTIONS_EACH; number += 1) {
        const item = `item-${client}${number}`;
        const [asEvents, isUndated] = [(client + number) % 3 === 0, number % 4 === 1];
        const question = `How many of the ${isUndated ? 'undated ' : ''}${item} were there?`;
        const current = () => served;
        let reply = await send(current, '/v1/ask', { question }, item, asEvents);
        if (isUndated) {
          expect(reply.type).toBe('needsClarification');
          const answer = { answer: 'shipped, please' };
          reply = await send(current, `/v1/runs/${reply.runId}/answer`, answer, item, asEvents);
        }
        answered.set(item, reply);
      }
    }),
  );
  await killing;
  await look();

  const items = [...answered.keys()];
  expect(items).toHaveLength(CLIENTS * QUESTIONS_EACH);
  for (const [item, reply] of answered) expect(reply).toMatchObject({ type: 'answered', rows: [[`${item} of north`]] });
  // Each question has one run, or with an answer two of them.
  const listed = await fetch(`${await served.origin}/v1/history?limit=100`, {
    headers: { authorization: 'Bearer ann' },
  });
  expect(((await listed.json()) as { entries: unknown[] }).entries).toHaveLength(items.length);

  expect(paidAgain).toEqual([]);
  const calls = linesOf<PaidCall>('calls.jsonl');
  const keys = new Map<string, Set<string>>();
  for (const { item, call, key } of calls)
    keys.set(`${item} ${call}`, (keys.get(`${item} ${call}`) ?? new Set()).add(key));
  const asked = items.flatMap((item) =>
    (Number(item.at(-1)) % 4 === 1 ? ['ask-back'] : []).concat(['write', 'repair']).map((call) => `${item} ${call}`),
  );
  expect([...keys.keys()].sort()).toEqual(asked.sort());
  // What was under way when its process died was sent again, under the same key.
  expect([...keys].filter(([, { size }]) => size !== 1)).toEqual([]);
  expect(calls.length).toBeGreaterThan(asked.length);
  expect(calls.length - asked.length).toBeLessThanOrEqual(KILLS.length * CLIENTS);

  const seen = new Map<string, number>();
  for (const { sql, audited } of linesOf<{ readonly sql: string; readonly audited: number }>('statements.jsonl')) {
    const times = (seen.get(sql) ?? 0) + 1;
    seen.set(sql, times);
    expect(audited, sql).toBeGreaterThanOrEqual(times);
  }
  expect(seen.size).toBe(2 * items.length);
}, 300_000);
