import { setTimeout as delay } from 'node:timers/promises';

/** How long the command waits for what is done at its end. */
const MOST_MS = 5_000;

/** Work for the end of the command. */
export interface AtEnd {
  /** What is added twice for one owner is done once. */
  add(owner: object, work: () => Promise<void>): void;
  /** Does all of it at the same time. Resolves with the reasons of what failed or took too long. */
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
      const reasonOf = (work: () => Promise<void>): Promise<string | undefined> =>
        work().then(
          () => undefined,
          (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
        );
      const reasons = await Promise.all([...all.values()].map((work) => Promise.race([reasonOf(work), tooLong])));
      gaveUp.abort();
      all.clear();
      return reasons.filter((reason) => reason !== undefined);
    },
  };
}
