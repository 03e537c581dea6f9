import type { TimeWindow } from '../model/metric-definition.ts';
import type { TimeGrain } from '../model/semantic-model.ts';
import { bruteForce, meets } from './brute-force.ts';
import { firstDay } from './plain-calendar.ts';
import { calendarOf, isReachable, looksBack, timeGroup, timesOf } from './plain-metrics.ts';
import { type Cell, inputsOf, metricOf, type PlainMetric, type PlainRequest, type PlainStar } from './plain-star.ts';

/**
 * Why the rows of a statement are not those of brute force, or undefined where they are. Columns are those of `by`,
 * then those of `metrics`. Groups without a value may be missing; groups beyond those with rows may stand there, with
 * the right value: a running value has one in each period.
 */
export function disagreement(
  star: PlainStar,
  request: PlainRequest,
  rows: readonly (readonly unknown[])[],
): string | undefined {
  const truth = bruteForce(star, request);
  const width = request.by.length;
  const isStrict = request.fillGaps !== true && !request.metrics.some((name) => looksBack(star, metricOf(star, name)));
  const seen = new Set<string>();
  const keys = new Map(truth.groups.map(({ key }) => [keyText(key), key]));
  for (const row of rows) {
    const key = row.slice(0, width).map((cell, at) => plainCell(cell, star, request, at));
    const text = keyText(key);
    if (seen.has(text)) return `The group ${text} is there twice.`;
    seen.add(text);
    const expected = truth.values(keys.get(text) ?? key);
    for (const [at, value] of expected.entries())
      if (!isClose(value, row[width + at]))
        return `${request.metrics[at]} of ${text} is ${String(row[width + at])} and should be ${String(value)}.`;
    if (!keys.has(text) && isStrict && expected.every((value) => value === null))
      return `The group ${text} has no rows.`;
  }
  const needed = truth.groups.flatMap(({ key, metrics }) =>
    truth
      .values(key)
      .some((value, at) => value !== null && metrics.has(request.metrics[at] ?? '') && isDue(star, request, at, key))
      ? [key]
      : [],
  );
  const misplaced = isStrict
    ? orderFault(
        request,
        truth.groups.map(({ key }) => truth.values(key)),
        rows,
      )
    : undefined;
  if (misplaced !== undefined) return misplaced;
  if (request.limit !== undefined)
    return rows.length < Math.min(request.limit, needed.length) || rows.length > request.limit
      ? `There are ${rows.length} rows of ${needed.length}, with a limit of ${request.limit}.`
      : undefined;
  const missing = needed.find((key) => !seen.has(keyText(key)));
  return missing === undefined ? undefined : `The group ${keyText(missing)} is missing.`;
}

/** Whether the rows come in the order that is asked for, the first of all that there are; NULL comes last. */
function orderFault(
  { order, metrics, by }: PlainRequest,
  values: readonly (readonly Cell[])[],
  rows: readonly (readonly unknown[])[],
): string | undefined {
  if (order === undefined) return undefined;
  const at = metrics.indexOf(order.by);
  const sign = order.direction === 'asc' ? 1 : -1;
  const sorted = values
    .map((row) => row[at] ?? null)
    .sort((a, b) =>
      a === null || b === null ? Number(a === null) - Number(b === null) : sign * (Number(a) - Number(b)),
    );
  const wrong = sorted.findIndex(
    (value, place) => place < rows.length && !isClose(value, rows[place]?.[by.length + at]),
  );
  return wrong === -1
    ? undefined
    : `Row ${wrong + 1} by ${order.by} has ${String(rows[wrong]?.[by.length + at])} and should have ${String(sorted[wrong])}.`;
}

const keyText = (key: readonly Cell[]): string => JSON.stringify(key);

