/** A number with the interval around it. All three are on the scale of the number. */
export interface Estimate extends Interval {
  readonly value: number;
}

/** `low` and `high` hold the true value with the probability `level`, over many such samples. */
export interface Interval {
  readonly low: number;
  readonly high: number;
  /** Between 0 and 1: 0.95. */
  readonly level: number;
}

/** The level of intervals where none is given. */
export const DEFAULT_LEVEL = 0.95;
