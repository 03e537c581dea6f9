import type { AskemaError } from '@askema/core';
import type { Span } from '@opentelemetry/api';
import { fail } from './fail.ts';

/** Hears what becomes of a call. */
export interface Watcher<T> {
  readonly seen?: ((value: T) => void) | undefined;
  readonly failed: (thrown: unknown) => void;
  /** Once, also when a reader leaves early. */
  readonly end: () => void;
}

export interface WatchOptions {
  readonly span: Span | undefined;
  readonly errorMessages: boolean;
  readonly asError: (thrown: unknown) => AskemaError;
  /** Counts the call; `error` is the code of what failed. */
  readonly ended: (seconds: number, error: string | undefined) => void;
}

/** Ends the span of a call, and counts the call, by how it ends. */
export function watch({ span, errorMessages, asError, ended }: WatchOptions): Omit<Watcher<never>, 'seen'> {
  const startedAt = performance.now();
  let code: string | undefined;
  return {
    failed(thrown) {
      const error = asError(thrown);
      code = error.code;
      if (span !== undefined) fail(span, error, errorMessages);
    },
    end() {
      ended((performance.now() - startedAt) / 1_000, code);
      span?.end();
    },
  };
}
