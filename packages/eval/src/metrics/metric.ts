import type { QueryResult } from '@askema/core';
import type { DatasetQuestion } from '../datasets/read/dataset.ts';

/** A question with what gold and the candidate gave. */
export interface MetricInput {
  readonly question: DatasetQuestion;
  /** The gold statements that ran, each with its result; empty where the dataset has none. */
  readonly gold: readonly { readonly sql: string; readonly result: QueryResult }[];
  /** The candidate's statement; undefined when there is none. */
  readonly sql?: string | undefined;
  /** Its whole result; undefined when there is none, or it failed. */
  readonly result?: QueryResult | undefined;
  /** Further contents of the question's database, by the names that `run` takes; see `DatasetDatabase.variants`. */
  readonly variants?: readonly string[] | undefined;
  /**
   * Runs a statement, read only and within the caps of scoring, on the question's database or on one of its `variants`.
   * Rejects with what the adapter throws.
   */
  readonly run: (sql: string, variant?: string) => Promise<QueryResult>;
}

/** A measure of one answer. Metrics are values: pass the ones you want, write your own. */
export interface Metric {
  /** Kebab-case; the key in `scores` of a result: `bird-ex`, `spider-exact-match`. */
  readonly id: string;
  /** For tables: `BIRD EX`. */
  readonly title: string;
  /** From 0 (wrong) to 1 (right); undefined where the metric does not apply to this question. */
  score(input: MetricInput): Promise<number | undefined> | number | undefined;
}
