import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { fileAudit } from './file-audit.ts';
import { readAudit } from './read-audit.ts';

const PROGRAM = fileURLToPath(new URL('../testing/audit-in-child.ts', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'askema-rotation-'));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** The ids that a process said before it was killed, when it had said so many. */
async function writtenUntilKilled(file: string, count: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [...process.execArgv, PROGRAM, file], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'close');
  let told = '';
  child.stdout.on('data', (chunk) => {
    told += chunk;
    if (told.split('\n').length > count) child.kill('SIGKILL');
  });
  await ended;
  return told.trim().split('\n');
}

it('loses no line that was kept, when two processes write and are killed while months begin', async () => {
  const file = join(folder, 'audit.jsonl');
  const told = (await Promise.all([writtenUntilKilled(file, 500), writtenUntilKilled(file, 900)])).flat();
  expect(readdirSync(folder).length).toBeGreaterThan(20);
  // What comes after the crash begins a line of its own.
  const log = fileAudit({ file, rotate: 'month', runtime: { clock: { now: () => Date.UTC(2020, 0, 1) } } });
  const entry = { requestId: 'r', subject: 'bob', database: 'shop', route: 'POST /v1/sql', kind: 'statement' } as const;
  const last = await log.before(entry);
  await log.close?.();
  const found = new Set<string>();
  for await (const { id } of readAudit(file)) found.add(id);
  expect([...told, last].filter((id) => !found.has(id))).toEqual([]);
  expect(told.length).toBeGreaterThan(1_300);
});
