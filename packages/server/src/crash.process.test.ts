import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const PROGRAM = fileURLToPath(new URL('./testing/serve-in-child.ts', import.meta.url));
const children: ChildProcessWithoutNullStreams[] = [];
const folders: string[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL');
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

function place() {
  const folder = mkdtempSync(join(tmpdir(), 'askema-server-'));
  folders.push(folder);
  writeFileSync(join(folder, 'calls.txt'), '');
  return { journal: join(folder, 'journal'), calls: join(folder, 'calls.txt') };
}

function start({ journal, calls }: ReturnType<typeof place>, mode: string) {
  const child = spawn(process.execPath, [...process.execArgv, '--no-warnings', PROGRAM, journal, calls, mode]);
  children.push(child);
  let said = '';
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk.toString();
  });
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const closed = once(child, 'close');
  return { child, closed, said: () => said, errors: () => errors };
}

/** What the process says, killed with -9 at `gate`. */
async function run(at: ReturnType<typeof place>, mode: 'gate' | 'through'): Promise<string> {
  const { child, closed, said, errors } = start(at, mode);
  child.stdout.on('data', () => {
    if (said().includes('gate\n')) child.kill('SIGKILL');
  });
  await closed;
  return said() === '' ? `nothing said: ${errors()}` : said().trim();
}

it('12: killed with -9 behind each write in turn, an accepted question is neither lost nor paid twice', async () => {
  const undisturbed = place();
  const expected = JSON.parse(await run(undisturbed, 'through'));
  expect(expected).toMatchObject({
    type: 'answered',
    sql: 'SELECT name FROM users',
    rows: [['north-canary', expect.any(String)]],
  });

  const killed = place();
  let kills = 0;
  let said = await run(killed, 'gate');
  for (; said === 'gate'; said = await run(killed, 'gate')) kills += 1;
  // The key, the record, and the steps of the run.
  expect(kills).toBeGreaterThan(4);
  expect(JSON.parse(said)).toEqual({ ...expected, runId: expect.any(String) });
  // Asked again, it is the same run.
  expect(JSON.parse(await run(killed, 'through'))).toEqual(JSON.parse(said));
  const paid = readFileSync(killed.calls, 'utf8').trim().split('\n');
  expect(paid).toEqual(['Who is there?']);
}, 120_000);

it('12: on SIGTERM a server refuses what is new, ends what runs, and goes', async () => {
  const { child, closed, said, errors } = start(place(), 'listen');
  await expect.poll(() => said() + errors(), { timeout: 20_000 }).toMatch(/port \d+\n/);
  const [, port] = /port (\d+)/.exec(said()) ?? [];
  const asked = fetch(`http://127.0.0.1:${port}/v1/ask`, {
    method: 'POST',
    headers: {
      authorization: 'Bearer ann',
      'content-type': 'application/json',
      accept: 'text/event-stream',
      connection: 'close',
    },
    body: JSON.stringify({ question: 'Who is there?' }),
  });
  await expect.poll(said, { timeout: 10_000 }).toContain('asked');
  child.kill('SIGTERM');
  const text = await (await asked).text();
  expect(text).toMatch(/event: outcome\ndata: \{.*"type":"answered"/);
  expect(await closed).toEqual([0, null]);
  expect(said()).toContain('refused 503');
}, 60_000);
