/**
 * Adjusted p-values, in the order given: looking at many groups finds a difference in some by chance, and these keep the risk of even one
 * such finding at the level of a single test. Each is at least its own p-value and at most 1.
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
