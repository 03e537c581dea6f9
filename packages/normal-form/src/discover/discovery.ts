import type { Clock } from '@askema/core';
import type { CounterExample } from './partition.ts';

/** A dependency that holds in the rows, or nearly: a suspect, no rule. Columns are positions. */
export interface DiscoveredDependency {
  /** One column or two, ascending; none of fewer columns determines `right` as well as asked for. */
  readonly left: readonly number[];
  readonly right: number;
  /** Rows that must go so that it holds. */
  readonly violations: number;
  /** Rows without a NULL on the left: the others say nothing. */
  readonly rows: number;
  /**
   * `violations` / `rows`, the g3 error (Kivinen and Mannila, Approximate inference of functional dependencies from
   * relations, 1995). 0: exact.
   */
  readonly g3: number;
  /** Different values of the left side. */
  readonly distinctLeft: number;
  /**
   * How many rows would be expected to break it by accident, the evidence that it is none: if `right` had nothing to do
   * with `left`, or, of two columns, if the one added nothing to what the other explains. Rows of the most frequent
   * left side do not count.
   */
  readonly expectedViolations: number;
  /** Undefined where it is exact. */
  readonly counterExample: CounterExample | undefined;
}

export interface DiscoveredDependencies {
  /** Left sides of one column first, then in the order of the columns. */
  readonly dependencies: readonly DiscoveredDependency[];
  /** False when time or steps ran out: left sides behind the last one that was looked at are missing. */
  readonly complete: boolean;
  /** Left sides that were looked at, and how many there are. */
  readonly lookedAt: number;
  readonly candidates: number;
  /** Columns that were left out as sides, because so few rows cannot tell. */
  readonly leftOut: readonly { readonly column: number; readonly reason: ColumnReason }[];
}

/** All NULL; one value, or nearly; no value twice. */
export type ColumnReason = 'empty' | 'constant' | 'unique';

export interface DiscoveryOptions {
  /** Sets of columns that determine everything as declared; what follows from them is not reported. */
  readonly keys?: readonly (readonly number[])[] | undefined;
  /** Columns of a left side, 1 or 2. */
  readonly maxLeft?: 1 | 2 | undefined;
  /** The greatest g3 error that is reported. */
  readonly maxError?: number | undefined;
  /** The least `expectedViolations`. */
  readonly minEvidence?: number | undefined;
  /** Violations are at most this share of `expectedViolations`. */
  readonly maxChance?: number | undefined;
  /** Rows that are looked at, counted once for each candidate. The same steps give the same outcome on any machine. */
  readonly maxSteps?: number | undefined;
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock | undefined;
}

/**
 * What holds when a call names none. With an evidence of 15, of 12,000 candidates that have nothing to do with one
 * another (30 columns) one in some hundred tables would hold by accident, as far as rows are independent: e^-15 of
 * each.
 */
export const DISCOVERY_DEFAULTS = {
  maxLeft: 2,
  maxError: 0.01,
  minEvidence: 15,
  maxChance: 0.1,
  maxSteps: 5_000_000_000,
  timeoutMs: 20_000,
} as const satisfies Partial<DiscoveryOptions>;
