import type { Jobs, Runner } from '@askema/core';

/** Where the runners of one case keep what they know: opening one, closing it and opening another is a restart. */
export interface RunnerStore {
  /** Opens a runner, one at a time. The bench closes it at the end if the case has not. */
  open<const Known extends Jobs>(
    jobs: Known,
    options?: { readonly concurrency?: number | undefined },
  ): Promise<Runner<Known>>;
}

/** A store of its own for each case. */
export type RunnerStoreFactory = () => RunnerStore | Promise<RunnerStore>;

export type RunnerCase = (store: RunnerStore) => Promise<void>;

/** A job that waits for the test, by its input. */
export interface Gates {
  /** The inputs that were begun, in order. */
  readonly begun: readonly string[];
  /** The inputs whose signal has fired. */
  readonly stopped: readonly string[];
  /** Resolves when so many were begun. */
  beganAll(count: number): Promise<void>;
  /** Lets all of this input end, begun or not, with `done <input>`. */
  finish(input: string): void;
  /** The job itself. */
  readonly wait: (input: string, context: { readonly signal: AbortSignal }) => Promise<string>;
}

/** Jobs that begin and end as a case says, without time in it. `deaf`: they do not end when they are stopped. */
export function gates({ deaf = false } = {}): Gates {
  const begun: string[] = [];
  const stopped: string[] = [];
  const open = new Map<string, PromiseWithResolvers<void>>();
  let watchers: { readonly count: number; readonly resolve: () => void }[] = [];
  const gateOf = (input: string): PromiseWithResolvers<void> => {
    const gate = open.get(input) ?? Promise.withResolvers<void>();
    open.set(input, gate);
    return gate;
  };
  return {
    begun,
    stopped,
    beganAll(count) {
      if (begun.length >= count) return Promise.resolve();
      return new Promise((resolve) => {
        watchers.push({ count, resolve });
      });
    },
    finish: (input) => gateOf(input).resolve(),
    async wait(input, { signal }) {
      begun.push(input);
      let ended = false;
      const told = new Promise<never>((_, reject) => {
        signal.addEventListener('abort', () => {
          if (!ended) stopped.push(input);
          if (!deaf) reject(signal.reason);
        });
      });
      for (const { resolve } of watchers.filter(({ count }) => count <= begun.length)) resolve();
      watchers = watchers.filter(({ count }) => count > begun.length);
      await Promise.race([gateOf(input).promise, told]);
      ended = true;
      return `done ${input}`;
    },
  };
}
