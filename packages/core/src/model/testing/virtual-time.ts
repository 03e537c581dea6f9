import { abortedError } from '../../errors/askema-error.ts';
import type { Runtime } from '../../ports/runtime.ts';

interface Sleeper {
  readonly until: number;
  readonly wake: () => void;
}

/** A clock that stands still until everybody sleeps, and then is at the time when the first one wakes. Starts at 0. */
export function virtualTime(): {
  readonly runtime: Pick<Runtime, 'clock' | 'sleep'>;
  now(): number;
  /** Resolves with what the promises resolve with, however long they sleep. */
  run<T>(pending: readonly Promise<T>[]): Promise<T[]>;
} {
  let now = 0;
  const sleepers = new Set<Sleeper>();
  const sleep: Runtime['sleep'] = (delayMs, signal) =>
    new Promise((resolve, reject) => {
      const sleeper: Sleeper = { until: now + delayMs, wake: () => resolve() };
      sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        sleepers.delete(sleeper);
        reject(abortedError('The wait', signal.reason));
      });
    });
  return {
    runtime: { clock: { now: () => now }, sleep },
    now: () => now,
    async run(pending) {
      let over = false;
      const all = Promise.all(pending).finally(() => {
        over = true;
      });
      all.catch(() => {});
      while (!over) {
        // All that is not asleep goes on as far as it can.
        await new Promise((resolve) => setImmediate(resolve));
        if (over) break;
        const next = [...sleepers].sort((a, b) => a.until - b.until)[0];
        if (next === undefined) continue;
        sleepers.delete(next);
        now = Math.max(now, next.until);
        next.wake();
      }
      return all;
    },
  };
}
