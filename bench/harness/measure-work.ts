import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Work } from './bench.ts';
import type { Measured } from './result.ts';

/** How long and how often a work is repeated. */
export interface Repetition {
  readonly warmUpMs: number;
  readonly least: number;
  readonly most: number;
  readonly milliseconds: number;
}

export const REPETITION: Repetition = { warmUpMs: 300, least: 5, most: 300, milliseconds: 1_000 };
export const QUICK_REPETITION: Repetition = { warmUpMs: 20, least: 3, most: 50, milliseconds: 60 };

/**
 * Memory first, on a heap that was just collected, then warm-up, then timed runs. `small` is the same work of the
 * smallest size: it is done once before, so that code compiled at the first run does not count as memory of the work.
 */
export async function measureWork(work: Work, small: Work | undefined, repetition: Repetition): Promise<Measured> {
  await small?.run();
  await small?.close?.();
  const memory = await measureMemory(work);
  const warmUntil = performance.now() + repetition.warmUpMs;
  while (performance.now() < warmUntil) await work.run();
  const times: number[] = [];
  for (let total = 0; times.length < repetition.least || total < repetition.milliseconds; ) {
    if (times.length >= repetition.most) break;
    const before = performance.now();
    await work.run();
    const took = performance.now() - before;
    times.push(took);
    total += took;
  }
  times.sort((a, b) => a - b);
  const medianMs = quantile(times, 0.5);
  const figures = (await work.figures?.(medianMs)) ?? {};
  return {
    runs: times.length,
    medianMs,
    quartilesMs: [quantile(times, 0.25), quantile(times, 0.75)],
    ...memory,
    figures,
  };
}

async function measureMemory(work: Work): Promise<Pick<Measured, 'peakBytes' | 'keptBytes'>> {
  await collect();
  const before = process.memoryUsage();
  // The highest mark so far may lie above what is in use now: only what goes beyond it can be seen.
  const highest = process.resourceUsage().maxRSS * 1024;
  const held = await work.run();
  const peakBytes = Math.max(0, process.resourceUsage().maxRSS * 1024 - highest);
  await collect();
  const after = process.memoryUsage();
  const keptBytes = Math.max(0, after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers);
  hold(held);
  return { peakBytes, keptBytes };
}

/** Keeps its argument reachable up to here. */
function hold(value: unknown): void {
  if (value === hold) throw new Error('A work returned what only the harness knows.');
}

async function collect(): Promise<void> {
  for (let round = 0; round < 3; round += 1) {
    await nextTurn();
    globalThis.gc?.();
  }
}

/**
 * Of sorted numbers, the one below which this share lies, between neighbours where it falls between them; NaN of none.
 */
export function quantile(sorted: readonly number[], share: number): number {
  const at = (sorted.length - 1) * share;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}
