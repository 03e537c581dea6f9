/**
 * A server in a process of its own: `child.ts {"kind":"askema","engine":"SQLite","place":"…","journal":"jsonl"}`. It
 * tells its port, and, when it is asked, its processor time and memory.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createHttp } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { jsonlJournal } from '@askema/core/node';
import { createServer, fileAudit, keyAuth } from '@askema/server';
import { plain } from '@askema/text2sql';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { scratchFolder } from '../harness/scratch.ts';
import { scriptedModel } from '../harness/scripted-model.ts';
import { processorSeconds } from '../throughput/engines.ts';
import { openAdapter, openDriver } from './engines.ts';
import { IDLE_QUESTION, KEYS, type ServerRequest, type Told } from './protocol.ts';
import { WORKLOADS } from './sales.ts';

const STATEMENTS = new Map(
  Object.values(WORKLOADS).flatMap((asked) => asked.map(({ question, sql }) => [question, sql] as const)),
);
const QUESTION = /(?:What|Which|How|Who) [^\n<>]*\?/g;

/** The statement that answers what the text ends with. */
function statementFor(text: string): string {
  const sql = text
    .match(QUESTION)
    ?.flatMap((question) => STATEMENTS.get(question) ?? [])
    .at(-1);
  if (sql === undefined) throw new Error(`Nobody has asked that: ${text.slice(-200)}`);
  return sql;
}

type Fetch = (request: Request, env: object) => Promise<Response> | Response;
type Pids = () => Promise<readonly number[]> | readonly number[];

async function openAskema({ engine, place, journal = 'jsonl' }: ServerRequest): Promise<{ fetch: Fetch; pids: Pids }> {
  const folder = mkdtempSync(path.join(scratchFolder(), 'served-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const model = scriptedModel((messages) => {
    const content = messages.at(-1)?.content ?? [];
    const text = content.map((part) => ('text' in part ? part.text : '')).join('');
    return text.includes(IDLE_QUESTION) ? new Promise<string>(() => undefined) : statementFor(text);
  });
  const pids: Pids[] = [];
  const server = createServer({
    databases: {
      sales: {
        async open() {
          const { adapter, pids: more } = await openAdapter(engine, place);
          pids.push(more);
          return { adapter, text2sql: { model, flow: plain() } };
        },
      },
    },
    auth: keyAuth(
      KEYS.map((key) => ({
        sha256: createHash('sha256').update(key).digest('hex'),
        caller: { subject: key, tenant: key, scopes: ['*'] },
      })),
    ),
    // One key stands for many clients here.
    limits: { statementsAtOnce: false, questionsAtOnce: false },
    audit: fileAudit({ file: path.join(folder, 'audit.jsonl') }),
    ...(journal === 'jsonl' ? { journal: jsonlJournal({ directory: path.join(folder, 'runs'), fsync: false }) } : {}),
  });
  return { fetch: server.fetch, pids: async () => (await Promise.all(pids.map((more) => more()))).flat() };
}

async function openPeer({ engine, place }: ServerRequest): Promise<{ fetch: Fetch; pids: Pids }> {
  const { run, pids } = await openDriver(engine, place);
  const app = new Hono();
  app.post('/v1/ask', async (context) => {
    const { question } = await context.req.json<{ readonly question: string }>();
    return context.json(await run(statementFor(question)));
  });
  app.post('/v1/sql', async (context) => {
    const { sql } = await context.req.json<{ readonly sql: string }>();
    return context.json(await run(sql));
  });
  return { fetch: app.fetch, pids };
}

const request = JSON.parse(process.argv[2] ?? '{}') as ServerRequest;
const { fetch, pids } = await (request.kind === 'askema' ? openAskema(request) : openPeer(request));

/** Of all processes that have worked for this one, also of those that have ended. */
const spent = new Map<number, number>();
async function engineSeconds(): Promise<number> {
  for (const pid of await pids()) spent.set(pid, Math.max(spent.get(pid) ?? 0, processorSeconds(pid)));
  return [...spent.values()].reduce((sum, seconds) => sum + seconds, 0);
}

// Whoever started it has gone.
process.once('disconnect', () => process.exit(0));
process.on('message', async (what) => {
  if (what === 'stop') process.exit(0);
  if (what === 'collect') globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  const memory = process.memoryUsage();
  process.send?.({
    ownSeconds: (user + system) / 1e6,
    engineSeconds: await engineSeconds(),
    residentBytes: memory.rss,
    heapBytes: memory.heapUsed,
  } satisfies Told);
});

const http = createHttp(getRequestListener((each, env) => fetch(each, env)));
http.listen(0, '127.0.0.1', () => process.send?.({ port: (http.address() as AddressInfo).port }));
