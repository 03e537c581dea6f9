import type { Catalog, QueryResult, ResultColumn, Value } from '@askema/core';
import type { QueryShape } from '@askema/sql';
import { areBands } from './bands.ts';
import { haveCheckDigits } from './check-digits.ts';
import { whyNoMeasure } from './key-columns.ts';
import { approximateOf } from './numeric.ts';
import { type ItemFacts, type ShapeFacts, shapeFacts } from './shape-facts.ts';
import { type TimeReader, timeReaderOf } from './time-forms.ts';
import { type Cycle, finer, namedPart, type TimeGrain, timePointOf } from './time-values.ts';
import { isUnique } from './unique-rows.ts';

/**
 * What a column can be in a chart. `time` is a date, a time or a year; `part` a place in a cycle (a month without its
 * year, a weekday, an hour); `id` a number that measures nothing; `other` what no chart can show: bytes, nested values,
 * nothing but NULL.
 */
type ColumnRole = 'measure' | 'time' | 'part' | 'category' | 'id' | 'other';

export interface ColumnFacts {
  readonly index: number;
  readonly name: string;
  readonly role: ColumnRole;
  /** Of an `id`: `is a key`. */
  readonly why: string | undefined;
  readonly grain: TimeGrain | undefined;
  /** Of a `time`: the point that a cell of it names. */
  readonly timeOf: TimeReader;
  /** Of a `category`: all of its texts are bands of numbers. */
  readonly banded: boolean;
  /** Of a `part`. */
  readonly cycle: Cycle | undefined;
  /** Different values, NULL not among them; counted up to {@link MOST_DISTINCT}. */
  readonly distinct: number;
  readonly nulls: number;
  /** NaN and infinite. */
  readonly notFinite: number;
  readonly negative: boolean;
  readonly whole: boolean;
  /** Parts of it add up to a whole. Averages, ratios, extremes and running totals do not. */
  readonly additive: boolean;
  readonly grouped: boolean;
  readonly aggregated: boolean;
  /** Its numbers are per cent, written as 12.5. */
  readonly percent: boolean;
}

export interface ResultFacts {
  readonly columns: readonly ColumnFacts[];
  readonly shape: ShapeFacts | undefined;
}

/** What is known of a query beside its result. */
export interface FactOptions {
  readonly shape?: QueryShape | undefined;
  readonly catalog?: Catalog | undefined;
}

/** More different values are not told apart: no chart shows so many. */
const MOST_DISTINCT = 20_000;
/** Who groups by more columns repeats what is shown of each row. */
const MOST_KEYS = 8;

/** What each column of a result can be in a chart: by its values first, for engines know types of few expressions. */
export function resultFacts(result: Pick<QueryResult, 'columns' | 'rows'>, options: FactOptions = {}): ResultFacts {
  const shape = shapeFacts(options.shape, result.columns.length);
  const columns = result.columns.map((column, index) => {
    const cells = scan(result, column, index);
    return factsOf(column, index, cells, shape?.items[index], options.catalog);
  });
  return { columns: columns.map((column) => labelled(column, columns, result.rows)), shape };
}

/**
 * A number by which the statement groups is a label where it tells rows apart that have the other labels in common:
 * `GROUP BY school, grade`. One that each row has anyway may measure it: `GROUP BY city, population`.
 */
function labelled(column: ColumnFacts, all: readonly ColumnFacts[], rows: QueryResult['rows']): ColumnFacts {
  if (column.role !== 'measure' || !isKeyOfGroups(column) || !all.some(({ aggregated }) => aggregated)) return column;
  const others = all.filter((each) => each !== column && isKeyOfGroups(each)).map(({ index }) => index);
  if (others.length > MOST_KEYS) return column;
  return others.length === 0 || isUnique(rows, others) ? column : { ...column, role: 'category', additive: false };
}

const isKeyOfGroups = ({ grouped, aggregated }: ColumnFacts): boolean => grouped && !aggregated;

/** The same of one column, by its name and values alone; undefined where there is none. */
export function columnFacts(result: Pick<QueryResult, 'columns' | 'rows'>, index: number): ColumnFacts | undefined {
  const column = result.columns[index];
  return column && factsOf(column, index, scan(result, column, index), undefined, undefined);
}

interface Cells {
  readonly distinct: Set<string>;
  nulls: number;
  notFinite: number;
  negative: boolean;
  whole: boolean;
  largest: number;
  smallest: number;
  readonly kinds: Set<'number' | 'text' | 'flag' | 'other'>;
  /** Undefined as soon as one text is no point of time. */
  grain: TimeGrain | 'none' | undefined;
  cycle: Cycle | 'none' | undefined;
}

