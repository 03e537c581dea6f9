import { AskemaError } from '@askema/core';
import { DEFAULT_LEVEL, type Estimate } from './interval.ts';
import { normalQuantile } from './normal-quantile.ts';

/**
 * The score interval of a share, `value` being `successes / trials`. It never leaves [0, 1], and is not empty when nothing or all
 * succeeded. Without a trial everything is possible: `value` is 0 and the interval [0, 1].
 * Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference, 1927.
 *
 * @throws AskemaError `INPUT_INVALID` for numbers that are no such counts, or a level that does not lie between 0 and 1.
 */
export function wilsonInterval(successes: number, trials: number, level: number = DEFAULT_LEVEL): Estimate {
  if (!(Number.isInteger(successes) && Number.isInteger(trials) && successes >= 0 && successes <= trials))
    throw new AskemaError(
      'INPUT_INVALID',
      `${successes} of ${trials} is no share; both must be whole, the first not above the second.`,
    );
  if (!(level > 0 && level < 1))
    throw new AskemaError('INPUT_INVALID', `\`level\` is ${level}; it must lie between 0 and 1.`);
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
