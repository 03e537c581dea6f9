import type { TimeGrain } from '../model/semantic-model.ts';
import { firstDay, moved, type PlainCalendar } from './plain-calendar.ts';
import { calendarOf, looksBack, timeGroup, timeOf, timesOf } from './plain-metrics.ts';
import {
  type Arithmetic,
  type Cell,
  columnOf,
  inputsOf,
  isOperation,
  leavesOf,
  metricOf,
  type PlainAggregate,
  type PlainCondition,
  type PlainGroup,
  type PlainInput,
  type PlainMetric,
  type PlainRequest,
  type PlainStar,
  type PlainTable,
  pathTo,
  type Row,
  tableOf,
} from './plain-star.ts';

type Key = readonly Cell[];

/** A group in which rows of some metrics are; of all metrics where nothing is grouped by. */
interface BruteGroup {
  readonly key: Key;
  readonly metrics: ReadonlySet<string>;
}

/** What a request should give, by loops over the rows of single tables. */
export interface BruteForce {
  readonly groups: readonly BruteGroup[];
  /** Of each metric in a group, also of one without rows. */
  values(key: Key): readonly Cell[];
}

/** Days from `from` to before `to`; rows without a day; no rows. */
type Period = { readonly from: string; readonly to: string } | 'without a day' | 'none';

/** Which rows of a fact count in a group. */
interface Slice {
  readonly key: Key;
  /** The time among the groups and which of its rows count; undefined where none is grouped by. */
  readonly time: { readonly group: number; readonly period: Period } | undefined;
  readonly filters: readonly PlainCondition[];
}

const BEGINNING = '0001-01-01';

export function bruteForce(star: PlainStar, request: PlainRequest): BruteForce {
  const calendar = calendarOf(star, request);
  const groups = new Map<string, { readonly key: Key; readonly metrics: Set<string> }>();
  if (request.by.length === 0) groups.set('[]', { key: [], metrics: new Set(request.metrics) });
  for (const name of request.metrics)
    for (const { table, rows, time } of factsOf(star, metricOf(star, name), request.where))
      for (const row of rows) {
        const key = request.by.map((group) => groupCell(star, table, row, time, group, calendar));
        const group = groups.get(JSON.stringify(key)) ?? { key, metrics: new Set<string>() };
        group.metrics.add(name);
        groups.set(JSON.stringify(key), group);
      }
  const known = new Map<string, readonly Cell[]>();
  const compute = (key: Key): readonly Cell[] =>
    request.metrics.map((name) => {
      const metric = metricOf(star, name);
      return metricValue(star, metric, request, sliceOf(star, metric, request, key));
    });
  return {
    groups: [...groups.values()],
    values: (key) => {
      const found = known.get(JSON.stringify(key)) ?? compute(key);
      known.set(JSON.stringify(key), found);
      return found;
    },
  };
}

function sliceOf(star: PlainStar, metric: PlainMetric, request: PlainRequest, key: Key): Slice {
  const at = timeGroup(star, metric, request);
  // What looks back sees the rows before: a condition on its time chooses periods.
  const times = looksBack(star, metric) && at >= 0 ? timesOf(star, metric) : new Set<string>();
  const filters = request.where.filter(({ field }) => !times.has(field));
  if (at < 0) return { key, time: undefined, filters };
  const cell = key[at];
  const grain = request.by[at]?.grain as TimeGrain;
  const period = typeof cell === 'string' ? { from: cell, to: moved(cell, 1, grain) } : 'without a day';
  return { key, filters, time: { group: at, period } };
}

function metricValue(star: PlainStar, metric: PlainMetric, request: PlainRequest, slice: Slice): Cell {
  const value = bareValue(star, metric, request, {
    ...slice,
    filters: metric.filter === undefined ? slice.filters : [...slice.filters, metric.filter],
  });
  return value === null && metric.empty === 'zero' ? 0 : value;
}

