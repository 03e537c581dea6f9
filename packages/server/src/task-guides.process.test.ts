import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { freePort } from './testing/free-port.ts';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
// Inside the package, so that packages are found by their own names.
const FOLDER = fileURLToPath(new URL('../.askema/task-guides/', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../cli/src/main.ts', import.meta.url));
const FROM_SOURCES = `process.execPath, args: ['--conditions=@askema/source', '${COMMAND}', `;
const children: ChildProcess[] = [];

beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
afterEach(() => {
  vi.unstubAllGlobals();
  for (const child of children.splice(0)) child.kill('SIGKILL');
});
afterAll(() => rmSync(FOLDER, { recursive: true, force: true }));

/** The blocks of a guide with this word behind their fence. */
function blocksOf(guide: string, kind: string): readonly string[] {
  const text = readFileSync(join(ROOT, 'docs/guide', guide), 'utf8');
  return [...text.matchAll(/^```([^\n]*)\n([\s\S]*?)^```/gm)].flatMap(([, fence, code = '']) =>
    fence === kind ? [code] : [],
  );
}

/** Runs a program from the sources, in the root as its reader does. */
function start(name: string, code: string): ChildProcess {
  const file = join(FOLDER, name);
  writeFileSync(file, code);
  const options = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', file];
  const child = spawn(process.execPath, options, { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
  children.push(child);
  return child;
}

async function ended(child: ChildProcess): Promise<{ readonly stdout: string }> {
  let [stdout, stderr] = ['', ''];
  child.stdout?.on('data', (text) => {
    stdout += text;
  });
  child.stderr?.on('data', (text) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`The program ended with ${code}: ${stderr}`);
  return { stdout };
}

async function answers(origin: string, child: ChildProcess): Promise<void> {
  while (child.exitCode === null && (await fetch(`${origin}/askema/health`).catch(() => undefined)) === undefined)
    await wait(50);
}

it('into my server: the page asks, shows steps, rows and a chart, and answers what is asked back', async () => {
  const [program = ''] = blocksOf('into-my-server.md', 'ts check');
  const [page = ''] = blocksOf('into-my-server.md', 'js');
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const child = start('server.ts', program.replace('3000', String(port)));
  await answers(origin, child);
  const send = globalThis.fetch;
  vi.stubGlobal('fetch', (path: string, init: RequestInit) => send(`${origin}${path}`, init));
  writeFileSync(join(FOLDER, 'ask.mjs'), page);
  const { ask } = await import(join(FOLDER, 'ask.mjs'));
  const asked = async (question: string) => {
    const seen: Record<string, unknown[]> = { step: [], rows: [], answered: [], choose: [], failed: [] };
    const view = Object.fromEntries(
      Object.keys(seen).map((what) => [
        what,
        (...told: unknown[]) => {
          seen[what]?.push(...told);
          return '2';
        },
      ]),
    );
    await ask('/v1/ask', { question }, view);
    return seen;
  };
  expect(await asked('Number of customers per country')).toMatchObject({
    step: ['get-schema', 'generate-sql', 'execute-sql', 'weigh-readings'],
    rows: [expect.arrayContaining([['Denmark', '14']]), [{ name: 'country' }, { name: 'COUNT(*)' }]],
    answered: [expect.stringContaining('GROUP BY country'), expect.stringMatching(/^<svg /)],
  });
  expect(await asked('How many distinct cities are there?')).toMatchObject({
    choose: [expect.any(String), [{ id: '1' }, { id: '2' }]],
    rows: [[['24']], [{}]],
    answered: ['SELECT COUNT(DISTINCT city) FROM customers', undefined],
  });
  expect((await asked('What is the meaning of life?')).failed).toEqual([expect.stringContaining('meaning')]);
  await expect(asked('')).rejects.toThrow('question');
});

it('into my agent: a client starts the command, is asked back and gets the answer', async () => {
  const [program = ''] = blocksOf('into-my-agent.md', 'ts run');
  const { stdout } = await ended(start('agent.ts', program.replace(/'npx', args: \['askema', /, FROM_SOURCES)));
  expect(stdout).toMatch(/^ask search_catalog run_sql check_sql\n.*Which one is meant\?.*type: 'answered'/s);
});

it('into a chat: the bot says what stands below it', async () => {
  const [program = ''] = blocksOf('into-a-chat.md', 'ts run');
  const [shown] = blocksOf('into-a-chat.md', 'text');
  expect((await ended(start('bot.ts', program))).stdout).toBe(shown);
});
