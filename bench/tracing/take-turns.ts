import { seededRandom } from '../values/random.ts';

/** Times of ways that took turns, in milliseconds. */
export interface Turns {
  /** Medians of each way. */
  readonly times: readonly number[];
  /** Medians of what each way took more than the first one in the same turn: what slows a turn slows both. */
  readonly more: readonly number[];
}

/**
 * Times of each way, without those that warm up. Each turn has another order: what a way leaves behind, such as
 * garbage, falls on each of the others as often.
 */
export async function takeTurns(
  ways: readonly (() => Promise<unknown> | unknown)[],
  { turns, warmUp, clock }: { readonly turns: number; readonly warmUp: number; readonly clock: () => number },
): Promise<Turns> {
  const taken: number[][] = [];
  const random = seededRandom(7);
  for (let turn = 0; turn < warmUp + turns; turn += 1) {
    const times: number[] = [];
    for (const index of shuffled([...ways.keys()], random)) {
      const before = clock();
      await ways[index]?.();
      times[index] = clock() - before;
    }
    if (turn >= warmUp) taken.push(times);
  }
  const medians = (figure: (times: readonly number[], index: number) => number) =>
    ways.map((_, index) => median(taken.map((times) => figure(times, index))));
  return {
    times: medians((times, index) => times[index] ?? 0),
    more: medians((times, index) => (times[index] ?? 0) - (times[0] ?? 0)),
  };
}

function shuffled(items: readonly number[], random: () => number): readonly number[] {
  const drawn = items.map((item) => ({ item, at: random() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Processor time of this process, in milliseconds: what other processes do does not count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
