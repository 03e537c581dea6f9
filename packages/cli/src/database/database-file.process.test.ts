import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

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
