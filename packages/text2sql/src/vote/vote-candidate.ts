import type { ComparableResult } from '@askema/core';

/** What a result and its statement look like beside what was asked for. Undefined where that is open. */
export interface CandidateConformity {
  /** The number of rows. */
  readonly rows?: boolean | undefined;
  /** Number and kind of the columns. */
  readonly columns?: boolean | undefined;
  /** False for a LIMIT that the question does not ask for. */
  readonly limit?: boolean | undefined;
  /** The share of the question's literals that the statement uses, in [0, 1]. */
  readonly literals?: number | undefined;
}

/** What one thread brings to a vote. */
export interface VoteCandidate {
  /** Unique among the candidates of a vote. */
  readonly id: string;
  readonly sql: string;
  /** The whole result, never a view of it. Undefined when the thread ended without one. */
  readonly result: ComparableResult | undefined;
  readonly conformity?: CandidateConformity | undefined;
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
