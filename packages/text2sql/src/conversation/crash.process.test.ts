import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';

const SOURCE = fileURLToPath(new URL('../fixtures/converse-in-child.ts', import.meta.url));
/** In one file it starts in a third of the time; inside the package, where it finds the parser. */
const FOLDER = fileURLToPath(new URL('../../.askema/conversation/', import.meta.url));
const PROGRAM = path.join(FOLDER, 'program.mjs');
const children: ChildProcess[] = [];
const folders: string[] = [];

beforeAll(async () => {
  await build({
    ...{ entryPoints: [SOURCE], outfile: PROGRAM, bundle: true, format: 'esm', platform: 'node', target: 'node22' },
    ...{ conditions: ['@askema/source'], external: ['vitest', 'node-sql-parser'], logLevel: 'error' },
  });
});
afterAll(() => rmSync(FOLDER, { recursive: true }));
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function place(): { readonly journal: string; readonly calls: string } {
  const folder = mkdtempSync(path.join(tmpdir(), 'askema-converse-'));
  folders.push(folder);
  writeFileSync(path.join(folder, 'calls.txt'), '');
  return { journal: path.join(folder, 'journal'), calls: path.join(folder, 'calls.txt') };
}

/** Runs the child until it says something: `gate`, at which it is killed with -9, or the turns as JSON. */
async function converse({ journal, calls }: ReturnType<typeof place>, mode: 'gate' | 'through'): Promise<string> {
  const child = spawn(process.execPath, ['--no-warnings', PROGRAM, journal, calls, mode]);
  children.push(child);
  let said = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
    if (said === 'gate\n') child.kill('SIGKILL');
  });
  await once(child, 'close');
  // Ids of runs are random.
  return said === '' ? `nothing said: ${errors}` : said.trim().replaceAll(/conversation-[\da-f-]{36}/g, 'run');
}

it('killed with -9 behind each write in turn, it loses no turn and pays no model call twice', async () => {
  const undisturbed = place();
  const expected = await converse(undisturbed, 'through');
  expect(JSON.parse(expected)).toMatchObject([
    { turn: 1, answer: { type: 'answered' } },
    { turn: 2, understood: { kind: 'refine' }, answer: { type: 'answered' } },
    { turn: 3, answer: { type: 'needsClarification' } },
    { turn: 4, understood: { kind: 'answer', of: 3 }, answer: { sql: 'SELECT shipped' } },
  ]);
  const calls = readFileSync(undisturbed.calls, 'utf8');
  expect(calls.trim().split('\n')).toHaveLength(5);

  const killed = place();
  let kills = 0;
  let said = await converse(killed, 'gate');
  for (; said === 'gate'; said = await converse(killed, 'gate')) kills += 1;
  expect(said).toBe(expected);
  // Three writes of each turn, one of each message that a model read, and those of the runs.
  expect(kills).toBeGreaterThan(4 * 3 + 2 + 4);
  expect(readFileSync(killed.calls, 'utf8')).toBe(calls);
}, 120_000);

it('two processes on one conversation: while one answers, the other is told to wait', async () => {
  const shared = place();
  const first = spawn(process.execPath, ['--no-warnings', PROGRAM, shared.journal, shared.calls, 'gate']);
  children.push(first);
  await once(first.stdout, 'data');
  expect(await converse(shared, 'through')).toContain('JOURNAL_LOCKED');
  first.kill('SIGKILL');
  await once(first, 'close');
  expect(JSON.parse(await converse(shared, 'through'))).toHaveLength(4);
});
