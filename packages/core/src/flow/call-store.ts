import type { AskemaError } from '../errors/askema-error.ts';

/** A finished call. `order` is its place among all finished calls: they are handed out again in that order. */
export interface FinishedCall {
  readonly order: number;
  readonly value: () => unknown;
}

/**
 * Remembers finished `memo` calls by path: the journal does it for a run that has one, else memory for as long as the
 * exec runs.
 */
export interface CallStore {
  /** Nothing is remembered, so no call needs to be told from others by what it depends on. */
  readonly isForgetful?: true | undefined;
  call(path: string): FinishedCall | undefined;
  recordCall(path: string, value: unknown): Promise<void>;
  /**
   * Notes that what runs at `path` failed. With `renew` the fault was its own: the calls finished below no longer
   * count, and made anew they carry another idempotency key.
   */
  recordFailure(path: string, error: AskemaError, renew: boolean): Promise<void>;
  /** How often `path` was renewed. */
  renewals(path: string): number;
}

/** The store of an exec that is tried several times in a run without a journal. */
export function memoryCallStore(): CallStore {
  const calls = new Map<string, FinishedCall>();
  const renewed = new Map<string, number>();
  let order = 0;
  return {
    call: (path) => calls.get(path),
    async recordCall(path, value) {
      order += 1;
      calls.set(path, { order, value: () => value });
    },
    async recordFailure(path, _error, renew) {
      if (!renew) return;
      forgetBelow(calls, path);
      renewed.set(path, (renewed.get(path) ?? 0) + 1);
    },
    renewals: (path) => renewed.get(path) ?? 0,
  };
}

/** The store of an exec that is tried once in a run without a journal: nobody will ever ask. */
export const FORGETFUL_CALL_STORE: CallStore = {
  isForgetful: true,
  call: () => undefined,
  recordCall: () => Promise.resolve(),
  recordFailure: () => Promise.resolve(),
  renewals: () => 0,
};

/** Deletes everything recorded below a path. */
export function forgetBelow(calls: Map<string, unknown>, path: string): void {
  for (const known of calls.keys()) if (known.startsWith(`${path}/`)) calls.delete(known);
}
