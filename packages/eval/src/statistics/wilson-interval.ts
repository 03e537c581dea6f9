import { AskemaError, invalidOption } from '@askema/core';

/**
 * The score interval of a share, `value` being `successes / trials`. It never leaves [0, 1], and is not empty when
 * nothing or all succeeded. Without a trial everything is possible: `value` is 0 and the interval [0, 1]. Source: E. B.
 * Wilson, Probable inference, the law of succession, and statistical inference, 1927.
 *
 * @throws AskemaError `INPUT_INVALID` for numbers that are no such counts, `CONFIG_INVALID` for a level that does not
 * lie between 0 and 1.
 */
export function wilsonInterval(successes: number, trials: number, level: number = DEFAULT_LEVEL): Estimate {
  if (!(Number.isInteger(successes) && Number.isInteger(trials) && successes >= 0 && successes <= trials))
    throw new AskemaError(
      'INPUT_INVALID',
      `${successes} of ${trials} is no share; both must be whole, the first not above the second.`,
    );
  checkLevel(level);
  const z = normalQuantile(0.5 + level / 2);
  if (trials === 0) return { value: 0, low: 0, high: 1, level };
  const value = successes / trials;
  const square = (z * z) / trials;
  const centre = (value + square / 2) / (1 + square);
  const half = (z / (1 + square)) * Math.sqrt((value * (1 - value)) / trials + square / (4 * trials));
  return {
    value,
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === trials ? 1 : Math.min(1, centre + half),
    level,
  };
}

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

/** @throws AskemaError `CONFIG_INVALID` for a level that does not lie between 0 and 1. */
export function checkLevel(level: number): void {
  if (!(level > 0 && level < 1)) throw invalidOption(`\`level\` is ${level}; it must lie between 0 and 1.`);
}

/** Coefficients of the rational approximations for the middle (A, B) and the tails (C, D). */
const A = [
  -39.69683028665376, 220.9460984245205, -275.9285104469687, 138.357751867269, -30.66479806614716, 2.506628277459239,
];
const B = [-54.47609879822406, 161.5858368580409, -155.6989798598866, 66.80131188771972, -13.28068155288572];
const C = [
  -0.007784894002430293, -0.3223964580411365, -2.400758277161838, -2.549732539343734, 4.374664141464968,
  2.938163982698783,
];
const D = [0.007784695709041462, 0.3224671290700398, 2.445134137142996, 3.754408661907416];
const TAIL = 0.02425;

/**
 * The value below which a standard normal variable stays with this probability; 1.96 for 0.975. Relative error below
 * 1.2e-9. Source: P. J. Acklam's rational approximation of the inverse normal distribution function.
 *
 * @throws AskemaError `INPUT_INVALID` for a probability that is not between 0 and 1.
 */
export function normalQuantile(probability: number): number {
  if (!(probability > 0 && probability < 1))
    throw new AskemaError(
      'INPUT_INVALID',
      `A probability of ${probability} has no quantile; it must lie between 0 and 1.`,
    );
  if (probability > 1 - TAIL) return -normalQuantile(1 - probability);
  if (probability < TAIL) {
    const root = Math.sqrt(-2 * Math.log(probability));
    return polynomial(C, root) / (polynomial(D, root) * root + 1);
  }
  const offset = probability - 0.5;
  const square = offset * offset;
  return (polynomial(A, square) * offset) / (polynomial(B, square) * square + 1);
}

/** By Horner's rule, the highest power first. */
function polynomial(coefficients: readonly number[], at: number): number {
  return coefficients.reduce((sum, coefficient) => sum * at + coefficient, 0);
}
