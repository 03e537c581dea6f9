/**
 * Checks what would be published: every package is packed, then publint and attw look at the tarball.
 * Usage: node scripts/check-packages.ts (after `pnpm build`).
 */
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mustRun, runCommand } from './run-command.ts';
import { publishedPackages, ROOT } from './workspace.ts';

const bin = (name: string): string => join(ROOT, 'node_modules', '.bin', name);
const folder = mkdtempSync(join(tmpdir(), 'askema-packages-'));
let failures = 0;
try {
  for (const { folder: packageFolder, manifest } of publishedPackages()) {
    mustRun('npx', ['-y', 'pnpm@10', '-s', 'pack', '--pack-destination', folder], { cwd: packageFolder });
    const prefix = `${manifest.name.replace('@', '').replace('/', '-')}-${manifest.version}.tgz`;
    const tarball = readdirSync(folder).find((file) => file === prefix);
    if (tarball === undefined) throw new Error(`${manifest.name} was packed, but ${prefix} is not there`);
    const checks = [
      runCommand(bin('publint'), ['run', join(folder, tarball), '--strict'], { cwd: ROOT }),
      runCommand(bin('attw'), [join(folder, tarball), '--profile', 'esm-only', '--no-emoji'], { cwd: ROOT }),
    ];
    const bad = checks.filter((check) => check.status !== 0);
    failures += bad.length;
    console.log(`${bad.length === 0 ? 'ok  ' : 'FAIL'} ${manifest.name} (publint, attw)`);
    for (const check of bad) console.log(`${check.stdout}\n${check.stderr}`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
if (failures > 0) process.exitCode = 1;
