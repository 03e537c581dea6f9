import { randomUUID } from 'node:crypto';
import type { AskedBackRun, ResumeHandles } from '../contract.ts';

/** Questions that wait for an answer at most; the oldest are forgotten. */
const MAX_REMEMBERED = 1_000;

/** Random handles that this process alone knows. */
export function rememberedHandles(): ResumeHandles {
  const runs = new Map<string, AskedBackRun>();
  return {
    give(run) {
      const handle = randomUUID();
      runs.set(handle, run);
      for (const oldest of runs.keys()) {
        if (runs.size <= MAX_REMEMBERED) break;
        runs.delete(oldest);
      }
      return handle;
    },
    take: (handle) => runs.get(handle),
  };
}
