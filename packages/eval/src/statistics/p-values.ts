import { AskemaError } from '@askema/core';

/**
 * The exact, two-sided McNemar test: how probable so uneven a split of the questions that changed sides would be if
 * each had gone either way with equal chance. `gained` are right in the second run only, `lost` in the first only. 1
 * when nothing changed. Source: Q. McNemar, 1947; the exact form is the sign test on the pairs that differ.
 *
 * @throws AskemaError `INPUT_INVALID` for numbers that are no counts.
 */
export function exactMcNemar(gained: number, lost: number): number {
  for (const count of [gained, lost]) {
    if (!(Number.isInteger(count) && count >= 0))
      throw new AskemaError('INPUT_INVALID', `${count} is no number of questions.`);
  }
  const trials = gained + lost;
  const fewer = Math.min(gained, lost);
  // Terms of the binomial distribution as logarithms, so that thousands of changes do not underflow.
  let term = -trials * Math.LN2;
  let tail = Math.exp(term);
  for (let count = 1; count <= fewer; count += 1) {
    term += Math.log((trials - count + 1) / count);
    tail += Math.exp(term);
  }
  return Math.min(1, 2 * tail);
}

/**
 * Adjusted p-values, in the order given: looking at many groups finds a difference in some by chance, and these keep
 * the risk of even one such finding at the level of a single test. Each is at least its own p-value and at most 1.
 * Source: S. Holm, A simple sequentially rejective multiple test procedure, 1979.
 */
export function holmAdjust(pValues: readonly number[]): readonly number[] {
  const order = pValues.map((value, index) => ({ value, index })).sort((a, b) => a.value - b.value);
  const adjusted = new Array<number>(pValues.length);
  let largest = 0;
  for (const [rank, { value, index }] of order.entries()) {
    largest = Math.max(largest, Math.min(1, value * (pValues.length - rank)));
    adjusted[index] = largest;
  }
  return adjusted;
}
