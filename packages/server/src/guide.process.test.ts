import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freePort } from './testing/free-port.ts';

const PAGE = fileURLToPath(new URL('../../../docs/guide/server.md', import.meta.url));
// Inside the package, so that packages are found by their own names.
const FOLDER = fileURLToPath(new URL('../.askema/guide/', import.meta.url));
let child: ChildProcess | undefined;

beforeAll(() => mkdirSync(FOLDER, { recursive: true }));
afterAll(() => {
  child?.kill();
  rmSync(FOLDER, { recursive: true, force: true });
});

test('the three lines of the guide serve what stands below them', async () => {
  const text = readFileSync(PAGE, 'utf8');
  const [, code = ''] = /^```ts check\n([\s\S]*?)^```/m.exec(text) ?? [];
  const [, shown = ''] = /^\$ curl \S+\n(.*)$/m.exec(text) ?? [];
  const port = await freePort();
  const file = join(FOLDER, 'server.ts');
  writeFileSync(file, code.replace('8080', String(port)));
  const options = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', file];
  child = spawn(process.execPath, options, { cwd: FOLDER, stdio: 'inherit' });
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { headers }).catch(() => undefined);
  while ((await ask('/health')) === undefined && child.exitCode === null) await wait(50);
  expect(await (await ask('/v1/databases'))?.text()).toBe(shown);
  expect((await ask('/v1/databases', { 'x-forwarded-for': '10.0.0.7' }))?.status).toBe(401);
  expect((await ask('/v1/databases', { origin: 'https://evil.example' }))?.status).toBe(403);
});
