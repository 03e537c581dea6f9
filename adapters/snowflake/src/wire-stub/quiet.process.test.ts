import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { httpStatus, ONE_COLUMN, running } from './open-on.ts';
import { result, startWireStub } from './wire-stub.ts';

test('the driver writes no file, says nothing, asks nobody else, and keeps no process alive', {
  timeout: 90_000,
}, async () => {
  const stub = await startWireStub(
    running(({ body }) =>
      body?.sqlText === 'SELECT 2' ? httpStatus(503) : result({ columns: ONE_COLUMN, rows: [['1']] }),
    ),
  );
  const folder = mkdtempSync(join(tmpdir(), 'askema-quiet-'));
  // The driver keeps answers about certificates in the cache of the user.
  const home = mkdtempSync(join(tmpdir(), 'askema-quiet-home-'));
  onTestFinished(async () => {
    for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
    await stub.kill();
  });
  const program = fileURLToPath(new URL('./quiet.ts', import.meta.url));
  const { HOME: _home, ...environment } = process.env;
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', program, stub.url],
    { cwd: folder, timeout: 80_000, env: { ...environment, HOME: home, NODE_OPTIONS: '' } },
  );
  const endedAt = Date.now();
  expect(stderr).toBe('');
  const { storm, closedAt } = JSON.parse(stdout) as { readonly storm: string; readonly closedAt: number };
  expect(storm).toBe('DATABASE_UNAVAILABLE');
  // Nothing that waits for a next try is left: the process is gone as soon as the adapter is closed.
  expect(endedAt - closedAt).toBeLessThan(4_000);
  expect(readdirSync(folder)).toEqual([]);
  expect(stub.seen('/telemetry/send')).toEqual([]);
  expect(stub.seen('abort-request')).toHaveLength(1);
});
