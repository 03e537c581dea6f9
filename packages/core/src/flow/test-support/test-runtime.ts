import type { Runtime } from '../../ports/runtime.ts';
import { systemRuntime } from '../../ports/system-runtime.ts';

/** A runtime whose clock only moves when somebody sleeps, and that remembers how long they slept. */
export function testRuntime(): Runtime & { readonly slept: number[] } {
  const slept: number[] = [];
  let now = 1_000;
  return {
    ...systemRuntime(),
    clock: { now: () => now },
    random: () => 0.5,
    slept,
    sleep: async (delayMs) => {
      slept.push(delayMs);
      now += delayMs;
    },
  };
}
