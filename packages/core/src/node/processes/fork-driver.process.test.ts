import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type StartedDriver, startDriver } from './fork-driver.ts';

// Each starts a process of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

vi.mock('node:child_process', { spy: true });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-fork-driver-'));
  writeFileSync(
    join(folder, 'program.mjs'),
    `process.on('message', (word) => process.send(process.env.QUICK + word));`,
  );
  writeFileSync(join(folder, 'brief.mjs'), '');
});
afterAll(() => rmSync(folder, { recursive: true }));

const start = (name: string): StartedDriver => startDriver({ file: join(folder, name), environment: { QUICK: 'so ' } });

test('what was started ahead is handed over once, and then is not ended', async () => {
  const started = start('program.mjs');
  const child = started.take();
  expect(started.take()).toBeUndefined();
  started.end();
  const said = new Promise((resolve) => child?.once('message', resolve));
  child?.send('it is');
  expect(await said).toBe('so it is');
  child?.kill();
});

test('what nobody takes is ended, and what has ended is not handed over', async () => {
  const unused = start('program.mjs');
  unused.end();
  expect(unused.take()).toBeUndefined();
  const brief = start('brief.mjs');
  const child = vi.mocked(fork).mock.results.at(-1)?.value;
  await once(child, 'exit');
  expect(brief.take()).toBeUndefined();
});
