import { seededRandom } from '../inspect/seeded-random.ts';
import { type Comparison, compareText } from './compare-text.ts';
import type { FuzzedEngine } from './engines/fuzzed-engine.ts';
import { generateText } from './generate-text.ts';

/** Counts of one run, and what differed, each made as small as it goes. */
export interface FuzzReport {
  texts: number;
  /** The engine took them, so that there was something to compare. */
  compared: number;
  readonly known: Record<string, number>;
  differing: number;
  readonly differences: { readonly sql: string; readonly check: string; readonly detail: string }[];
}

export interface FuzzOptions {
  readonly seed: number;
  /** True when it is enough. */
  readonly isDone: (report: FuzzReport) => boolean;
  readonly onDifference?: ((difference: FuzzReport['differences'][number]) => void) | undefined;
}

/** Builds texts and compares what the engine makes of each with what our lexer does. */
export async function fuzzLexer(engine: FuzzedEngine, options: FuzzOptions): Promise<FuzzReport> {
  const random = seededRandom(options.seed);
  const report: FuzzReport = { texts: 0, compared: 0, known: {}, differing: 0, differences: [] };
  const seen = new Set<string>();
  while (!options.isDone(report)) {
    const pieces = generateText(random, engine);
    const comparison = await compareText(pieces.join(''), engine);
    report.texts += 1;
    if (comparison.kind === 'known') report.known[comparison.reason] = (report.known[comparison.reason] ?? 0) + 1;
    if (comparison.kind === 'rejected' || comparison.kind === 'known') continue;
    report.compared += 1;
    if (comparison.kind === 'agreed') continue;
    report.differing += 1;
    const smaller = await shrink(pieces, comparison.check, engine);
    if (seen.has(smaller.sql)) continue;
    seen.add(smaller.sql);
    report.differences.push(smaller);
    options.onDifference?.(smaller);
  }
  return report;
}

/** Leaves out pieces, then letters, as long as the same check finds a difference. */
async function shrink(
  pieces: readonly string[],
  check: string,
  engine: FuzzedEngine,
): Promise<FuzzReport['differences'][number]> {
  let kept = [...pieces];
  let found = await compareText(kept.join(''), engine);
  for (const parts of [kept, undefined]) {
    if (parts === undefined) kept = [...kept.join('')];
    for (let size = Math.ceil(kept.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2))
      for (let at = 0; at < kept.length; ) {
        const fewer = [...kept.slice(0, at), ...kept.slice(at + size)];
        const comparison: Comparison = await compareText(fewer.join(''), engine);
        if (comparison.kind === 'differs' && comparison.check === check) [kept, found] = [fewer, comparison];
        else at += size;
      }
  }
  return { sql: kept.join(''), check, detail: found.kind === 'differs' ? found.detail : '' };
}
