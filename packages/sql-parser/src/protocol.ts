import type { BackEndName } from './back-end.ts';
import type { ParsedDialect } from './describe-query.ts';
import type { ComplexityLimits } from './source/complexity.ts';

/** Raised with every change of the messages, so that a worker's program of another version is told apart. */
export const PROTOCOL_VERSION = 3;

/** What a worker is started with (`workerData`). */
export interface WorkerSettings {
  readonly protocol: number;
  readonly backEnd: BackEndName;
  readonly limits: ComplexityLimits;
}

export type ToWorker =
  /** A dialect is sent once and then named by its number. */
  | { readonly type: 'dialect'; readonly number: number; readonly dialect: ParsedDialect }
  | { readonly type: 'parse'; readonly id: number; readonly dialect: number; readonly sql: string };

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'unusable'; readonly reason: 'protocol' | 'dependency' | 'other'; readonly message: string }
  /**
   * The `ParseResult` as JSON: shapes are many small objects, which the structured clone writes and reads at twice the
   * cost.
   */
  | { readonly type: 'result'; readonly id: number; readonly json: string }
  /** The back-end is broken; the worker wants to be replaced. */
  | { readonly type: 'broken'; readonly id: number; readonly message: string };
