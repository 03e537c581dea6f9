import { type Adapter, createCallContext } from '@askema/core';

/** Cells of small relations, kept in memory as long as the data of the database stay as they are. */
export interface KeptCells {
  /**
   * Whether cells may be kept now. Forgets those of an earlier state of the data; asks the database for it at most once
   * a second, and not before the second search: one alone needs nothing kept.
   */
  refresh(): Promise<boolean>;
  /** What `read` gave the first time; what it rejects with is not kept. `read` runs for all who wait for it. */
  remember<T>(key: string, read: () => Promise<T>): Promise<T>;
  /** Whether there is room for so many more cells; then they count. */
  take(cells: number): boolean;
}

/** Cells that are kept at most: some 50 MB. */
const MAX_CELLS = 200_000;

/** So old may a look at the state of the data be, in milliseconds. */
const MAX_AGE_MS = 1_000;
const STAMP_TIMEOUT_MS = 1_000;

/** Undefined for an adapter that cannot tell whether its data have changed. */
export function createKeptCells({ stamps }: Pick<Adapter, 'stamps'>, signal?: AbortSignal): KeptCells | undefined {
  const stampOf = stamps?.data?.bind(stamps);
  if (stampOf === undefined) return undefined;
  const kept = new Map<string, Promise<unknown>>();
  let cells = 0;
  let searches = 0;
  let stamp: string | undefined;
  let looked: { readonly at: number; readonly stamp: Promise<string | undefined> } | undefined;
  const look = (): Promise<string | undefined> => {
    if (looked === undefined || performance.now() - looked.at > MAX_AGE_MS) {
      const context = createCallContext({ path: 'cells', signal });
      // Who cannot say whether anything has changed keeps nothing.
      const asked = stampOf({ timeoutMs: STAMP_TIMEOUT_MS, context }).catch(() => undefined);
      looked = { at: performance.now(), stamp: asked };
    }
    return looked.stamp;
  };
  return {
    async refresh() {
      searches += 1;
      if (searches === 1) return false;
      const now = await look();
      if (now !== stamp) {
        kept.clear();
        cells = 0;
      }
      stamp = now;
      return now !== undefined;
    },
    remember<T>(key: string, read: () => Promise<T>) {
      const known = kept.get(key) as Promise<T> | undefined;
      if (known !== undefined) return known;
      const reading = read();
      kept.set(key, reading);
      reading.catch(() => {
        if (kept.get(key) === reading) kept.delete(key);
      });
      return reading;
    },
    take(more) {
      if (cells + more > MAX_CELLS) return false;
      cells += more;
      return true;
    },
  };
}
