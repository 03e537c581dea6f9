import { setTimeout as delay } from 'node:timers/promises';

/** So long the command waits for what is done at its end. */
const MOST_MS = 5_000;

/** Work for the end of the command, in the order in which it was asked for. */
export interface AtEnd {
  /** What was asked for twice, for the same thing, is done once. */
  add(owner: object, work: () => Promise<void>): void;
  /** Does it; the reasons of what failed or took too long. */
  run(mostMs?: number): Promise<readonly string[]>;
}

export function createAtEnd(): AtEnd {
  const all = new Map<object, () => Promise<void>>();
  return {
    add: (owner, work) => void all.set(owner, work),
    async run(mostMs = MOST_MS) {
      const gaveUp = new AbortController();
      const tooLong = delay(mostMs, `it took more than ${mostMs / 1_000} seconds`, { signal: gaveUp.signal });
      tooLong.catch(() => undefined);
      const reasons: string[] = [];
      for (const work of all.values()) {
        const done = (async () => work())().then(
          () => undefined,
          (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
        );
        const reason = await Promise.race([done, tooLong]);
        if (reason !== undefined) reasons.push(reason);
      }
      gaveUp.abort();
      all.clear();
      return reasons;
    },
  };
}
