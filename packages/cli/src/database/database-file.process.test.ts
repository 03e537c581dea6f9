import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startAskema } from '../testing/run-askema.ts';

test.skipIf(process.platform === 'win32')(
  'a named pipe is not opened (skipped on Windows, which has none)',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'askema-pipe-'));
    const pipe = join(folder, 'x.sqlite');
    spawnSync('mkfifo', [pipe]);
    const module = JSON.stringify(new URL('./database-file.ts', import.meta.url).href);
    const script = `const { kindOfFile } = await import(${module}); console.log(kindOfFile(${JSON.stringify(pipe)}))`;
    // In a process of its own: one that waits for a pipe can only be killed.
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      timeout: 20_000,
      killSignal: 'SIGKILL',
      encoding: 'utf8',
    });
    rmSync(folder, { recursive: true });
    expect(stdout).toBe('sqlite\n');
  },
  30_000,
);

test.skipIf(process.platform === 'win32')(
  'a command says that a named pipe is no file (skipped on Windows, which has none)',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'askema-pipe-'));
    for (const name of ['x.sqlite', 'x.csv']) {
      const pipe = join(folder, name);
      spawnSync('mkfifo', [pipe]);
      const { code, stderr } = await startAskema(['check', pipe]).finished;
      expect(stderr).toMatch(/is no regular file.*\[DATABASE_INVALID\]/);
      expect(code).not.toBe(0);
    }
    rmSync(folder, { recursive: true });
  },
  60_000,
);
