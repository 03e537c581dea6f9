/** Writes docs/benchmarks.md of what stands in bench/results. Usage: npm run -s page --prefix bench */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './harness/bench.ts';
import { RESULTS_FOLDER } from './harness/main.ts';
import { renderPage } from './harness/render-page.ts';
import type { BenchResult } from './harness/result.ts';

const PAGE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
const results = readdirSync(RESULTS_FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(path.join(RESULTS_FOLDER, name), 'utf8')) as BenchResult);
const current = await Promise.all(results.map(withNotes));
writeFileSync(PAGE, renderPage(current));

/** Figures are those that were measured; what they mean is told as the bench tells it now. */
async function withNotes(result: BenchResult): Promise<BenchResult> {
  const file = new URL(`./${result.id}.ts`, import.meta.url);
  if (!existsSync(file)) return result;
  const { bench } = (await import(file.href)) as { readonly bench: Bench };
  return { ...result, about: bench.about, notes: bench.notes };
}

process.stdout.write(`${results.length} results, written to ${path.relative(process.cwd(), PAGE)}\n`);
