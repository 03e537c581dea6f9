/** Writes docs/benchmarks.md of what stands in bench/results. Usage: npm run -s page --prefix bench */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { RESULTS_FOLDER } from './harness/main.ts';
import { renderPage } from './harness/render-page.ts';
import type { BenchResult } from './harness/result.ts';

const PAGE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
const results = readdirSync(RESULTS_FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(path.join(RESULTS_FOLDER, name), 'utf8')) as BenchResult);
writeFileSync(PAGE, renderPage(results));
process.stdout.write(`${results.length} results, written to ${path.relative(process.cwd(), PAGE)}\n`);
