import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type StartedDriver, startDriver } from './fork-driver.ts';

// Each starts a process of its own; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-fork-driver-'));
  writeFileSync(
    join(folder, 'program.mjs'),
    `process.on('message', (word) => process.send(process.env.QUICK + word));`,
  );
  writeFileSync(
    join(folder, 'brief.mjs'),
    `import { writeFileSync } from 'node:fs';
     writeFileSync(${JSON.stringify(join(folder, 'brief.pid'))}, String(process.pid));`,
  );
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
  // A process that has ended is no longer known to the system.
  await vi.waitFor(() => {
    const pid = Number(readFileSync(join(folder, 'brief.pid'), 'utf8'));
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  }, 30_000);
  expect(brief.take()).toBeUndefined();
});
