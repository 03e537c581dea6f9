import { randomUUID } from 'node:crypto';
import type { AskedBackRun, ResumeHandles, WaitingQuestion, WaitingQuestions } from '../contract.ts';

/** Questions that wait for an answer at most; the oldest are forgotten. */
const MAX_REMEMBERED = 1_000;

/** Random handles that this process alone knows. */
export function rememberedHandles(): ResumeHandles {
  const runs = remembered<AskedBackRun>();
  return { give: runs.keep, take: runs.find };
}

/** Questions that this process alone knows. */
export function rememberedQuestions(): WaitingQuestions {
  return remembered<WaitingQuestion>();
}

function remembered<T>(): { keep(value: T): string; find(id: string): T | undefined } {
  const kept = new Map<string, T>();
  return {
    keep(value) {
      const id = randomUUID();
      kept.set(id, value);
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_REMEMBERED) break;
        kept.delete(oldest);
      }
      return id;
    },
    find: (id) => kept.get(id),
  };
}
