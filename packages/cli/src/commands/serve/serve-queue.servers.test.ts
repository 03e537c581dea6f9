import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../../../../servers/start-server.ts';
import { type RunningAskema, runAskema, startAskema } from '../../testing/run-askema.ts';
import { type TemporaryProject, temporaryProject } from '../../testing/temporary-project.ts';

const QUESTIONS = 60;
/** Sent to the server that is killed; who asked does so again at another one. */
const MORE = 6;
const CONCURRENCY = 4;
const TENANTS = ['north', 'south'];
const hash = (key: string): string => createHash('sha256').update(key).digest('hex');

/**
 * A model whose calls are lines of `calls.txt`: two for each question, because the first statement does not run. With
 * GATE, second calls stand still after so many; a question that says `stand` stands still until it is stopped.
 */
const CONFIG = `
  import { appendFileSync } from 'node:fs';
  import { scriptedModel } from '@askema/testkit';
  const note = (file, line) => appendFileSync(new URL(file, import.meta.url), JSON.stringify(line) + '\\n');
  let left = Number(process.env.GATE ?? 'Infinity');
  const model = () => scriptedModel(async ({ messages, context }) => {
    const text = JSON.stringify(messages);
    const [item] = /item-\\d+/.exec(text);
    const call = text.includes('no such column') ? 2 : 1;
    note('calls.txt', { process: process.pid, item, call, key: context.idempotencyKey });
    if (text.includes('stand still')) {
      note('standing.txt', item);
      await new Promise((_, reject) => context.signal.addEventListener('abort', () => {
        note('stopped.txt', item);
        reject(context.signal.reason);
      }));
    }
    if (call === 2) left -= 1;
    if (call === 2 && left < 0) {
      note('gate.txt', item);
      await new Promise(() => setInterval(() => {}, 1e6));
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
    const sql = call === 1 ? 'SELECT broken FROM whose' : \`SELECT '\${item} of ' || tenant FROM whose\`;
    return { json: { outcome: 'sql', sql, explanation: 'Scripted.', not_understood: [] } };
  });
  export default {
    models: { scripted: model },
    defaults: { model: 'scripted', flow: 'plain' },
    server: {
      auth: { keys: ${JSON.stringify(
        TENANTS.map((tenant) => ({ sha256: hash(tenant), caller: { subject: 'ann', tenant, scopes: ['*'] } })),
      )} },
      tenants: { items: '{tenant}.sqlite' },
      limits: { questionsAtOnce: false },
    },
  };
`;

let database: StartedServer;
let project: TemporaryProject;
const running: RunningAskema[] = [];

beforeAll(async () => {
  project = temporaryProject();
  project.write('askema.config.mjs', CONFIG);
  for (const tenant of TENANTS)
    project.database(`${tenant}.sqlite`, `CREATE TABLE whose (tenant TEXT); INSERT INTO whose VALUES ('${tenant}')`);
  database = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
});
afterAll(async () => {
  for (const { child } of running) child.kill('SIGKILL');
  await database?.stop();
  project?.remove();
});

interface Served extends RunningAskema {
  readonly origin: string;
}

async function serve(gate?: number): Promise<Served> {
  const { host, port, password } = database.ready;
  const queue = ['--queue', `postgres://postgres@${host}:${port}/postgres`, '--concurrency', String(CONCURRENCY)];
  const started = startAskema(['serve', '--port', '0', ...queue], {
    cwd: project.folder,
    env: {
      PGPASSWORD: String(password),
      XDG_STATE_HOME: project.path('state'),
      ...(gate === undefined ? {} : { GATE: String(gate) }),
    },
  });
  running.push(started);
  let said = '';
  const origin = await new Promise<string>((resolve, reject) => {
    started.child.stderr?.on('data', (chunk: string) => {
      said += chunk;
      const [, found] = /^Listening at +(http:\S+)$/m.exec(said) ?? [];
      if (found !== undefined) resolve(found);
    });
    started.finished.then(({ stderr }) => reject(new Error(stderr)), reject);
  });
  return { ...started, origin };
}

interface Asked {
  readonly tenant?: string;
  readonly question?: string;
  readonly key?: string;
  readonly signal?: AbortSignal;
  readonly method?: string;
}

