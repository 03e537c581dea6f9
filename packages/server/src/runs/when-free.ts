import { isAskemaError, type Runtime } from '@askema/core';

/** Longer than a statement takes to stop. */
const PATIENCE_MS = 30_000;
const PAUSE_MS = 25;

/** Tries again while somebody else has the run open, for half a minute: then it rejects with `JOURNAL_LOCKED`. */
export async function whenFree<T>(
  { clock, sleep }: Pick<Runtime, 'clock' | 'sleep'>,
  work: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const until = clock.now() + PATIENCE_MS;
  for (;;)
    try {
      return await work();
    } catch (thrown) {
      const isLocked = isAskemaError(thrown) && thrown.code === 'JOURNAL_LOCKED';
      if (!isLocked || signal?.aborted === true || clock.now() > until) throw thrown;
      await sleep(PAUSE_MS, signal);
    }
}
