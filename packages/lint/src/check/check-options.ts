import type { Adapter, CallContext, Clock } from '@askema/core';
import type { CheckedCatalog } from './checked-catalog.ts';

export interface CheckOptions {
  readonly context: CallContext;
  /** Look at the rows too. Default: only at the catalog. */
  readonly data?: boolean | undefined;
  /** Rows that are read of a table at most. */
  readonly maxRows?: number | undefined;
  /** Attributes of a table whose rows are looked at; the first ones. */
  readonly maxAttributes?: number | undefined;
  /** For the rows of one table: reading, dependencies, references. */
  readonly timeoutMs?: number | undefined;
  /** The greatest g3 error of a dependency that is reported. */
  readonly maxError?: number | undefined;
  /** Called before each table. */
  readonly onTable?: ((name: string, at: number, count: number) => void) | undefined;
  readonly clock?: Clock | undefined;
}

/** Bounds that hold when a call names none. */
export const CHECK_DEFAULTS = {
  maxRows: 100_000,
  maxAttributes: 30,
  timeoutMs: 20_000,
  maxError: 0.01,
  maxBytes: 256 * 1024 * 1024,
} as const;

/** What looking at the rows of one table works with. */
export interface RowsHost {
  readonly adapter: Adapter;
  readonly checked: CheckedCatalog;
  readonly context: CallContext;
  readonly maxRows: number;
  readonly maxAttributes: number;
  readonly maxError: number;
  readonly clock: Clock;
  /** Milliseconds that this table has left; below 1 when none. */
  readonly remainingMs: () => number;
}
