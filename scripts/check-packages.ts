/**
 * Checks what would be published: the changesets make versions in a clone, every package is packed, then publint and
 * attw look at the tarball.
 * Usage: node scripts/check-packages.ts (after `pnpm build`).
 */
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packPackages } from './pack-packages.ts';
import { importTool } from './require-tool.ts';
import { mustRun, runCommand } from './run-command.ts';
import { ROOT } from './workspace.ts';

interface Publint {
  publint(options: { pack: { tarball: ArrayBuffer }; strict: boolean }): Promise<{ messages: readonly object[] }>;
}
interface Attw {
  createPackageFromTarballData(data: Uint8Array): object;
  checkPackage(
    contents: object,
  ): Promise<{ types: false } | { problems: readonly { readonly kind: string; readonly resolutionKind?: string }[] }>;
}
/** How the packages cannot be imported: they are ES modules, and for compilers that read `exports`. */
const NOT_OFFERED: readonly (string | undefined)[] = ['node10', 'node16-cjs'];

const folder = mkdtempSync(join(tmpdir(), 'askema-packages-'));
let failures = 0;
try {
  failures += versionsInClone(join(folder, 'clone'));
  const { publint } = await importTool<Publint>('publint');
  const { checkPackage, createPackageFromTarballData } = await importTool<Attw>('@arethetypeswrong/core');
  for (const [name, tarball] of packPackages(folder)) {
    const data = new Uint8Array(readFileSync(tarball));
    const analysis = await checkPackage(createPackageFromTarballData(data));
    const problems = [
      ...(await publint({ pack: { tarball: data.buffer }, strict: true })).messages,
      ...('problems' in analysis
        ? analysis.problems.filter(({ resolutionKind }) => !NOT_OFFERED.includes(resolutionKind))
        : [{ kind: 'NoTypes' }]),
    ];
    failures += problems.length;
    console.log(`${problems.length === 0 ? 'ok  ' : 'FAIL'} ${name} (publint, attw)`);
    for (const problem of problems) console.log(JSON.stringify(problem));
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
