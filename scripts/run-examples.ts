/**
 * Runs every example of examples/ (the numbered files) from the sources, without a key, and shows what each printed.
 * Usage: node scripts/run-examples.ts
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from './run-command.ts';
import { ROOT } from './workspace.ts';

const examples = readdirSync(join(ROOT, 'examples'))
  .filter((file) => /^\d+.*\.ts$/.test(file))
  .sort();
if (examples.length === 0) throw new Error('examples/ holds no numbered example');
for (const example of examples) {
  const result = runCommand(process.execPath, ['--conditions=@askema/source', join('examples', example)], {
    cwd: ROOT,
    timeoutMs: 60_000,
  });
  console.log(`--- ${example}\n${result.stdout.trimEnd()}`);
  if (result.status !== 0) {
    console.error(result.stderr);
    throw new Error(`examples/${example} exited with ${result.status}`);
  }
}