function scan(result: Pick<QueryResult, 'rows'>, column: ResultColumn, index: number): Cells {
  const cells: Cells = {
    ...{ distinct: new Set<string>(), nulls: 0, notFinite: 0, negative: false, whole: true },
    ...{ largest: Number.NEGATIVE_INFINITY, smallest: Number.POSITIVE_INFINITY },
    ...{ kinds: new Set<'number' | 'text' | 'flag' | 'other'>(), grain: 'none' as const, cycle: 'none' as const },
  };
  for (const row of result.rows) scanCell(cells, (row[index] ?? null) as Value, column);
  return cells;
}

function scanCell(cells: Cells, value: Value, { type }: ResultColumn): void {
  if (value === null) {
    cells.nulls += 1;
    return;
  }
  if (cells.distinct.size < MOST_DISTINCT && typeof value !== 'object') cells.distinct.add(String(value).slice(0, 400));
  if (typeof value === 'object') cells.kinds.add('other');
  else if (typeof value === 'boolean') cells.kinds.add('flag');
  else {
    const number = typeof value === 'string' && type !== 'NUMERIC' ? undefined : approximateOf(value);
    if (number === undefined) scanText(cells, String(value));
    else scanNumber(cells, number);
  }
}

function scanNumber(cells: Cells, approximate: number): void {
  cells.kinds.add('number');
  if (!Number.isFinite(approximate)) {
    cells.notFinite += 1;
    return;
  }
  cells.negative ||= approximate < 0;
  cells.whole &&= Number.isInteger(approximate);
  cells.largest = Math.max(cells.largest, approximate);
  cells.smallest = Math.min(cells.smallest, approximate);
}

function scanText(cells: Cells, text: string): void {
  cells.kinds.add('text');
  if (cells.grain !== undefined) {
    const point = timePointOf(text);
    if (point === undefined || cells.grain === 'none') cells.grain = point?.grain;
    else if (point.grain !== cells.grain) cells.grain = finer(point.grain, cells.grain);
  }
  if (cells.cycle !== undefined) {
    const cycle = namedPart(text)?.cycle;
    cells.cycle = cells.cycle === 'none' || cells.cycle === cycle ? cycle : undefined;
  }
}

