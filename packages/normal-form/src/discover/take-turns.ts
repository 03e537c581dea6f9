import type { Clock } from '@askema/core';
import { throwIfAborted } from '@askema/core';

/** The event loop gets a turn after so long, so that Ctrl-C is heard. */
const TURN_MS = 40;

/**
 * Runs work that pauses at each `yield`: gives the event loop a turn now and then, and returns what the generator
 * returns. The generator is told `true` when the time is over, and must end soon.
 *
 * Rejects with `ABORTED` when the signal fires.
 */
export async function takeTurns<Result>(
  work: Generator<void, Result, boolean>,
  options: {
    readonly deadline: number;
    readonly clock: Clock;
    readonly signal?: AbortSignal | undefined;
    readonly what: string;
  },
): Promise<Result> {
  const { deadline, clock, signal, what } = options;
  let turn = clock.now();
  throwIfAborted(signal, what);
  for (let next = work.next(false); ; ) {
    if (next.done === true) return next.value;
    const now = clock.now();
    if (now - turn >= TURN_MS) {
      await new Promise<void>((resolve) => setTimeout(resolve, 0));
      throwIfAborted(signal, what);
      turn = clock.now();
    }
    next = work.next(now >= deadline);
  }
}
