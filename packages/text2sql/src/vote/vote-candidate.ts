import type { ComparableResult } from '@askema/core';

/** What one thread brings to a vote. */
export interface VoteCandidate {
  /** Unique among the candidates of a vote. */
  readonly id: string;
  readonly sql: string;
  /** The whole result, never a view of it. Undefined when the thread ended without one. */
  readonly result: ComparableResult | undefined;
  /** Whether the result is as the expected format says. Undefined where the format leaves it open. */
  readonly conformity?: { readonly rows?: boolean | undefined; readonly columns?: boolean | undefined } | undefined;
  /** How its thread ended. What is not known counts neither for nor against it. */
  readonly ending?:
    | {
        /** The same answer came as often as the thread asked for. */
        readonly selfConsistent?: boolean | undefined;
        /** Statements the thread executed before it ended. */
        readonly iterations?: number | undefined;
        /** Statements among them that failed. */
        readonly repairs?: number | undefined;
        /** What the model said of the result when it saw it. */
        readonly judgedPlausible?: boolean | undefined;
      }
    | undefined;
}
