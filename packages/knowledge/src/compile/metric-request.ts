import type { Expression } from '../expression/expression.ts';
import type { TimeGrain } from '../model/semantic-model.ts';

/** What is asked of metrics. Names are compared without case; a field is `dataset.field`, or `field` where only one has it. */
export interface MetricRequest {
  /** At least one. */
  readonly metrics: readonly string[];
  /**
   * Fields to group by, in the order of the columns. A time may carry a grain: `orders.ordered_at:month`. `metric_time`
   * stands for the time of each metric.
   */
  readonly by?: readonly (string | GroupField)[] | undefined;
  /**
   * Conditions that all hold: SQL over fields, or names of filters. `metric_time` stands for the day of each metric's
   * time; a condition on it picks periods of the result, so that running values and offsets still see what was before.
   * A condition on a field picks rows.
   */
  readonly where?: readonly (string | Expression)[] | undefined;
  /** Groups by `metric_time` at this grain, before `by`. */
  readonly grain?: TimeGrain | undefined;
  /** Of the result: a metric or a field of `by`. The fields of `by` in their order when left out. */
  readonly order?: readonly { readonly by: string; readonly direction?: 'asc' | 'desc' | undefined }[] | undefined;
  readonly limit?: number | undefined;
  /** Years and quarters as the fiscal year of the settings counts them. Default: false. */
  readonly fiscal?: boolean | undefined;
  /** A row for each period between the first and the last, also without data. Default: false. */
  readonly fillGaps?: boolean | undefined;
  /**
   * What happens where a field is reached only over a join that repeats rows: `refuse`, or count each row `once` for
   * each group, so that groups overlap and do not add up. Default: `refuse`.
   */
  readonly fanOut?: 'refuse' | 'once' | undefined;
}

/** A field to group by. */
export interface GroupField {
  readonly field: string;
  readonly grain?: TimeGrain | undefined;
  /** The name of the column in the result. */
  readonly as?: string | undefined;
}

/** A statement that computes metrics as they are defined. */
export interface CompiledMetrics {
  /** One SELECT in the dialect, without a semicolon. */
  readonly sql: string;
  readonly columns: readonly CompiledColumn[];
  /** Metrics that it computes, with those that they are made of, by their defined names. */
  readonly metrics: readonly string[];
  /** Datasets that it reads. */
  readonly datasets: readonly string[];
  /** What somebody who reads the numbers should know, each one sentence. */
  readonly notes: readonly string[];
}

/** A column of the result, and what it shows. */
export type CompiledColumn =
  | { readonly kind: 'metric'; readonly name: string; readonly metric: string }
  | {
      readonly kind: 'dimension';
      readonly name: string;
      /** `dataset.field`, or `metric_time`. */
      readonly field: string;
      readonly grain?: TimeGrain | undefined;
    };
