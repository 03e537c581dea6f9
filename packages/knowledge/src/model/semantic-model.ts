import type { CalendarUnit } from '@askema/core';
import type { MetricDefinition } from './metric-definition.ts';
import type { Standing } from './standing.ts';

/**
 * A semantic model, after Apache Ossie core-spec (osi-schema.json): datasets, relationships, metrics. What Ossie lacks
 * stands in the extension of vendor `ASKEMA` and is part of the types here. Plain readonly JSON.
 */
export interface SemanticModel {
  /** Unique within the knowledge. */
  readonly name: string;
  readonly description?: string | undefined;
  readonly ai?: AiContext | undefined;
  readonly datasets: readonly Dataset[];
  readonly relationships: readonly Relationship[];
  readonly metrics: readonly Metric[];
  /** Ours: conditions that have a name. */
  readonly filters: readonly NamedFilter[];
  /** Ours: a table with a row for each day, or for each of a coarser grain. */
  readonly timeSpine?: TimeSpine | undefined;
  readonly extensions: readonly Extension[];
  readonly standing: Standing;
}

/** What is said to models and searches about something. A text in the file is `instructions` with `isText`. */
export interface AiContext {
  readonly instructions?: string | undefined;
  readonly synonyms: readonly string[];
  readonly examples: readonly string[];
  /** Keys that Ossie allows and does not name, as they were read. */
  readonly other?: Readonly<Record<string, unknown>> | undefined;
  /** It stood in the file as one text. */
  readonly isText?: true | undefined;
}

/** An extension of another vendor, kept byte for byte. */
export interface Extension {
  readonly vendor: string;
  readonly data: string;
}

/** The same expression as several engines write it. `ANSI_SQL` is translated to engines that have none of their own. */
export interface DialectExpression {
  /** A name of Ossie: `ANSI_SQL`, `SNOWFLAKE`, `BIGQUERY`, `DATABRICKS`, …; ours: `SQLITE`, `POSTGRES`, `DUCKDB`, `MYSQL`. */
  readonly dialect: string;
  readonly expression: string;
}

/** An expression that every engine is asked for. */
export function ansi(expression: string): readonly DialectExpression[] {
  return [{ dialect: 'ANSI_SQL', expression }];
}

/** Rows of one kind: a table, a view, or a query. */
export interface Dataset {
  /** Unique within the knowledge, compared without case. */
  readonly name: string;
  /** `table`, `schema.table`, `database.schema.table`, or a SELECT. */
  readonly source: string;
  readonly primaryKey: readonly string[];
  readonly uniqueKeys: readonly (readonly string[])[];
  readonly description?: string | undefined;
  readonly ai?: AiContext | undefined;
  readonly fields: readonly Field[];
  /** Ours: what one row stands for, in words. */
  readonly grain?: string | undefined;
  /** Ours: a condition that always holds when its rows are aggregated; of fields of this dataset. */
  readonly defaultFilter?: string | undefined;
  /** Ours: the field by which its metrics are put in time. */
  readonly defaultTime?: string | undefined;
  /** Ours: somebody answers for it. */
  readonly isCertified?: boolean | undefined;
  readonly extensions: readonly Extension[];
  readonly standing: Standing;
}

/** A value that a field can have, and what it means. */
export interface EnumValue {
  readonly value: string | number | boolean;
  readonly meaning?: string | undefined;
  readonly synonyms: readonly string[];
}

/** Ossie 0.2.0: what kind of values a field or metric has. */
export type FieldType =
  | 'String'
  | 'Integer'
  | 'Decimal'
  | 'Float'
  | 'Boolean'
  | 'Date'
  | 'Time'
  | 'DateTime'
  | 'DateTimeTz'
  | 'Opaque';

/** Units of time, finest first. */
export const TIME_GRAINS: readonly TimeGrain[] = ['day', 'week', 'month', 'quarter', 'year'];
/** A unit of time: `day`, `week`, `month`, `quarter`, `year`. */
export type TimeGrain = CalendarUnit;

/** A value of each row: a scalar expression over columns of the source. */
export interface Field {
  /** Unique within its dataset, compared without case. */
  readonly name: string;
  readonly expressions: readonly DialectExpression[];
  /** It may be grouped and filtered by; undefined: only used inside of expressions. */
  readonly dimension?: { readonly isTime?: boolean | undefined } | undefined;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: FieldType | undefined;
  readonly ai?: AiContext | undefined;
  /** Ours: `USD`, `cents`, `kg`. */
  readonly unit?: string | undefined;
  /** Ours. */
  readonly values: readonly EnumValue[];
  /** Ours, of a time: the finest grain at which its values differ. */
  readonly timeGrain?: TimeGrain | undefined;
  /** Ours: neither shown nor asked for by name. */
  readonly isHidden?: boolean | undefined;
  /** Ours: how a value is shown, as the source of the model writes it. */
  readonly format?: string | undefined;
  readonly extensions: readonly Extension[];
}

/** An equi-join from many to one: `fromColumns[i] = toColumns[i]`. Columns of the sources, not fields. */
export interface Relationship {
  readonly name: string;
  /** The dataset with many rows for one of `to`. */
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
  readonly ai?: AiContext | undefined;
  /** Ours: at most one row on both sides. */
  readonly isOneToOne?: boolean | undefined;
  readonly extensions: readonly Extension[];
  readonly standing: Standing;
}

/** A number that the business goes by. */
export interface Metric {
  /** Unique within the knowledge, compared without case. */
  readonly name: string;
  readonly label?: string | undefined;
  readonly description?: string | undefined;
  readonly type?: FieldType | undefined;
  readonly ai?: AiContext | undefined;
  readonly definition: MetricDefinition;
  /** Ours. */
  readonly unit?: string | undefined;
  /** Ours: it is used by other metrics and not asked for by name. */
  readonly isHidden?: boolean | undefined;
  readonly extensions: readonly Extension[];
  readonly standing: Standing;
}

/** A condition with a name (`active customers`), over fields of one dataset or of those that it reaches. */
export interface NamedFilter {
  readonly name: string;
  readonly dataset: string;
  /** A condition in ANSI SQL over `dataset.field`. */
  readonly condition: string;
  readonly description?: string | undefined;
  readonly synonyms: readonly string[];
  readonly standing: Standing;
}

/** A table with a row for each period of its grain. */
export interface TimeSpine {
  /** As the source of a dataset. */
  readonly source: string;
  readonly column: string;
  readonly grain: TimeGrain;
}
