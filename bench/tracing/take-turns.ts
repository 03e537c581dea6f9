/** Times of each way in milliseconds: the medians of turns that alternate, without those that warm up. */
export async function takeTurns(
  ways: readonly (() => Promise<unknown> | unknown)[],
  { turns, warmUp, clock }: { readonly turns: number; readonly warmUp: number; readonly clock: () => number },
): Promise<readonly number[]> {
  const times: number[][] = ways.map(() => []);
  for (let turn = -warmUp; turn < turns; turn += 1)
    for (const [index, way] of ways.entries()) {
      const before = clock();
      await way();
      if (turn >= 0) times[index]?.push(clock() - before);
    }
  return times.map((each) => each.sort((a, b) => a - b)[Math.floor(each.length / 2)] ?? 0);
}

/** Processor time of this process, in milliseconds: what other processes do does not count. */
export function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}
