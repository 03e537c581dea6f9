/**
 * Checks what would be published: the changesets make versions in a clone, every package is packed, then publint and
 * attw look at the tarball.
 * Usage: node scripts/check-packages.ts (after `pnpm build`).
 */
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages } from './pack-packages.ts';
import { toolProgram } from './require-tool.ts';
import { mustRun, runCommand } from './run-command.ts';
import { ROOT } from './workspace.ts';

const folder = mkdtempSync(join(tmpdir(), 'askema-packages-'));
let failures = 0;
try {
  failures += versionsInClone(join(folder, 'clone'));
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

/** What a release does first; a changeset that names a package which is not there fails it. */
function versionsInClone(clone: string): number {
  mustRun('git', ['clone', '-q', ROOT, clone]);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  const { status, stdout, stderr } = runCommand(join(ROOT, 'node_modules/.bin/changeset'), ['version'], { cwd: clone });
  console.log(`${status === 0 ? 'ok  ' : 'FAIL'} changeset version${status === 0 ? '' : `\n${stdout}\n${stderr}`}`);
  return status === 0 ? 0 : 1;
}
