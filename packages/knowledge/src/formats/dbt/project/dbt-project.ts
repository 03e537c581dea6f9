import type { EnumValue, TimeGrain } from '../../../model/semantic-model.ts';
import type { Place } from '../../../model/standing.ts';

/** What the files of a dbt project say about meaning, whichever way they are written. */
export interface DbtProject {
  readonly name: string | undefined;
  readonly models: readonly DbtModel[];
  readonly metrics: readonly DbtMetric[];
  readonly timeSpines: readonly DbtTimeSpine[];
}

/** A semantic model. */
export interface DbtModel {
  readonly name: string;
  readonly source: string;
  readonly description: string | undefined;
  readonly owner: string | undefined;
  readonly primaryEntity: string | undefined;
  readonly defaultTime: string | undefined;
  readonly entities: readonly DbtEntity[];
  readonly dimensions: readonly DbtDimension[];
  readonly measures: readonly DbtMeasure[];
  readonly columns: readonly DbtColumn[];
  readonly place: Place;
}

export interface DbtEntity {
  readonly name: string;
  readonly type: 'primary' | 'unique' | 'foreign' | 'natural';
  readonly expr: string;
  readonly label: string | undefined;
  readonly description: string | undefined;
  readonly place: Place;
}

export interface DbtDimension {
  readonly name: string;
  readonly isTime: boolean;
  readonly expr: string;
  readonly grain: TimeGrain | undefined;
  readonly label: string | undefined;
  readonly description: string | undefined;
  readonly place: Place;
}

/** How rows of a semantic model become one number. */
export interface DbtMeasure {
  readonly name: string;
  readonly aggregation: string;
  readonly expr: string;
  /** 0 to 1. */
  readonly percentile: number | undefined;
  readonly isDiscrete: boolean;
  readonly time: string | undefined;
  readonly nonAdditive:
    | { readonly dimension: string; readonly choice: 'first' | 'last'; readonly entities: readonly string[] }
    | undefined;
  readonly label: string | undefined;
  readonly description: string | undefined;
  /** `create_metric`: it is a metric as well. */
  readonly isMetric: boolean;
  readonly place: Place;
}

/** What `models:` says about a column of a table. */
export interface DbtColumn {
  readonly name: string;
  readonly description: string | undefined;
  readonly values: readonly EnumValue[];
}

export interface DbtMetric {
  readonly name: string;
  readonly type: string;
  readonly label: string | undefined;
  readonly description: string | undefined;
  readonly owner: string | undefined;
  readonly filters: readonly string[];
  /** Of `simple` and `cumulative`. */
  readonly measure: DbtInput | undefined;
  /** Of `simple` without measures: what it aggregates. */
  readonly aggregate: { readonly model: string; readonly measure: DbtMeasure } | undefined;
  readonly inputs: readonly DbtInput[];
  readonly numerator: DbtInput | undefined;
  readonly denominator: DbtInput | undefined;
  readonly expr: string | undefined;
  /** Of `cumulative`. */
  readonly input: DbtInput | undefined;
  readonly window: DbtWindow | undefined;
  readonly grainToDate: string | undefined;
  readonly periodAggregation: string | undefined;
  readonly isZeroWhenEmpty: boolean;
  readonly place: Place;
}

/** A metric or measure inside of a metric. */
export interface DbtInput {
  readonly name: string;
  readonly alias: string | undefined;
  readonly filters: readonly string[];
  readonly offset: DbtWindow | undefined;
  readonly offsetToGrain: string | undefined;
}

export interface DbtWindow {
  readonly count: number;
  /** As written, in lower case and without a plural s. */
  readonly unit: string;
}

export interface DbtTimeSpine {
  readonly source: string;
  readonly column: string;
  readonly grain: TimeGrain;
  readonly place: Place;
}