/** Whether a metric has to have a group: what looks back has those of the periods that conditions choose. */
function isDue(star: PlainStar, request: PlainRequest, place: number, key: readonly Cell[]): boolean {
  const metric = metricOf(star, request.metrics[place] ?? '');
  const at = timeGroup(star, metric, request);
  if (at < 0 || !looksBack(star, metric)) return true;
  const times = timesOf(star, metric);
  const cell = key[at] ?? null;
  return (
    cell !== null && request.where.filter(({ field }) => times.has(field)).every((condition) => meets(cell, condition))
  );
}

/** A cell as the engine gives it, in the form of the star: days of periods, true and false. */
function plainCell(cell: unknown, star: PlainStar, request: PlainRequest, at: number): Cell {
  const group = request.by[at];
  if (cell === null || cell === undefined || group === undefined) return null;
  const text = cell instanceof Date ? cell.toISOString() : String(cell);
  if (group.grain !== undefined) return text.slice(0, 10);
  const [dataset, name] = group.field.split('.');
  const type = star.tables
    .find((table) => table.name === dataset)
    ?.columns.find((column) => (column.field ?? column.name) === name)?.type;
  if (type === 'boolean') return text === '1' || text === 'true' || text === 't';
  if (type === 'date') return text.slice(0, 10);
  if (type === 'timestamp') return text.slice(0, 19).replace('T', ' ');
  return type === 'integer' || type === 'decimal' ? Number(text) : text;
}

function isClose(expected: Cell, actual: unknown): boolean {
  if (expected === null || actual === null || actual === undefined) return expected === null && actual == null;
  const [a, b] = [Number(expected), Number(actual)];
  return Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(a), Math.abs(b));
}

const FINER: Readonly<Record<TimeGrain, readonly TimeGrain[]>> = {
  day: ['day', 'week', 'month', 'quarter', 'year'],
  week: ['week'],
  month: ['month', 'quarter', 'year'],
  quarter: ['quarter', 'year'],
  year: ['year'],
};

/** Whether the definitions say without a doubt what the request gives: periods are moved by whole periods. */
export function isSettled(star: PlainStar, request: PlainRequest): boolean {
  if (!isReachable(star, request)) return false;
  const times = request.by.filter(({ grain }) => grain !== undefined).length;
  // Gaps can be filled, and periods compared, in one time only.
  if (request.fillGaps && times !== 1) return false;
  if (request.fiscal && star.calendar?.fiscalYearStart === undefined) return false;
  return request.metrics.every((name) => {
    const metric = metricOf(star, name);
    if (!looksBack(star, metric)) return true;
    const at = timeGroup(star, metric, request);
    const grain = request.by[at]?.grain;
    const fields = timesOf(star, metric);
    // Beside `metric_time`, the time of every part.
    const isTimeOfAll = request.by[at]?.field === 'metric_time' || fields.size === 2;
    if (grain === undefined || times !== 1 || !isTimeOfAll) return false;
    const conditions = request.where.filter(({ field }) => fields.has(field));
    return (
      isAligned(star, metric, grain) &&
      conditions.every(
        ({ test, values: [day] }) =>
          (test === '>=' || test === '<') && day === firstDay(String(day), grain, calendarOf(star, request)),
      )
    );
  });
}

function isAligned(star: PlainStar, metric: PlainMetric, grain: TimeGrain): boolean {
  const fits = (window: TimeWindow | undefined): boolean =>
    window === undefined || (FINER[grain].includes(window.unit) && !(grain === 'day' && isMonthly(window.unit)));
  return (
    (metric.kind !== 'cumulative' ||
      // A running value of what looks back itself may be refused.
      (!looksBack(star, metricOf(star, metric.input.metric)) &&
        fits(metric.window) &&
        (metric.grainToDate === undefined || FINER[grain].includes(metric.grainToDate)))) &&
    inputsOf(metric).every(
      (input) =>
        fits(input.offset) &&
        (input.offsetToGrain === undefined || FINER[grain].includes(input.offsetToGrain)) &&
        isAligned(star, metricOf(star, input.metric), grain),
    )
  );
}

const isMonthly = (unit: TimeGrain): boolean => unit === 'month' || unit === 'quarter' || unit === 'year';
