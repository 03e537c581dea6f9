import { AskemaError, checkWhole, type Random } from '@askema/core';
import { quantileOfSorted } from './quantile.ts';
import { checkLevel, DEFAULT_LEVEL, type Estimate } from './wilson-interval.ts';

/** How the bootstrap draws. */
export interface BootstrapOptions {
  /** How many samples are drawn. Default: 10,000. */
  readonly resamples?: number | undefined;
  /** Default: 0.95. */
  readonly level?: number | undefined;
  /** The same seed gives the same interval on every machine. Default: 1. */
  readonly seed?: number | undefined;
  /**
   * For each value, what it belongs to: a database, say. Whole groups are drawn then, because the questions of one
   * database are not independent of each other. Default: each value is drawn alone.
   */
  readonly groups?: readonly string[] | undefined;
}

const DEFAULT_RESAMPLES = 10_000;

/**
 * The mean and its percentile interval: samples of the same size are drawn from the values with replacement. Values
 * that are all the same give an interval without width. Without values, NaN throughout. Source: B. Efron and R. J.
 * Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13.
 *
 * @throws AskemaError `CONFIG_INVALID` for options out of range, `INPUT_INVALID` for another number of groups than
 * of values.
 */
export function bootstrapMean(values: readonly number[], options: BootstrapOptions = {}): Estimate {
  return estimateOf(values, resampledMeans(values, options), options.level);
}

/**
 * {@link bootstrapMean} with a two-sided p-value for a mean of 0: that of the level at which the interval would just
 * reach 0. It is never 0, and 1 without values. Source: Efron and Tibshirani, 1993, section 15.4.
 *
 * @throws AskemaError as {@link bootstrapMean}.
 */
export function bootstrapTest(
  values: readonly number[],
  options: BootstrapOptions = {},
): Estimate & { readonly pValue: number } {
  const means = resampledMeans(values, options);
  const below = means.filter((mean) => mean <= 0).length;
  const above = means.filter((mean) => mean >= 0).length;
  const pValue = Math.min(1, (2 * (Math.min(below, above) + 1)) / (means.length + 1));
  return { ...estimateOf(values, means, options.level), pValue };
}

/** Means of samples, in ascending order; none without values. */
function resampledMeans(values: readonly number[], options: BootstrapOptions): Float64Array {
  const { resamples = DEFAULT_RESAMPLES, level = DEFAULT_LEVEL, seed = 1, groups } = options;
  checkWhole('resamples', resamples);
  checkLevel(level);
  if (values.length === 0) return new Float64Array();
  const { sums, sizes } = unitsOf(values, groups);
  return drawMeans(sums, sizes, resamples, seededRandom(seed)).sort();
}

function estimateOf(values: readonly number[], means: Float64Array, level = DEFAULT_LEVEL): Estimate {
  const value = values.reduce((total, each) => total + each, 0) / values.length;
  const low = quantileOfSorted(means, (1 - level) / 2) ?? value;
  const high = quantileOfSorted(means, (1 + level) / 2) ?? value;
  return { value, low, high, level };
}

/**
 * The mean of `b - a` and its interval, over questions that both runs answered: `a[i]` and `b[i]` belong to the same
 * one, and are drawn together.
 *
 * @throws AskemaError `INPUT_INVALID` when there are not as many of one as of the other, and as {@link bootstrapMean}.
 */
export function pairedBootstrap(a: readonly number[], b: readonly number[], options: BootstrapOptions = {}): Estimate {
  if (a.length !== b.length)
    throw new AskemaError('INPUT_INVALID', `${a.length} and ${b.length} values cannot be paired.`);
  return bootstrapMean(
    a.map((value, index) => (b[index] ?? 0) - value),
    options,
  );
}

/** The inner loop runs as often as there are values times resamples: tens of millions for a large run. */
function drawMeans(
  sums: Float64Array,
  sizes: Float64Array | undefined,
  resamples: number,
  random: Random,
): Float64Array {
  const units = sums.length;
  const means = new Float64Array(resamples);
  for (let sample = 0; sample < resamples; sample += 1) {
    let total = 0;
    let size = units;
    if (sizes === undefined) {
      for (let draw = 0; draw < units; draw += 1) total += sums[(random() * units) | 0] as number;
    } else {
      size = 0;
      for (let draw = 0; draw < units; draw += 1) {
        const unit = (random() * units) | 0;
        total += sums[unit] as number;
        size += sizes[unit] as number;
      }
    }
    means[sample] = total / size;
  }
  return means;
}

/** What is drawn at a time: single values, or groups by their sums and sizes. */
function unitsOf(
  values: readonly number[],
  groups: readonly string[] | undefined,
): { readonly sums: Float64Array; readonly sizes?: Float64Array } {
  if (groups === undefined) return { sums: Float64Array.from(values) };
  if (groups.length !== values.length)
    throw new AskemaError('INPUT_INVALID', `There are ${groups.length} groups for ${values.length} values.`);
  const units = new Map<string, { sum: number; size: number }>();
  for (const [index, value] of values.entries()) {
    const name = groups[index] ?? '';
    const unit = units.get(name) ?? { sum: 0, size: 0 };
    units.set(name, { sum: unit.sum + value, size: unit.size + 1 });
  }
  const list = [...units.values()];
  return { sums: Float64Array.from(list, (unit) => unit.sum), sizes: Float64Array.from(list, (unit) => unit.size) };
}

/**
 * Numbers in [0, 1) that are the same for the same seed on every machine. For resampling only, never for secrets.
 * Source: the generator SplitMix32, as a 32-bit finaliser over a Weyl sequence.
 */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 4_294_967_296;
  };
}
