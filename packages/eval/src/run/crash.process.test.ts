import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it, vi } from 'vitest';
import type { EvaluationResult, EvaluationSummary } from './evaluation-result.ts';

const CHILD = fileURLToPath(new URL('./fixtures/evaluate-in-child.ts', import.meta.url));
const QUICK_START = new URL('../../../../scripts/testing/quick-start.ts', import.meta.url).href;
const NODE = ['--conditions=@askema/source', '--no-warnings', '--import', QUICK_START, CHILD];
const children: ChildProcess[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const root of folders.splice(0)) rmSync(root, { recursive: true });
});

/** Resolves with what the child says first: `gate` or `done`. */
async function startChild(args: readonly string[]): Promise<{ child: ChildProcess; said: string }> {
  const child = spawn(process.execPath, [...NODE, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  children.push(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const said = await Promise.race([
    once(child.stdout, 'data').then(([chunk]) => String(chunk).trim()),
    once(child, 'exit').then(() => `exited: ${errors}`),
  ]);
  return { child, said };
}

it('killed with -9 in the middle of a question, a second start has every id once and asks nothing twice', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'askema-eval-crash-'));
  folders.push(root);
  mkdirSync(path.join(root, 'databases'));
  writeFileSync(path.join(root, 'databases', 'shop.sqlite'), '');
  const ids = ['q0', 'q1', 'q2', 'q3', 'q4'];
  const rows = ids.map((id) => JSON.stringify({ id, db_id: 'shop', question: `ask ${id}`, gold_sql: 'SELECT 1' }));
  writeFileSync(path.join(root, 'questions.jsonl'), rows.join('\n'));
  const out = path.join(root, 'out');
  const asked = path.join(root, 'asked.txt');

  for (const gate of ['ask q1', 'ask q3']) {
    const { child, said } = await startChild([root, out, asked, gate]);
    expect(said).toBe('gate');
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  const last = await startChild([root, out, asked]);
  expect(last.said).toBe('done');

  const results = readFileSync(path.join(out, 'results.jsonl'), 'utf8').trimEnd().split('\n');
  expect(results.map((line) => (JSON.parse(line) as EvaluationResult).id)).toEqual(ids);
  // Only the two questions that were in flight were asked a second time.
  expect(readFileSync(asked, 'utf8').trimEnd().split('\n')).toEqual(
    ['q0', 'q1', 'q1', 'q2', 'q3', 'q3', 'q4'].map((id) => `ask ${id}`),
  );
  const summary = JSON.parse(readFileSync(path.join(out, 'summary.json'), 'utf8')) as EvaluationSummary;
  expect(summary.total.counts.right).toBe(5);
}, 90_000);

it('refuses a folder that another process is writing', async () => {
  const root = mkdtempSync(path.join(tmpdir(), 'askema-eval-lock-'));
  folders.push(root);
  mkdirSync(path.join(root, 'databases'));
  writeFileSync(path.join(root, 'databases', 'shop.sqlite'), '');
  writeFileSync(
    path.join(root, 'questions.jsonl'),
    JSON.stringify({ id: 'q0', db_id: 'shop', question: 'ask', gold_sql: 'SELECT 1' }),
  );
  const args = [root, path.join(root, 'out'), path.join(root, 'asked.txt'), 'ask'];
  expect((await startChild(args)).said).toBe('gate');
  expect((await startChild(args)).said).toContain('JOURNAL_LOCKED');
}, 90_000);

it.runIf(process.platform === 'linux')(
  'goes on in the folder of a process that was killed and never collected (skipped: needs the /proc of Linux)',
  async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'askema-eval-zombie-'));
    folders.push(root);
    mkdirSync(path.join(root, 'databases'));
    writeFileSync(path.join(root, 'databases', 'shop.sqlite'), '');
    const row = { id: 'q0', db_id: 'shop', question: 'ask', gold_sql: 'SELECT 1' };
    writeFileSync(path.join(root, 'questions.jsonl'), JSON.stringify(row));
    const out = path.join(root, 'out');
    const args = [root, out, path.join(root, 'asked.txt')];
    // The shell becomes a program that never asks how its children ended.
    const node = [process.execPath, ...NODE, ...args, 'ask'];
    const parent = spawn('sh', ['-c', '"$@" & exec sleep 80', 'sh', ...node], { stdio: ['ignore', 'pipe', 'ignore'] });
    children.push(parent);
    expect(String((await once(parent.stdout, 'data'))[0]).trim()).toBe('gate');
    const { pid } = JSON.parse(readFileSync(path.join(out, 'run.lock'), 'utf8')) as { pid: number };
    process.kill(pid, 'SIGKILL');
    await vi.waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, 'utf8')).toMatch(/\) Z /), { timeout: 30_000 });
    expect((await startChild(args)).said).toBe('done');
  },
  90_000,
);
