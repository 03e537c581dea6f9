import type { ColumnName, Expression } from '../expression/expression.ts';
import { columnsIn } from '../expression/walk-expression.ts';
import type { Measure } from './analyse-metric.ts';
import { runningStart } from './periods.ts';
import type { Dimension } from './plan-request.ts';
import type { Scan } from './plan-scans.ts';
import { refused } from './refused.ts';
import { columnsOf, dayOf, dimensionOf, type ScanSource } from './scan-source.ts';
import { type SelectClauses, selectText } from './select-text.ts';
import type { Writing } from './writing.ts';

/** A scan on its way into the statement. */
export interface ScanQuery {
  readonly scan: Scan;
  /** The dimensions, as items of a SELECT. */
  readonly groups: readonly string[];
  /** FROM and what follows. */
  readonly clauses: Omit<SelectClauses, 'items' | 'groups'>;
  /** The value of a measure, over what FROM gives. */
  value(measure: Measure): string;
}

/** The rows of a scan that is not aggregated in one step. */
export interface ScanRows {
  /** The name of the query in front. */
  readonly query: string;
  /** Of the day of each row, where the scan has a time. */
  readonly day: string | undefined;
  /** Names of columns, by the text of a bound column. */
  readonly columns: ReadonlyMap<string, string>;
  /** Where the rows are those of whole days: the columns with their aggregates, by key of measure. */
  readonly days?: ReadonlyMap<string, string> | undefined;
}

/** Aggregates that can be computed from those of single days. A running value then joins days, not all rows. */
const OF_DAYS: Readonly<Record<string, string>> = { SUM: 'SUM', COUNT: 'SUM', COUNT_IF: 'SUM', MIN: 'MIN', MAX: 'MAX' };

/** True for a scan whose measures are aggregates over its joined rows, and nothing more. */
export function isDirect(scan: Scan, source: ScanSource): boolean {
  return scan.running === undefined && scan.lasting === undefined && !source.repeats;
}

/** A scan that is aggregated as it is read. */
export function directQuery(
  scan: Scan,
  source: ScanSource,
  dimensions: readonly Dimension[],
  writing: Writing,
): ScanQuery {
  const { from, joins, where } = source;
  return {
    scan,
    groups: dimensions.map((dimension) => item(dimensionOf(dimension, scan, writing), dimension.column, writing)),
    clauses: { from, joins, where },
    value: ({ call }) => writing.expression(call),
  };
}

/** Puts the rows of a scan in front: what its measures read, beside its dimensions. */
export function writeRows(
  scan: Scan,
  source: ScanSource,
  dimensions: readonly Dimension[],
  writing: Writing,
): ScanRows {
  const { from, joins, where, repeats } = source;
  const items: string[] = [];
  const columns = new Map<string, string>();
  const add = (text: string, key: string, name: string): void => {
    if (columns.has(key)) return;
    const column = writing.column(name);
    columns.set(key, column);
    items.push(item(text, column, writing));
  };
  for (const dimension of rowDimensions(scan, dimensions))
    items.push(item(dimensionOf(dimension, scan, writing), dimension.column, writing));
  if (repeats)
    for (const column of keyOf(scan)) {
      const { name: dataset } = scan.dataset.dataset;
      add(writing.sourceColumn(dataset, column), keyOfColumn({ dataset, column }), column);
    }
  let day: string | undefined;
  if (scan.running !== undefined) {
    day = writing.column('day');
    items.push(item(dayOf(scan, writing), day, writing));
  }
  const read: Expression[] = scan.measures.map(({ call }) => call);
  if (scan.lasting !== undefined) {
    const { field, within } = scan.lasting;
    for (const expression of [field, ...within])
      if (expression.kind === 'column') read.push(expression);
      else add(writing.expression(expression), keyOfExpression(expression), 'value');
  }
  for (const { bound } of columnsOf(read, columnsIn))
    if (bound !== undefined) add(writing.sourceColumn(bound.dataset, bound.column), keyOfColumn(bound), bound.column);
  // A scan that only counts rows reads no column.
  if (items.length === 0) items.push(item('1', writing.column('row_of'), writing));
  const sql = selectText({ distinct: repeats, items, from, joins, where });
  return { query: writing.query([`${scan.metric}_rows`], sql), day, columns };
}

/** True where {@link writeDays} does for {@link writeRows}. */
export function isOfDays({ running, lasting, measures }: Scan, { repeats }: ScanSource): boolean {
  const canBeMerged = measures.every(({ call }) => !call.isDistinct && OF_DAYS[call.name] !== undefined);
  return running !== undefined && lasting === undefined && !repeats && canBeMerged;
}

/** Puts the aggregates of each day in front. */
export function writeDays(
  scan: Scan,
  source: ScanSource,
  dimensions: readonly Dimension[],
  writing: Writing,
): ScanRows {
  const { from, joins, where } = source;
  const day = writing.column('day');
  const groups = rowDimensions(scan, dimensions).map((dimension) =>
    item(dimensionOf(dimension, scan, writing), dimension.column, writing),
  );
  groups.push(item(dayOf(scan, writing), day, writing));
  const days = new Map<string, string>();
  const values = scan.measures.map(({ key, metric, call }) => {
    const column = writing.column(metric);
    days.set(key, column);
    return item(writing.expression(call), column, writing);
  });
  const sql = selectText({ items: [...groups, ...values], from, joins, where, groups: groups.length });
  return { query: writing.query([`${scan.metric}_by_day`], sql), day, columns: new Map(), days };
}

