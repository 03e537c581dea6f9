import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/**
 * Runs a program of a page (```ts run) from the sources, beside `examples`, and gives what it printed. Rejects where it fails, and
 * where it prints anything as an error.
 *
 * @param page from the root of the repository: `docs/guide/charts.md`
 * @param owner the folder of the package whose dependencies the program may import: `packages/chart`
 * @param at which program; 0 is the first
 */
export async function runPage(
  page: string,
  owner: string,
  at = 0,
): Promise<{ readonly text: string; readonly stdout: string }> {
  const text = readFileSync(join(ROOT, page), 'utf8');
  const program = [...text.matchAll(/^```ts run\n([\s\S]*?)^```/gm)][at]?.[1];
  if (program === undefined) throw new Error(`${page} has no program ${at}.`);
  // Inside the package, so that packages are found by their own names.
  const parent = join(ROOT, owner, '.askema');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'page-'));
  try {
    const file = join(folder, 'program.ts');
    symlinkSync(join(ROOT, 'examples'), join(folder, 'examples'));
    writeFileSync(file, program);
    const options = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning', file];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, options, { cwd: folder });
    if (stderr !== '') throw new Error(`The program of ${page} printed an error: ${stderr}`);
    return { text, stdout };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