const YEAR_NAME = /(?:^|[_\s(.%])(?:years?|yr|jahr|ano|année|y)(?:$|[_\s)'])|[a-z]Year$|^year|%Y'\s*,|year$/i;
const PARTS: readonly {
  readonly cycle: Cycle;
  readonly name: RegExp;
  readonly least: number;
  readonly most: number;
}[] = [
  { cycle: 'month', name: /month(?!s)|%m/i, least: 1, most: 12 },
  { cycle: 'quarter', name: /quarter(?!s)|qtr/i, least: 1, most: 4 },
  { cycle: 'weekday', name: /week_?day|day_?of_?week|\bdow\b|%w/i, least: 0, most: 7 },
  { cycle: 'hour', name: /hour(?!s)|%H/, least: 0, most: 23 },
  { cycle: 'week', name: /(?<!of_?)week(?!_?day|s|end|ly)|%[WUV]/i, least: 0, most: 53 },
  { cycle: 'day', name: /day_?of_?month|\bday\b|%d/i, least: 1, most: 31 },
];
/** Numbers of four digits that lie between them are years. */
const [EARLIEST_YEAR, LATEST_YEAR] = [1900, 2100];
const COMPUTED_NAME = /\b(?:count|avg|sum)\s*\(/i;
const EXTREME = new Set(['min', 'max', 'any_value']);
const ADDITIVE_NAME =
  /^(?:count|sum|total)\s*\(|^(?:count|n|num|number_of|total)_|_(?:count|total)$|^(?:count|total)$/i;
const AVERAGE_NAME =
  /distinct|avg|average|mean|rate|ratio|percent|pct|share|median|min|max|per_|cumulative|running|[/*]/i;

function factsOf(
  column: ResultColumn,
  index: number,
  cells: Cells,
  item: ItemFacts | undefined,
  catalog: Catalog | undefined,
): ColumnFacts {
  const byItself = cells.whole && haveCheckDigits(cells.distinct) ? 'ends in check digits' : undefined;
  const why = whyNoMeasure(column, item, catalog) ?? byItself;
  const { role, grain, cycle, timeOf = timePointOf } = roleOf(column, cells, item, why);
  const byName = ADDITIVE_NAME.test(column.name) && !AVERAGE_NAME.test(column.name.replace('(*)', ''));
  return {
    ...{ index, name: column.name, role, grain, timeOf, cycle, why: role === 'id' ? why : undefined },
    banded: role === 'category' && areBands(cells.distinct),
    distinct: cells.distinct.size,
    ...{ nulls: cells.nulls, notFinite: cells.notFinite, negative: cells.negative, whole: cells.whole },
    additive: role === 'measure' && (item === undefined ? byName : item.additive),
    grouped: item?.grouped ?? false,
    aggregated: item === undefined ? /^[a-z_]+\s*\(.*\)$/i.test(column.name) : item.aggregate !== undefined,
    percent: /percent|pct|%$/i.test(column.name) && (cells.largest > 1 || cells.smallest < -1),
  };
}

interface Role {
  readonly role: ColumnRole;
  readonly grain?: TimeGrain | undefined;
  readonly timeOf?: TimeReader | undefined;
  readonly cycle?: Cycle | undefined;
}

function roleOf(column: ResultColumn, cells: Cells, item: ItemFacts | undefined, why: string | undefined): Role {
  const { kinds } = cells;
  if (kinds.size === 0 || kinds.has('other')) return { role: 'other' };
  // What an aggregate makes of a year is a year only if it picks one.
  const picked = item?.aggregate === undefined || EXTREME.has(item.aggregate);
  const isOnly = kinds.size === 1;
  const label = `${column.name} ${item?.source?.column ?? ''}`;
  if (isOnly && picked && isYear(label, cells)) return { role: 'time', grain: 'year' };
  const cycle = isOnly && picked ? cycleOf(label, cells) : undefined;
  if (cycle !== undefined) return { role: 'part', cycle };
  const inForm = isOnly && picked ? timeInForm(column, cells) : undefined;
  if (inForm !== undefined) return inForm;
  if (isOnly && kinds.has('number')) return roleOfNumber(column, cells, item, why);
  if (isOnly && kinds.has('text')) {
    const { cycle, grain = 'none' } = cells;
    // What the reader of the whole column has refused may be read in two ways.
    if (grain !== 'none' && grain !== 'year' && grain !== 'month') return { role: 'time', grain };
    if (cycle !== undefined && cycle !== 'none' && cells.distinct.size > 1) return { role: 'part', cycle };
  }
  return { role: 'category' };
}

function roleOfNumber(column: ResultColumn, cells: Cells, item: ItemFacts | undefined, why: string | undefined): Role {
  if (column.type === 'BOOL' && cells.distinct.size <= 2) return { role: 'category' };
  if (why !== undefined) return { role: 'id' };
  return areYears(column.name, cells, item) ? { role: 'time', grain: 'year' } : { role: 'measure' };
}

/** By the values alone, whatever the name says; not what is counted, summed or averaged. */
function areYears(name: string, { distinct, notFinite }: Cells, item: ItemFacts | undefined): boolean {
  // Without the statement, one value is not enough to tell.
  const isComputed = item?.computes ?? (distinct.size < 2 || ADDITIVE_NAME.test(name) || COMPUTED_NAME.test(name));
  if (isComputed || notFinite > 0) return false;
  return [...distinct].every((text) => /^\d{4}$/.test(text) && +text >= EARLIEST_YEAR && +text <= LATEST_YEAR);
}

function isYear(name: string, cells: Cells): boolean {
  if (!YEAR_NAME.test(name) || COMPUTED_NAME.test(name)) return false;
  if (cells.kinds.has('text')) return cells.grain === 'year';
  return cells.kinds.has('number') && cells.whole && cells.smallest >= 1000 && cells.largest <= 2999;
}

function cycleOf(name: string, cells: Cells): Cycle | undefined {
  if (/\b(?:count|avg|sum|max|min)\s*\(/i.test(name) || cells.distinct.size < 2) return undefined;
  return PARTS.find(
    (part) =>
      part.name.test(name) &&
      [...cells.distinct].every((text) => /^\d{1,2}$/.test(text) && +text >= part.least && +text <= part.most),
  )?.cycle;
}

/** By the form of all its texts, or of whole numbers such as 202407. ISO 8601 is read cell by cell. */
function timeInForm(column: ResultColumn, cells: Cells): Role | undefined {
  const isNumbers = cells.kinds.has('number');
  if (isNumbers ? !cells.whole || cells.smallest < 10_000 || cells.largest > 30_000_000 : !cells.kinds.has('text'))
    return undefined;
  const isRead = cells.grain !== undefined && cells.grain !== 'none' && cells.grain !== 'month';
  if ((isRead && cells.grain !== 'year') || cells.distinct.size >= MOST_DISTINCT) return undefined;
  const texts = [...cells.distinct];
  const timeOf = timeReaderOf(column.name, texts);
  if (timeOf === undefined) return undefined;
  const grain = texts.reduce<TimeGrain>((finest, text) => finer(finest, timeOf(text)?.grain ?? 'year'), 'year');
  return grain === 'year' ? undefined : { role: 'time', grain, timeOf };
}
