/**
 * Checks what would be published: every package is packed, then publint and attw look at the tarball.
 * Usage: node scripts/check-packages.ts (after `pnpm build`).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages } from './pack-packages.ts';
import { toolProgram } from './require-tool.ts';
import { runCommand } from './run-command.ts';
import { ROOT } from './workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-packages-'));
let failures = 0;
try {
  for (const [name, tarball] of packPackages(folder)) {
    const checks = [
      runCommand(toolProgram('publint'), ['run', tarball, '--strict'], { cwd: ROOT }),
      runCommand(toolProgram('attw'), [tarball, '--profile', 'esm-only', '--no-emoji'], { cwd: ROOT }),
    ];
    const bad = checks.filter((check) => check.status !== 0);
    failures += bad.length;
    console.log(`${bad.length === 0 ? 'ok  ' : 'FAIL'} ${name} (publint, attw)`);
    for (const check of bad) console.log(`${check.stdout}\n${check.stderr}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures > 0) process.exitCode = 1;
