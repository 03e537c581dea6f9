import { setTimeout as delay } from 'node:timers/promises';
import { quantile } from '../harness/measure-work.ts';
import { showMs } from '../harness/render.ts';
import type { Endless } from './engines.ts';

const DEADLINE_MS = 250;
/** A query that lives so long after its deadline is called alive. */
const PATIENCE_MS = 2_000;
/** Two looks at the ticks of a process; see `anyWorks`. */
const LOOK_MS = 25;

/** One row: the answer after the deadline, and the death of the query after it. */
export async function measureDeadlines(name: string, endless: Endless, times: number): Promise<readonly string[]> {
  const answered: number[] = [];
  const dead: number[] = [];
  let survived = 0;
  try {
    // Processes and connections are there before.
    await expectRejection(endless.run(DEADLINE_MS));
    for (let round = 0; round < times; round += 1) {
      const started = performance.now();
      const running = expectRejection(endless.run(DEADLINE_MS));
      await running;
      const since = (): number => performance.now() - started - DEADLINE_MS;
      answered.push(since());
      const died = await timeOfDeath(endless, since);
      if (died === undefined) survived += 1;
      else dead.push(died);
      if (survived > 1) break;
    }
  } finally {
    await endless.close();
  }
  answered.sort((a, b) => a - b);
  dead.sort((a, b) => a - b);
  const both = (sorted: readonly number[]): string =>
    sorted.length === 0 ? '' : `${showMs(quantile(sorted, 0.5))}, ${showMs(sorted.at(-1) ?? Number.NaN)}`;
  return [
    name,
    String(answered.length),
    both(answered),
    survived > 0 ? `alive after ${PATIENCE_MS / 1_000} s` : both(dead),
  ];
}

/**
 * When it was first seen that nothing works on it any more; a look that finds it at rest is as late as the look itself.
 */
async function timeOfDeath(endless: Endless, since: () => number): Promise<number | undefined> {
  await endless.isAlive();
  while (since() < PATIENCE_MS) {
    const at = since();
    if (LOOK_MS > 0) await delay(LOOK_MS);
    if (!(await endless.isAlive())) return at;
  }
  return undefined;
}

async function expectRejection(promise: Promise<unknown>): Promise<void> {
  const ended = await promise.then(
    () => 'a result',
    () => undefined,
  );
  if (ended !== undefined) throw new Error('An endless statement gave a result.');
}
