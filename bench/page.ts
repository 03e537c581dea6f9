/** Writes docs/benchmarks.md and docs/benchmarks/*.md from bench/results. Usage: npm run -s page --prefix bench */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from './harness/bench.ts';
import { RESULTS_FOLDER } from './harness/main.ts';
import { renderPage, renderRawPage } from './harness/render-page.ts';
import type { BenchResult } from './harness/result.ts';

const PAGE = fileURLToPath(new URL('../docs/benchmarks.md', import.meta.url));
const RAW_FOLDER = fileURLToPath(new URL('../docs/benchmarks/', import.meta.url));
const results = readdirSync(RESULTS_FOLDER)
  .filter((name) => name.endsWith('.json'))
  .map((name) => JSON.parse(readFileSync(path.join(RESULTS_FOLDER, name), 'utf8')) as BenchResult);
const current = await Promise.all(results.map(withNotes));
writeFileSync(PAGE, renderPage(current));
rmSync(RAW_FOLDER, { recursive: true, force: true });
mkdirSync(RAW_FOLDER);
for (const result of current) writeFileSync(path.join(RAW_FOLDER, `${result.id}.md`), renderRawPage(result));

/** Figures are those that were measured; titles and explanations are those of the bench as it is now. */
async function withNotes(result: BenchResult): Promise<BenchResult> {
  const file = new URL(`./${result.id}.ts`, import.meta.url);
  if (!existsSync(file)) return result;
  const { bench } = (await import(file.href)) as { readonly bench: Bench };
  const parts = result.parts.map((part) => {
    const now = bench.parts.find(({ id }) => id === part.id);
    return now === undefined ? part : { ...part, title: now.title, about: now.about };
  });
  return { ...result, about: bench.about, notes: bench.notes, parts };
}

process.stdout.write(
  `${results.length} results, written to ${path.relative(process.cwd(), PAGE)} and the folder beside it\n`,
);
