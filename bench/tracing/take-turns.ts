/** Times of ways that took turns, in milliseconds. */
export interface Turns {
  /** Medians of each way. */
  readonly times: readonly number[];
  /** Medians of what each way took more than the first one in the same turn: what slows a turn slows both. */
  readonly more: readonly number[];
}

/** Times of each way in turns that begin with another way each time, without those that warm up. */
export async function takeTurns(
  ways: readonly (() => Promise<unknown> | unknown)[],
  { turns, warmUp, clock }: { readonly turns: number; readonly warmUp: number; readonly clock: () => number },
): Promise<Turns> {
  const taken: number[][] = [];
  for (let turn = 0; turn < warmUp + turns; turn += 1) {
    const times: number[] = [];
    for (const at of ways.keys()) {
      const index = (turn + at) % ways.length;
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

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/** Processor time of this process, in milliseconds: what other processes do does not count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
