import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./test-support/paid-run.ts', import.meta.url));
const STEPS = ['one', 'two', 'three', 'four'];
const CALLS = STEPS.flatMap((step) => [`${step}.a`, `${step}.b`]);
const ANSWER = [
  'q one.a one.b',
  'q one.a one.b two.a two.b',
  'q one.a one.b two.a two.b three.a three.b',
  'q one.a one.b two.a two.b three.a three.b four.a four.b',
];

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'askema-kill-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const ledger = (): string[][] =>
  readFileSync(join(directory, 'ledger'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '));
const paidCalls = (): string[] => ledger().map(([call]) => call ?? '');

/**
 * Starts the program. With a point, kills it with -9 as soon as it says that it is there; returns the result otherwise.
 */
async function start(mode: 'run' | 'resume', point?: string): Promise<unknown> {
  const child = spawn(
    process.execPath,
    [
      '--conditions=@askema/source',
      '--disable-warning=ExperimentalWarning',
      PROGRAM,
      mode,
      join(directory, 'journal'),
      join(directory, 'ledger'),
      ...(point === undefined ? [] : [point]),
    ],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const exit = once(child, 'exit') as Promise<[code: number | null, signal: string | null]>;
  let errors = '';
  child.stderr.on('data', (data: Buffer) => {
    errors += data.toString();
  });
  let result: unknown;
  for await (const line of createInterface({ input: child.stdout })) {
    if (line === `passed ${point}`) child.kill('SIGKILL');
    if (line.startsWith('result ')) result = JSON.parse(line.slice('result '.length));
  }
  const [code, signal] = await exit;
  expect({ code, signal, errors }).toEqual(
    point === undefined ? { code: 0, signal: null, errors: '' } : { code: null, signal: 'SIGKILL', errors: '' },
  );
  return result;
}

describe('a run whose process is killed with -9', { timeout: 60_000 }, () => {
  it.each(STEPS)('after step %s is resumed, no finished call is repeated, and the answer is the same', async (step) => {
    await start('run', step);
    const paidBefore = 2 * (STEPS.indexOf(step) + 1);
    expect(paidCalls()).toEqual(CALLS.slice(0, paidBefore));
    expect(await start('resume')).toEqual({ question: 'q', answer: ANSWER });
    expect(paidCalls()).toEqual(CALLS);
  });

  it('after every single call in turn still pays for each call once', async () => {
    for (const [index, call] of CALLS.entries()) await start(index === 0 ? 'run' : 'resume', call);
    expect(await start('resume')).toEqual({ question: 'q', answer: ANSWER });
    expect(paidCalls()).toEqual(CALLS);
  });

  it('in the middle of a call repeats that call alone, under the same idempotency key', async () => {
    await start('run', 'in two.a');
    expect(await start('resume')).toEqual({ question: 'q', answer: ANSWER });
    expect(paidCalls()).toEqual([...CALLS.slice(0, 3), ...CALLS.slice(2)]);
    const keys = ledger().map(([, key]) => key);
    expect(keys[2]).toBe('paid/paid@1/two#1/a#1');
    expect(keys[3]).toBe(keys[2]);
  });
});
