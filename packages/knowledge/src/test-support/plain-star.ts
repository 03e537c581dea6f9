import type { NonAdditive, TimeWindow } from '../model/metric-definition.ts';
import type { TimeGrain } from '../model/semantic-model.ts';
import type { PlainCalendar } from './plain-calendar.ts';

/** Dates are `2024-02-29`, times `2024-02-29 08:15:00`. */
export type Cell = string | number | boolean | null;
export type Row = Readonly<Record<string, Cell>>;

export type PlainType = 'integer' | 'decimal' | 'text' | 'date' | 'timestamp' | 'boolean';

/** A column and the field that shows it. */
export interface PlainColumn {
  /** Of the column. */
  readonly name: string;
  readonly type: PlainType;
  /** Of the field, where it differs. */
  readonly field?: string | undefined;
}

/** A table with its rows, which is a dataset as well. */
export interface PlainTable {
  /** Of the dataset. */
  readonly name: string;
  /** Of the table, where it differs. */
  readonly source?: string | undefined;
  readonly columns: readonly PlainColumn[];
  readonly key?: string | undefined;
  /** A field. */
  readonly time?: string | undefined;
  readonly filter?: PlainCondition | undefined;
  readonly rows: readonly Row[];
}

/** From many to one, by columns. */
export interface PlainLink {
  readonly from: string;
  readonly column: string;
  readonly to: string;
  readonly toColumn: string;
}

/** A condition over `dataset.field`, or in a request over `metric_time`; NULL meets none but `null`. */
export interface PlainCondition {
  readonly field: string;
  readonly test: '=' | '<>' | '<' | '<=' | '>' | '>=' | 'in' | 'null' | 'not null';
  readonly values: readonly Exclude<Cell, null>[];
}

export type Arithmetic<Leaf> = number | Leaf | Operation<Leaf>;

export interface Operation<Leaf> {
  readonly left: Arithmetic<Leaf>;
  readonly operator: '+' | '-' | '*' | '/';
  readonly right: Arithmetic<Leaf>;
}

/** `SUM(CASE WHEN when THEN field END)`. */
export interface PlainAggregate {
  readonly aggregate: 'sum' | 'count' | 'distinct' | 'avg' | 'min' | 'max';
  readonly dataset: string;
  /** A field of the dataset; of a count: all rows when left out. */
  readonly field?: string | undefined;
  readonly when?: PlainCondition | undefined;
}

export interface PlainInput {
  readonly metric: string;
  readonly alias?: string | undefined;
  readonly filter?: PlainCondition | undefined;
  readonly offset?: TimeWindow | undefined;
  readonly offsetToGrain?: TimeGrain | undefined;
}

interface MetricBase {
  readonly name: string;
  readonly filter?: PlainCondition | undefined;
  readonly empty?: 'zero' | 'null' | undefined;
}

/** The kinds of `MetricDefinition`, with structure in place of SQL. */
export type PlainMetric = MetricBase &
  (
    | {
        readonly kind: 'aggregate';
        readonly expression: Arithmetic<PlainAggregate>;
        readonly time?: string | undefined;
        readonly nonAdditive?: NonAdditive | undefined;
      }
    | { readonly kind: 'ratio'; readonly numerator: PlainInput; readonly denominator: PlainInput }
    | {
        readonly kind: 'derived';
        readonly expression: Arithmetic<{ readonly alias: string }>;
        readonly inputs: readonly PlainInput[];
      }
    | {
        readonly kind: 'cumulative';
        readonly input: PlainInput;
        readonly window?: TimeWindow | undefined;
        readonly grainToDate?: TimeGrain | undefined;
      }
  );

export interface PlainStar {
  readonly tables: readonly PlainTable[];
  readonly links: readonly PlainLink[];
  readonly metrics: readonly PlainMetric[];
  readonly calendar?: PlainCalendar | undefined;
}

export interface PlainGroup {
  /** `dataset.field` or `metric_time`. */
  readonly field: string;
  readonly grain?: TimeGrain | undefined;
}

/** A `MetricRequest` with structure in place of SQL. */
export interface PlainRequest {
  readonly metrics: readonly string[];
  readonly by: readonly PlainGroup[];
  readonly where: readonly PlainCondition[];
  readonly fiscal?: boolean | undefined;
  readonly fillGaps?: boolean | undefined;
  readonly order?: { readonly by: string; readonly direction: 'asc' | 'desc' } | undefined;
  readonly limit?: number | undefined;
}

export function isOperation<Leaf extends object>(value: Leaf | Operation<Leaf>): value is Operation<Leaf> {
  return 'operator' in value;
}

export function leavesOf<Leaf extends object>(value: Arithmetic<Leaf>): readonly Leaf[] {
  if (typeof value === 'number') return [];
  return isOperation(value) ? [...leavesOf(value.left), ...leavesOf(value.right)] : [value];
}

export function inputsOf(metric: PlainMetric): readonly PlainInput[] {
  if (metric.kind === 'ratio') return [metric.numerator, metric.denominator];
  if (metric.kind === 'derived') return metric.inputs;
  return metric.kind === 'cumulative' ? [metric.input] : [];
}

export function metricOf(star: PlainStar, name: string): PlainMetric {
  const found = star.metrics.find((metric) => metric.name === name);
  if (found === undefined) throw new Error(`The star has no metric ${name}.`);
  return found;
}

export function tableOf(star: PlainStar, name: string): PlainTable {
  const found = star.tables.find((table) => table.name === name);
  if (found === undefined) throw new Error(`The star has no table ${name}.`);
  return found;
}

/** The column that the field `dataset.field` shows. */
export function columnOf(star: PlainStar, field: string): PlainColumn {
  const [dataset = '', name] = field.split('.');
  const found = tableOf(star, dataset).columns.find((column) => (column.field ?? column.name) === name);
  if (found === undefined) throw new Error(`The star has no field ${field}.`);
  return found;
}

/** The links from one table to another, only from many to one; undefined where there are none. */
export function pathTo(star: PlainStar, from: string, to: string): readonly PlainLink[] | undefined {
  if (from === to) return [];
  for (const link of star.links) {
    if (link.from !== from) continue;
    const rest = pathTo(star, link.to, to);
    if (rest !== undefined) return [link, ...rest];
  }
  return undefined;
}
