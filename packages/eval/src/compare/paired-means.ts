import { type BootstrapOptions, pairedBootstrap } from '../statistics/bootstrap.ts';
import type { PairedCost, PairedMetric } from './run-comparison.ts';

/** What one item came to in both runs. */
interface Pair {
  readonly a: unknown;
  readonly b: unknown;
}

type ResultOf<Paired extends Pair> = Paired['a'] | Paired['b'];

/** How the pairs that count are drawn. */
type Resampling<Paired extends Pair> = (known: readonly Paired[]) => BootstrapOptions;

/** Over the pairs of which both sides have the number; undefined where none do. */
export function pairedMeans<Paired extends Pair>(
  pairs: readonly Paired[],
  numberOf: (result: ResultOf<Paired>) => number | undefined,
  resampling: Resampling<Paired>,
): Omit<PairedMetric, 'id'> | undefined {
  const known = pairs.filter((pair) => numberOf(pair.a) !== undefined && numberOf(pair.b) !== undefined);
  if (known.length === 0) return undefined;
  const a = known.map((pair) => numberOf(pair.a) ?? 0);
  const b = known.map((pair) => numberOf(pair.b) ?? 0);
  return {
    questions: known.length,
    meanA: sum(a) / known.length,
    meanB: sum(b) / known.length,
    difference: pairedBootstrap(a, b, resampling(known)),
  };
}

/** The costs that both runs know, in the order of their readers. */
export function pairedCosts<Paired extends Pair>(
  pairs: readonly Paired[],
  readers: Readonly<Record<PairedCost['what'], (result: ResultOf<Paired>) => number | undefined>>,
  resampling: Resampling<Paired>,
): readonly PairedCost[] {
  return (Object.keys(readers) as PairedCost['what'][]).flatMap((what) => {
    const means = pairedMeans(pairs, readers[what], resampling);
    return means === undefined ? [] : { what, ...means };
  });
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
