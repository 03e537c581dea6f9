/** Runs all benches, one after the other, and writes the page. Usage: npm run -s all --prefix bench [-- --quick] */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { BENCHES } from './harness/benches.ts';

const quick = process.argv.includes('--quick') || process.env.npm_config_quick === 'true';
const flags = ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning'];
const run = (name: string, args: readonly string[]): number => {
  const file = fileURLToPath(new URL(`./${name}.ts`, import.meta.url));
  return spawnSync(process.execPath, [...flags, file, ...args], { stdio: 'inherit' }).status ?? 1;
};
const failed = BENCHES.filter((name) => {
  const started = performance.now();
  const status = run(name, quick ? ['--quick'] : []);
  process.stderr.write(`${name}: ${((performance.now() - started) / 1_000).toFixed(0)} s\n`);
  return status !== 0;
});
if (failed.length > 0) process.stderr.write(`These failed: ${failed.join(', ')}\n`);
if (!quick && run('page', []) !== 0) failed.push('page');
process.exitCode = failed.length > 0 ? 1 : 0;
