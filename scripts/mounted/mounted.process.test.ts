import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { ROOT } from '../workspace.ts';
import { checkMounted } from './check-mounted.ts';
import { originOf } from './origin-of.ts';

let folder = '';
let child: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-mounted-'));
});
afterEach(() => {
  child?.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

it.each(['hono', 'express'])('examples/servers/%s.ts asks, refuses, stops, and ends on SIGTERM', async (name) => {
  const audit = join(folder, 'audit.jsonl');
  child = spawn(process.execPath, [...process.execArgv, `examples/servers/${name}.ts`, '0'], {
    cwd: ROOT,
    env: { ...process.env, AUDIT: audit },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  await checkMounted(await originOf(child), audit);
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

it('the guide shows what stands in the examples', () => {
  const guide = readFileSync(join(ROOT, 'docs/guide/server.md'), 'utf8');
  const blocks = [...guide.matchAll(/^```ts (examples\/\S+)\n([\s\S]*?)^```/gm)];
  expect(blocks.map(([, file]) => file)).toEqual(
    ['askema.ts', 'hono.ts', 'express.ts', 'next/app/api/askema/[...path]/route.ts', 'sessions.ts'].map(
      (name) => `examples/servers/${name}`,
    ),
  );
  for (const [, file = '', code = ''] of blocks) expect(readFileSync(join(ROOT, file), 'utf8')).toContain(code);
});
