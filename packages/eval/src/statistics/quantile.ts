import { AskemaError } from '@askema/core';

/**
 * The value below which this share of the numbers lies, between the two nearest ones in proportion; undefined of no
 * numbers. 0.5 is the median, 0.95 is p95.
 *
 * @throws AskemaError `INPUT_INVALID` for a share outside of [0, 1].
 */
export function quantile(values: Iterable<number>, share: number): number | undefined {
  return quantileOfSorted(Float64Array.from(values).sort(), share);
}

/** The same of numbers that are sorted already. */
export function quantileOfSorted(sorted: ArrayLike<number>, share: number): number | undefined {
  if (!(share >= 0 && share <= 1))
    throw new AskemaError('INPUT_INVALID', `A quantile at ${share} does not exist; the share must lie in [0, 1].`);
  const place = share * (sorted.length - 1);
  const below = sorted[Math.floor(place)];
  const above = sorted[Math.ceil(place)];
  if (below === undefined || above === undefined) return undefined;
  return below + (above - below) * (place - Math.floor(place));
}