// biome-ignore lint/suspicious/noExplicitAny: tests read what they expect
async function send({ origin }: Served, path: string, asked: Asked = {}): Promise<any> {
  const { tenant = 'north', question, key, signal, method = question === undefined ? 'GET' : 'POST' } = asked;
  const response = await fetch(`${origin}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${tenant}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    ...(question === undefined ? {} : { body: JSON.stringify({ question }) }),
    ...(signal === undefined ? {} : { signal }),
  });
  return { status: response.status, ...((await response.json()) as object) };
}

interface PaidCall {
  readonly process: number;
  readonly item: string;
  readonly call: 1 | 2;
  readonly key: string;
}

function linesOf<T>(file: string): readonly T[] {
  if (!existsSync(project.path(file))) return [];
  const lines = readFileSync(project.path(file), 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as T);
}

it('three servers share 60 questions that one was sent; one is killed with -9, and no question is lost, and none paid twice', async () => {
  const [asked, killed, third] = await Promise.all([serve(), serve(4), serve()]);
  const items = Array.from({ length: QUESTIONS + MORE }, (_, at) => ({
    tenant: TENANTS[at % 2] ?? '',
    question: `How many of item-${at}?`,
    key: `key-${at}`,
  }));
  const outcomes = Promise.all(
    items.map((item, at) =>
      at < QUESTIONS
        ? send(asked, '/v1/ask', item)
        : send(killed, '/v1/ask', item).catch(() => send(third, '/v1/ask', item)),
    ),
  );
  await expect.poll(() => linesOf('gate.txt'), { timeout: 60_000 }).toHaveLength(CONCURRENCY);
  killed.child.kill('SIGKILL');
  const answered = await outcomes;
  for (const [at, outcome] of answered.entries())
    expect(outcome).toMatchObject({ type: 'answered', result: { rows: [[`item-${at} of ${TENANTS[at % 2]}`]] } });

  const calls = linesOf<PaidCall>('calls.txt');
  expect(new Set(calls.map(({ process }) => process))).toEqual(new Set([asked, killed, third].map(({ pid }) => pid)));
  const first = calls.filter(({ call }) => call === 1);
  const second = calls.filter(({ call }) => call === 2);
  expect(first.map(({ item }) => item).sort()).toEqual(items.map((_, at) => `item-${at}`).sort());
  // What was under way in the killed server was sent once more, by another one, under the same key.
  const standing = linesOf<string>('gate.txt');
  expect(second).toHaveLength(items.length + CONCURRENCY);
  for (const item of standing) {
    const [before, again, ...more] = second.filter((call) => call.item === item);
    expect(more).toEqual([]);
    expect(before).toMatchObject({ process: killed.pid, key: again?.key });
    expect(again?.process).not.toBe(killed.pid);
  }

  // The same request at another server is the same run, for nothing; somebody else's is not there.
  for (const at of [0, 1, 58, 59]) expect(await send(third, '/v1/ask', items[at])).toEqual(answered[at]);
  expect(linesOf('calls.txt')).toHaveLength(calls.length);
  for (const server of [asked, third]) {
    const path = `/v1/runs/${answered[0].runId}`;
    expect(await send(server, path)).toMatchObject({ status: 'ended', outcome: { result: answered[0].result } });
    expect(await send(server, path, { tenant: 'south' })).toMatchObject({ status: 404 });
    expect(await send(server, path, { tenant: 'south', method: 'DELETE' })).toMatchObject({ status: 404 });
  }

  // Stopped at a server that does not work on it, or because its reader has left another one.
  const stopped = Array.from({ length: 4 }, (_, at) => ({ question: `item-10${at}: stand still`, key: `stop-${at}` }));
  const stopping = stopped.map((each) => send(asked, '/v1/ask', each));
  await expect.poll(() => linesOf('standing.txt'), { timeout: 20_000 }).toHaveLength(4);
  const { entries } = await send(third, '/v1/history?limit=4');
  for (const { id } of entries) {
    expect(await send(third, `/v1/runs/${id}`)).toMatchObject({ status: 'running' });
    expect(await send(third, `/v1/runs/${id}`, { method: 'DELETE' })).toMatchObject({ status: 'ended' });
  }
  for (const each of await Promise.all(stopping)) expect(each).toMatchObject({ error: { code: 'REQUEST_CONFLICT' } });
  await expect.poll(() => linesOf('stopped.txt'), { timeout: 10_000 }).toHaveLength(4);
  const leaving = new AbortController();
  const left = { question: 'item-200: stand still', signal: leaving.signal };
  const leaver = send(third, '/v1/ask', left).catch(() => 'left');
  await expect.poll(() => linesOf('standing.txt'), { timeout: 20_000 }).toHaveLength(5);
  leaving.abort();
  expect(await leaver).toBe('left');
  await expect.poll(() => linesOf('stopped.txt'), { timeout: 10_000 }).toHaveLength(5);

  // Both that are left end in good order.
  for (const server of [asked, third]) {
    server.child.kill('SIGTERM');
    expect((await server.finished).code).toBe(0);
  }
});

it('a queue that cannot be reached is told at the start, without its password', async () => {
  const started = await runAskema(['serve', '--port', '0', '--queue', 'postgres://postgres@127.0.0.1:1/none'], {
    cwd: project.folder,
    env: { PGPASSWORD: 'unseen', XDG_STATE_HOME: project.path('state') },
  });
  expect(started.code).not.toBe(0);
  expect(started.stderr).toMatch(/127\.0\.0\.1:1/);
  expect(started.stderr).not.toContain('unseen');
});
