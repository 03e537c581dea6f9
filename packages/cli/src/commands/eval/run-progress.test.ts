import type { EvaluationProgress } from '@askema/eval';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../process/output.ts';
import { memoryHost } from '../../testing/memory-host.ts';
import { describeProgress, formatTimeLeft, formatUsd, startRunProgress } from './run-progress.ts';

const counts = { right: 20, wrong: 3, declined: 14, failed: 0, goldFailed: 0 };
const progress: EvaluationProgress = { done: 37, total: 226, counts, elapsedMs: 60_000 };

describe('describeProgress', () => {
  it('counts verdicts, and says nothing of a cost or a time that is not known', () => {
    expect(describeProgress(progress)).toBe('37/226 · 20 right · 3 wrong · 14 declined · 0 failed');
  });

  it('puts cost, budget and time left in front, where a narrow terminal keeps them', () => {
    expect(describeProgress({ ...progress, costUsd: 0.123, budgetUsd: 5, remainingMs: 306_000 })).toBe(
      '37/226 · $0.12 of $5.00 · about 5 min left · 20 right · 3 wrong · 14 declined · 0 failed',
    );
  });

  it('tells questions without gold, and no time left at the end', () => {
    const end = { ...progress, done: 226, remainingMs: 0, counts: { ...counts, goldFailed: 2 } };
    expect(describeProgress(end)).toBe('226/226 · 20 right · 3 wrong · 14 declined · 0 failed · 2 without gold');
  });
});

describe('startRunProgress', () => {
  it('writes a plain line at once and then at most every 30 seconds where there is no terminal', async () => {
    const host = memoryHost();
    let now = 0;
    const shown = startRunProgress(createOutput(host.stderr, {}), () => now);
    for (const [at, done] of [
      [0, 0],
      [1_000, 1],
      [29_999, 2],
      [30_000, 3],
      [45_000, 4],
      [61_000, 5],
    ] as const) {
      now = at;
      shown.show({ ...progress, done });
    }
    await shown.stop();
    expect(host.written.stderr.split('\n').map((line) => line.slice(0, 5))).toEqual(['0/226', '3/226', '5/226', '']);
  });

  it.each([
    [140, /███░{17} 37\/226 · \$0\.12 · 20 right/],
    [80, /^[^█]*⠙ 37\/226 · \$0\.12 · 20 right/],
  ])('changes one line of a terminal of %i columns, with a bar where there is room', async (columns, expected) => {
    const host = memoryHost({ columns });
    const shown = startRunProgress(createOutput(host.stderr, { NO_COLOR: '1' }), () => 0);
    shown.show({ ...progress, costUsd: 0.123 });
    await shown.stop();
    expect(host.written.stderr).toMatch(expected);
    expect(host.written.stderr).not.toContain('\n');
  });
});

it.each([
  [0, '$0.00'],
  [0.0042, '$0.0042'],
  [0.123, '$0.12'],
  [12.3, '$12.30'],
])('writes %d dollars as %s', (dollars, text) => {
  expect(formatUsd(dollars)).toBe(text);
});

it.each([
  [1, '1 s'],
  [59_000, '59 s'],
  [61_000, '1 min'],
  [3_540_000, '59 min'],
  [3_599_000, '1 h 00 min'],
  [11_100_000, '3 h 05 min'],
])('writes %i ms as %s', (milliseconds, text) => {
  expect(formatTimeLeft(milliseconds)).toBe(text);
});
