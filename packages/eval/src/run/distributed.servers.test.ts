import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type StartedServer, startServer } from '../../../../servers/start-server.ts';
import type { EvaluationResult } from './evaluation-result.ts';

const WORKER = fileURLToPath(new URL('./fixtures/evaluate-distributed.ts', import.meta.url));
const QUESTIONS = 200;
/** As the workers have it. */
const CONCURRENCY = 4;
/** Far above what it takes: a hang ends, a slow machine does not matter. */
const PATIENCE_MS = 150_000;

let server: StartedServer;
let connection = '';
let root = '';
let ledger = '';
const workers: ChildProcess[] = [];

beforeAll(async () => {
  server = await startServer('postgres/start.mjs', [], {
    needs: 'a PostgreSQL server (Debian: apt-get install postgresql)',
  });
  const { host, port, password } = server.ready;
  connection = `postgres://postgres:${password}@${host}:${port}/postgres`;
  root = mkdtempSync(path.join(tmpdir(), 'askema-distributed-'));
  ledger = path.join(root, 'ledger.jsonl');
  writeFileSync(ledger, '');
  mkdirSync(path.join(root, 'databases'));
  writeFileSync(path.join(root, 'databases', 'shop.sqlite'), '');
  const rows = [...Array(QUESTIONS).keys()].map((n) =>
    JSON.stringify({ id: `q${n}`, db_id: 'shop', question: `What is item-${n}?`, gold_sql: 'SELECT 1' }),
  );
  writeFileSync(path.join(root, 'questions.jsonl'), rows.join('\n'));
});

afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await server?.stop();
  rmSync(root, { recursive: true, force: true });
});

interface StartedWorker {
  readonly process: ChildProcess;
  /** Resolves when it has said this; rejects when it ends before. */
  said(word: string): Promise<void>;
}

function startWorker(out: string, gateAfter = ''): StartedWorker {
  const child = spawn(
    process.execPath,
    ['--conditions=@askema/source', '--no-warnings', WORKER, root, path.join(root, out), ledger, connection, gateAfter],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  workers.push(child);
  let text = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const ended = once(child, 'close').then(() => {});
  const saying = (async () => {
    for await (const chunk of child.stdout) {
      text += String(chunk);
      child.emit('said');
    }
  })();
  saying.catch(() => {});
  return {
    process: child,
    said: (word) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (text.split('\n').includes(word)) resolve();
        };
        child.on('said', look);
        look();
        ended.then(() => {
          look();
          reject(new Error(`The worker of ${out} ended before it said ${word}: ${errors}`));
        });
      }),
  };
}

function resultsOf(out: string): readonly EvaluationResult[] {
  const lines = readFileSync(path.join(root, out, 'results.jsonl'), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as EvaluationResult);
}

interface PaidCall {
  readonly process: number;
  readonly question: string;
  readonly call: 1 | 2;
  readonly key: string;
}

function paidCalls(): readonly PaidCall[] {
  return readFileSync(ledger, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as PaidCall);
}

const ids = [...Array(QUESTIONS).keys()].map((n) => `q${n}`).sort();
const idsOf = (results: readonly EvaluationResult[]): readonly string[] => results.map(({ id }) => id).sort();

it(
  '200 questions on 3 processes, one of them killed with -9: every result once, and no finished call paid twice',
  async () => {
    // The first fills the queue, does some questions, and then stands still in the second call of all that it has
    // begun.
    const killed = startWorker('killed', '10');
    await killed.said('gate');
    const survivors = ['first', 'second'].map((out) => startWorker(out));
    await Promise.all(survivors.map((worker) => worker.said('working')));
    killed.process.kill('SIGKILL');
    await once(killed.process, 'close');
    await Promise.all(survivors.map((worker) => worker.said('done')));

    for (const out of ['first', 'second']) {
      const results = resultsOf(out);
      expect(idsOf(results)).toEqual(ids);
      expect(results.filter(({ verdict }) => verdict !== 'right')).toEqual([]);
    }
    const client = new Client({ connectionString: connection });
    await client.connect();
    const { rows } = await client.query(
      'SELECT status, count(*)::int AS jobs FROM dbos.workflow_status GROUP BY status',
    );
    await client.end();
    expect(rows).toEqual([{ status: 'SUCCESS', jobs: QUESTIONS }]);

    const paid = paidCalls();
    const first = paid.filter(({ call }) => call === 1);
    const second = paid.filter(({ call }) => call === 2);
    // What had ended was not paid for again, also by those who went on with a question in its middle.
    expect(first).toHaveLength(QUESTIONS);
    expect(new Set(first.map(({ question }) => question)).size).toBe(QUESTIONS);
    // What the killed process had begun is the only thing that was begun twice, with the key that lets a vendor see it.
    expect(second).toHaveLength(QUESTIONS + CONCURRENCY);
    const again = second.filter(({ question }, at) => second.findIndex((call) => call.question === question) !== at);
    expect(again).toHaveLength(CONCURRENCY);
    for (const { question, key, process: by } of again) {
      const before = second.find((call) => call.question === question);
      expect(before).toMatchObject({ process: killed.process.pid, key });
      expect(by).not.toBe(killed.process.pid);
    }

    // The same command once more, on the machine that was lost: everything is there, and nothing is paid.
    await startWorker('killed').said('done');
    expect(idsOf(resultsOf('killed'))).toEqual(ids);
    expect(paidCalls()).toHaveLength(paid.length);
  },
  PATIENCE_MS,
);
