import type { CallLimits } from '@askema/core';

/** Places for statements that run side by side. */
export interface Slots {
  /** Waits for a free place, at most until the limits are over; call what it gives when the place is free again. */
  take(limits: CallLimits): Promise<() => void>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const waiting: (() => void)[] = [];
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) free += 1;
    else next();
  };
  const releaseOnce = (): (() => void) => {
    let released = false;
    return () => {
      if (!released) release();
      released = true;
    };
  };
  return {
    async take(limits) {
      limits.throwIfOver();
      if (free > 0) {
        free -= 1;
        return releaseOnce();
      }
      let wake = (): void => undefined;
      const turn = new Promise<void>((resolve) => {
        wake = resolve;
        waiting.push(wake);
      });
      try {
        await limits.race(turn);
      } catch (error) {
        const at = waiting.indexOf(wake);
        if (at >= 0) waiting.splice(at, 1);
        // The place was given in the same moment: pass it on.
        else release();
        throw error;
      }
      return releaseOnce();
    },
  };
}
