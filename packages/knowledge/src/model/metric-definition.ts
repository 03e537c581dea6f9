import type { DialectExpression, TimeGrain } from './semantic-model.ts';

/** How a metric is computed. Conditions are ANSI SQL over `dataset.field`. */
export type MetricDefinition = Aggregate | Ratio | Derived | Cumulative;

interface DefinitionBase {
  /** Rows that count; all when left out. */
  readonly filter?: string | undefined;
  /** What stands for a group without rows: NULL when left out. */
  readonly empty?: 'zero' | 'null' | undefined;
}

/**
 * An expression of aggregates, each over fields of one dataset and of those that it reaches from many to one. Several
 * datasets are aggregated apart: `SUM(sales.amount) / COUNT(DISTINCT visits.customer_id)`. `/` never cuts.
 */
export interface Aggregate extends DefinitionBase {
  readonly kind: 'aggregate';
  readonly expressions: readonly DialectExpression[];
  /** Whose rows are counted where no column says it (`COUNT(*)`), and where names without a dataset are looked up first. */
  readonly dataset?: string | undefined;
  /** `dataset.field` by which its rows are put in time; that of the dataset when left out. */
  readonly time?: string | undefined;
  /** It cannot be added up over a field: of each group, only the rows of the first or last value of `field` count. */
  readonly nonAdditive?: NonAdditive | undefined;
}

/** After dbt's non_additive_dimension. An account balance: the rows of the last day, for each account. */
export interface NonAdditive {
  /** `dataset.field`, a time. */
  readonly field: string;
  readonly choice: 'first' | 'last';
  /** `dataset.field`s: the first or last is taken for each of their values. */
  readonly within: readonly string[];
}

/** A metric as part of another. */
export interface MetricInput {
  readonly metric: string;
  /** Its name in the expression; the name of the metric when left out. */
  readonly alias?: string | undefined;
  /** Beside the metric's own. */
  readonly filter?: string | undefined;
  /** The value of so many units of time before. */
  readonly offset?: TimeWindow | undefined;
  /** The value of the first period of this grain: of January, for `year`. */
  readonly offsetToGrain?: TimeGrain | undefined;
}

/** So many units of time, at least one. */
export interface TimeWindow {
  readonly count: number;
  readonly unit: TimeGrain;
}

/** One sum over another, never cut to an integer; NULL where the denominator is 0. */
export interface Ratio extends DefinitionBase {
  readonly kind: 'ratio';
  readonly numerator: MetricInput;
  readonly denominator: MetricInput;
}

/** Arithmetic over other metrics by their aliases. */
export interface Derived extends DefinitionBase {
  readonly kind: 'derived';
  readonly expression: string;
  readonly inputs: readonly MetricInput[];
}

/**
 * A running value at the end of each period: of all time, of the last `window`, or since the beginning of the period of
 * `grainToDate`.
 */
export interface Cumulative extends DefinitionBase {
  readonly kind: 'cumulative';
  readonly input: MetricInput;
  readonly window?: TimeWindow | undefined;
  readonly grainToDate?: TimeGrain | undefined;
}