function bareValue(star: PlainStar, metric: PlainMetric, request: PlainRequest, slice: Slice): Cell {
  const input = (one: PlainInput, from = slice): Cell =>
    metricValue(star, metricOf(star, one.metric), request, inputSlice(one, from, calendarOf(star, request)));
  switch (metric.kind) {
    case 'aggregate':
      return calculate(metric.expression, (leaf) => aggregate(star, metric, leaf, request, slice));
    case 'ratio':
      return divide(input(metric.numerator), input(metric.denominator));
    case 'derived':
      return calculate(metric.expression, ({ alias }) => {
        const found = metric.inputs.find((one) => (one.alias ?? one.metric) === alias);
        if (found === undefined) throw new Error(`${metric.name} has no input ${alias}.`);
        return input(found);
      });
    case 'cumulative': {
      if (slice.time === undefined) return input(metric.input);
      const { period } = slice.time;
      if (typeof period === 'string') return input(metric.input, { ...slice, time: { ...slice.time, period: 'none' } });
      const { from: first, to } = period;
      const { window, grainToDate } = metric;
      const from =
        window !== undefined
          ? moved(to, -window.count, window.unit)
          : grainToDate !== undefined
            ? firstDay(first, grainToDate, calendarOf(star, request))
            : BEGINNING;
      return input(metric.input, { ...slice, time: { ...slice.time, period: { from, to } } });
    }
  }
}

function inputSlice({ filter, offset, offsetToGrain }: PlainInput, slice: Slice, calendar: PlainCalendar): Slice {
  const filters = filter === undefined ? slice.filters : [...slice.filters, filter];
  const { time } = slice;
  if (time === undefined || (offset === undefined && offsetToGrain === undefined)) return { ...slice, filters };
  if (typeof time.period === 'string') return { ...slice, filters, time: { ...time, period: 'none' } };
  let { from, to } = time.period;
  if (offset !== undefined) {
    from = moved(from, -offset.count, offset.unit);
    to = moved(to, -offset.count, offset.unit);
  }
  if (offsetToGrain !== undefined) {
    // As long as the period itself: of January for a month, of the first quarter for a quarter.
    const start = firstDay(from, offsetToGrain, calendar);
    const months = (day: string): number => Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7));
    const days = (Date.parse(to) - Date.parse(from)) / 86_400_000;
    to = days < 28 ? moved(start, days, 'day') : moved(start, months(to) - months(from), 'month');
    from = start;
  }
  return { ...slice, filters, time: { ...time, period: { from, to } } };
}

function aggregate(
  star: PlainStar,
  metric: PlainMetric,
  leaf: PlainAggregate,
  request: PlainRequest,
  slice: Slice,
): Cell {
  const { key, filters } = slice;
  const table = tableOf(star, leaf.dataset);
  const time = timeOf(star, metric, leaf.dataset);
  const calendar = calendarOf(star, request);
  let rows = countedRows(star, table, time, filters).filter((row) =>
    request.by.every((group, at) =>
      slice.time?.group === at && (group.field === 'metric_time' || group.field === time)
        ? isWithin(dayOf(star, table, row, time), slice.time.period)
        : groupCell(star, table, row, time, group, calendar) === key[at],
    ),
  );
  if (metric.kind === 'aggregate' && metric.nonAdditive !== undefined) {
    const { field, choice, within } = metric.nonAdditive;
    const partOf = (row: Row): string => JSON.stringify(within.map((one) => cellOf(star, table, row, one)));
    const chosen = new Map<string, Cell>();
    for (const row of rows) {
      const cell = cellOf(star, table, row, field);
      const best = chosen.get(partOf(row)) ?? null;
      if (cell !== null && (best === null || (choice === 'last' ? cell > best : cell < best)))
        chosen.set(partOf(row), cell);
    }
    rows = rows.filter((row) => {
      const cell = cellOf(star, table, row, field);
      return cell !== null && cell === chosen.get(partOf(row));
    });
  }
  // A group without rows has no count either; the whole has one.
  if (rows.length === 0) return request.by.length === 0 && isCount(leaf) ? 0 : null;
  const { when, field } = leaf;
  const met = when === undefined ? rows : rows.filter((row) => meets(cellOf(star, table, row, when.field), when));
  if (field === undefined) return met.length;
  const cells = met.map((row) => cellOf(star, table, row, `${leaf.dataset}.${field}`)).filter((cell) => cell !== null);
  return combine(leaf.aggregate, cells);
}

const isCount = ({ aggregate: name }: PlainAggregate): boolean => name === 'count' || name === 'distinct';

function combine(name: PlainAggregate['aggregate'], cells: readonly Cell[]): Cell {
  if (name === 'count') return cells.length;
  if (name === 'distinct') return new Set(cells).size;
  if (cells.length === 0) return null;
  const numbers = cells.map(Number);
  const sum = numbers.reduce((total, number) => total + number, 0);
  if (name === 'sum') return sum;
  if (name === 'avg') return sum / numbers.length;
  return numbers.reduce((best, number) => (name === 'min' ? Math.min(best, number) : Math.max(best, number)));
}