/** The aggregates of a scan over its rows. */
export function rowsQuery(
  scan: Scan,
  rows: ScanRows,
  dimensions: readonly Dimension[],
  months: string | undefined,
  writing: Writing,
): ScanQuery {
  const running = scan.running !== undefined && months !== undefined;
  const own = rowDimensions(scan, dimensions);
  const columnOf = (column: string): string => `${rows.query}.${writing.name(column)}`;
  let from = rows.query;
  let joins: readonly string[] = [];
  const period = (dimension: Dimension): string => {
    const first = `${months}.period`;
    return dimension === scan.periods?.finest ? first : writing.periods.truncate(first, dimension.grain ?? 'day');
  };
  if (running) {
    from = months;
    joins = [`JOIN ${rows.query} ON ${runningCondition(scan, rows, `${months}.period`, writing)}`];
  }
  const groupText = (dimension: Dimension): string =>
    own.includes(dimension) ? columnOf(dimension.column) : period(dimension);
  const groups = dimensions.map((dimension) => item(groupText(dimension), dimension.column, writing));
  if (scan.lasting === undefined)
    return { scan, groups, clauses: { from, joins }, value: valueOver(rows, columnOf, writing) };
  const { field, choice, within } = scan.lasting;
  const at = (expression: Expression): string => columnOf(rows.columns.get(keyOfExpression(expression)) ?? '');
  const parts = [...dimensions.map(groupText), ...within.map(at)];
  const over = parts.length === 0 ? '' : `PARTITION BY ${parts.join(', ')}`;
  const ending = writing.column(choice === 'last' ? 'latest' : 'earliest');
  const value = `${choice === 'last' ? 'MAX' : 'MIN'}(${at(field)}) OVER (${over})`;
  const kept = [...rows.columns.values()].map((column) => `${columnOf(column)} AS ${writing.name(column)}`);
  const query = writing.query(
    [`${scan.metric}_${choice}`],
    selectText({ items: [...groups, ...kept, item(value, ending, writing)], from, joins }),
  );
  const inner = (column: string): string => `${query}.${writing.name(column)}`;
  return {
    scan,
    groups: dimensions.map(({ column }) => item(inner(column), column, writing)),
    clauses: {
      from: query,
      where: [`${inner(rows.columns.get(keyOfExpression(field)) ?? '')} = ${inner(ending)}`],
    },
    value: valueOver(rows, inner, writing),
  };
}

/** A text with the name of its column, where that is another. */
export function item(text: string, column: string, writing: Writing): string {
  const name = writing.name(column);
  return text === name ? text : `${text} AS ${name}`;
}

/** Of a running value, the periods come from the calendar and not from the rows. */
function rowDimensions({ running, periods }: Scan, dimensions: readonly Dimension[]): readonly Dimension[] {
  return running === undefined ? dimensions : dimensions.filter((dimension) => !periods?.all.includes(dimension));
}

function runningCondition(scan: Scan, rows: ScanRows, period: string, writing: Writing): string {
  const { periods } = writing;
  const grain = scan.periods?.grain ?? 'day';
  const day = `${rows.query}.${writing.name(rows.day ?? '')}`;
  const next = periods.add(period, 1, grain);
  const start = runningStart(scan.running ?? {}, period, next, grain, periods);
  const ends = `${day} < ${next}`;
  return start === undefined ? ends : `${ends} AND ${day} >= ${start}`;
}

function valueOver(rows: ScanRows, columnOf: (column: string) => string, writing: Writing) {
  return ({ call, key }: Measure): string => {
    const day = rows.days?.get(key);
    if (day !== undefined) return `${OF_DAYS[call.name]}(${columnOf(day)})`;
    return writing.expression(call, ({ bound }: ColumnName) =>
      columnOf((bound && rows.columns.get(keyOfColumn(bound))) ?? ''),
    );
  };
}

function keyOf({ dataset, metric }: Scan): readonly string[] {
  const key = dataset.dataset.primaryKey.length > 0 ? dataset.dataset.primaryKey : dataset.keys[0];
  if (key !== undefined && key.length > 0)
    return key.map((column) => dataset.columns.get(column.toLowerCase())?.name ?? column);
  throw refused(
    'no-key',
    `The rows of \`${dataset.dataset.name}\`, of the metric \`${metric}\`, cannot be told apart, so none can be ` +
      'counted once. Give the dataset a primary key.',
    { metric, dataset: dataset.dataset.name },
  );
}

function keyOfColumn({ dataset, column }: { readonly dataset: string; readonly column: string }): string {
  return `${dataset}.${column}`;
}

function keyOfExpression(expression: Expression): string {
  if (expression.kind === 'column' && expression.bound !== undefined) return keyOfColumn(expression.bound);
  return JSON.stringify(expression, (name, value: unknown) => (name === 'span' ? undefined : value));
}