/** Tables whose rows a metric counts in their own period: those of an offset stand in another. */
function factsOf(
  star: PlainStar,
  metric: PlainMetric,
  filters: readonly PlainCondition[],
): readonly { readonly table: PlainTable; readonly rows: readonly Row[]; readonly time: string | undefined }[] {
  const all = metric.filter === undefined ? filters : [...filters, metric.filter];
  if (metric.kind !== 'aggregate')
    return inputsOf(metric)
      .filter(({ offset, offsetToGrain }) => offset === undefined && offsetToGrain === undefined)
      .flatMap(({ metric: name, filter }) =>
        factsOf(star, metricOf(star, name), filter === undefined ? all : [...all, filter]),
      );
  return leavesOf(metric.expression).map(({ dataset }) => {
    const table = tableOf(star, dataset);
    const time = timeOf(star, metric, dataset);
    const choice = metric.nonAdditive?.field;
    const rows = countedRows(star, table, time, all);
    // Without a time, a row is neither the first nor the last.
    return {
      table,
      time,
      rows: choice === undefined ? rows : rows.filter((row) => cellOf(star, table, row, choice) !== null),
    };
  });
}

function countedRows(
  star: PlainStar,
  table: PlainTable,
  time: string | undefined,
  filters: readonly PlainCondition[],
): readonly Row[] {
  const all = table.filter === undefined ? filters : [table.filter, ...filters];
  return table.rows.filter((row) =>
    all.every((filter) =>
      meets(cellOf(star, table, row, filter.field === 'metric_time' ? (time ?? 'metric_time') : filter.field), filter),
    ),
  );
}

function groupCell(
  star: PlainStar,
  table: PlainTable,
  row: Row,
  time: string | undefined,
  { field, grain }: PlainGroup,
  calendar: PlainCalendar,
): Cell {
  const name = field === 'metric_time' ? time : field;
  if (name === undefined) throw new Error(`${table.name} has no time.`);
  const cell = cellOf(star, table, row, name);
  return grain === undefined || typeof cell !== 'string' ? cell : firstDay(cell, grain, calendar);
}

function dayOf(star: PlainStar, table: PlainTable, row: Row, time: string | undefined): string | undefined {
  const cell = time === undefined ? null : cellOf(star, table, row, time);
  return typeof cell === 'string' ? cell.slice(0, 10) : undefined;
}

function isWithin(day: string | undefined, period: Period): boolean {
  if (day === undefined || typeof period === 'string') return day === undefined && period === 'without a day';
  return day >= period.from && day < period.to;
}

/** The cell of `dataset.field` that belongs to a row of a table; NULL where no row is linked. */
function cellOf(star: PlainStar, table: PlainTable, row: Row, field: string): Cell {
  const path = pathTo(star, table.name, field.split('.')[0] ?? '');
  if (path === undefined) throw new Error(`${table.name} does not reach ${field}.`);
  let at: Row | undefined = row;
  for (const { column, to, toColumn } of path) {
    const value: Cell = at[column] ?? null;
    at = value === null ? undefined : tableOf(star, to).rows.find((target) => target[toColumn] === value);
    if (at === undefined) return null;
  }
  return at[columnOf(star, field).name] ?? null;
}

export function meets(cell: Cell, { test, values }: PlainCondition): boolean {
  if (test === 'null') return cell === null;
  if (cell === null) return false;
  if (test === 'not null') return true;
  if (test === 'in') return values.includes(cell);
  const [value] = values;
  if (value === undefined) throw new Error(`${test} needs a value.`);
  if (test === '=') return cell === value;
  if (test === '<>') return cell !== value;
  if (test === '<') return cell < value;
  if (test === '<=') return cell <= value;
  return test === '>' ? cell > value : cell >= value;
}

function calculate<Leaf extends object>(expression: Arithmetic<Leaf>, leaf: (leaf: Leaf) => Cell): Cell {
  if (typeof expression === 'number') return expression;
  if (!isOperation(expression)) return leaf(expression);
  const [left, right] = [calculate(expression.left, leaf), calculate(expression.right, leaf)];
  if (expression.operator === '/') return divide(left, right);
  if (left === null || right === null) return null;
  const [a, b] = [Number(left), Number(right)];
  if (expression.operator === '+') return a + b;
  return expression.operator === '-' ? a - b : a * b;
}

function divide(left: Cell, right: Cell): Cell {
  return left === null || right === null || Number(right) === 0 ? null : Number(left) / Number(right);
}
