import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import type { Measure } from './analyse-metric.ts';
import type { MetricRequest } from './metric-request.ts';
import { PeriodQueries } from './period-queries.ts';
import { nestsIn, shifted } from './periods.ts';
import type { OrderPart, OutputMetric, RequestPlan } from './plan-request.ts';
import type { Branch, PeriodDimension, Scan } from './plan-scans.ts';
import { refused } from './refused.ts';
import { scanSource } from './scan-source.ts';
import { indented, type SelectClauses, selectText, withQueries } from './select-text.ts';
import {
  directQuery,
  isDirect,
  isOfDays,
  item,
  rowsQuery,
  type ScanQuery,
  type ScanRows,
  writeDays,
  writeRows,
} from './write-scan.ts';
import { Writing } from './writing.ts';

/** A query in front with the dimensions and some measures, by key. */
interface Part {
  readonly query: string;
  readonly columns: ReadonlyMap<string, string>;
}

/** A statement and what is to be said about it. */
export interface WrittenStatement {
  readonly sql: string;
  readonly datasets: readonly string[];
  /** A row may count in several groups. */
  readonly groupsOverlap: boolean;
}

/** Writes the branches of a request, and puts them together on the dimensions. */
export function writeStatement(
  request: MetricRequest,
  plan: RequestPlan,
  branches: readonly Branch[],
  bound: BoundKnowledge,
): WrittenStatement {
  const writing = new Writing(bound, {
    fanOut: request.fanOut ?? 'refuse',
    fiscal: request.fiscal ?? false,
    dimensions: plan.dimensions.map(({ column }) => column),
    metrics: plan.metrics.map(({ column }) => column),
  });
  const statement = new StatementWriter(plan, writing, request.fillGaps === true);
  const sql = statement.write(branches);
  return { sql, datasets: [...writing.datasets], groupsOverlap: statement.groupsOverlap };
}

class StatementWriter {
  groupsOverlap = false;
  readonly #plan: RequestPlan;
  readonly #writing: Writing;
  readonly #fill: PeriodDimension | undefined;
  /** Of running values, of those that are compared with earlier ones, and of gaps: the same for all. */
  #period: PeriodDimension | undefined;
  #periods: PeriodQueries;

  constructor(plan: RequestPlan, writing: Writing, fillGaps: boolean) {
    this.#plan = plan;
    this.#writing = writing;
    this.#fill = fillGaps ? filledPeriods(plan) : undefined;
    this.#periods = new PeriodQueries(writing, 'day', []);
  }

  write(branches: readonly Branch[]): string {
    const { dimensions, conditions } = this.#plan;
    const scans = [...new Set(branches.map(({ scan }) => scan))];
    this.#period = onePeriod([this.#fill, ...branches.map(({ periods }) => periods)]);
    this.#periods = new PeriodQueries(this.#writing, this.#period?.grain ?? 'day', conditions);
    const sources = new Map(scans.map((scan) => [scan, scanSource(scan, dimensions, this.#writing)]));
    this.groupsOverlap = [...sources.values()].some(({ repeats }) => repeats);
    const prepared = new Map<Scan, ScanQuery | ScanRows>();
    for (const [scan, source] of sources) {
      const write = isDirect(scan, source) ? directQuery : isOfDays(scan, source) ? writeDays : writeRows;
      prepared.set(scan, write(scan, source, dimensions, this.#writing));
    }
    const [first] = branches;
    if (first !== undefined && branches.length === 1 && first.shifts.length === 0 && this.#fill === undefined) {
      this.#addRows(prepared);
      const only = this.#finished(first.scan, prepared, 'shown');
      return this.#final(only.clauses, only.groups, (measure) => only.value(measure), true);
    }
    const bases = new Map<Scan, Part>();
    // Running values need the periods, and these the range of all other data.
    const running = scans.filter((scan) => scan.running !== undefined);
    for (const scan of scans) if (scan.running === undefined) bases.set(scan, this.#base(scan, prepared, 'shown'));
    this.#addRows(prepared);
    // What is compared with may be of a period that is not shown.
    const isCompared = (scan: Scan): boolean =>
      branches.some((branch) => branch.scan === scan && branch.shifts.length > 0);
    for (const scan of running) bases.set(scan, this.#base(scan, prepared, isCompared(scan) ? 'all' : 'shown'));
    const parts = branches.map((branch) => {
      const base = bases.get(branch.scan) as Part;
      const isCut = branch.scan.running !== undefined && isCompared(branch.scan) && this.#periods.areCut;
      return branch.shifts.length === 0 && !isCut ? onlyOf(branch, base) : this.#shifted(branch, base);
    });
    return this.#together(parts);
  }

  #finished(scan: Scan, prepared: ReadonlyMap<Scan, ScanQuery | ScanRows>, which: 'all' | 'shown'): ScanQuery {
    const ready = prepared.get(scan) as ScanQuery | ScanRows;
    if ('groups' in ready) return ready;
    const periods = scan.running === undefined ? undefined : this.#periods.query(which);
    return rowsQuery(scan, ready, this.#plan.dimensions, periods, this.#writing);
  }

  /** The days of running values are a part of the range. */
  #addRows(prepared: ReadonlyMap<Scan, ScanQuery | ScanRows>): void {
    const writing = this.#writing;
    for (const [{ periods }, rows] of prepared)
      if (periods !== undefined && 'day' in rows && rows.day !== undefined)
        this.#periods.addData(writing.periods.truncate(writing.name(rows.day), periods.grain), rows.query);
  }

  /** The aggregates of a scan as a query in front. */
  #base(scan: Scan, prepared: ReadonlyMap<Scan, ScanQuery | ScanRows>, which: 'all' | 'shown'): Part {
    const writing = this.#writing;
    const { clauses, groups, value } = this.#finished(scan, prepared, which);
    const running = scan.running === undefined ? '' : 'running_';
    const columns = new Map<string, string>();
    const items: string[] = [];
    const texts = new Map<string, string>();
    for (const measure of scan.measures) {
      const text = value(measure);
      // The same value, now and earlier.
      const column = texts.get(text) ?? writing.column(`${running}${measure.metric}`);
      columns.set(measure.key, column);
      if (texts.has(text)) continue;
      texts.set(text, column);
      items.push(item(text, column, writing));
    }
    const metrics = new Set(scan.measures.map(({ metric }) => metric));
    const subject = metrics.size === 1 ? scan.metric : scan.dataset.dataset.name;
    const query = writing.query(
      [`${running}${subject}_totals`],
      selectText({ ...clauses, items: [...groups, ...items], groups: groups.length }),
    );
    if (this.#period !== undefined && scan.running === undefined)
      this.#periods.addData(writing.name(this.#period.finest.column), query);
    return { query, columns };
  }

  /** The values of a scan in the periods in which they are compared with. */
  #shifted({ scan, shifts, measures, periods: own }: Branch, base: Part): Part {
    const writing = this.#writing;
    const { dimensions } = this.#plan;
    const period = own as PeriodDimension;
    const name = shifts.length === 0 ? 'shown' : 'earlier';
    const periods = this.#periods.query('shown');
    const first = `${periods}.period`;
    const of = (column: string): string => `${base.query}.${writing.name(column)}`;
    const groups = dimensions.map((dimension) => {
      if (!period.all.includes(dimension)) return item(of(dimension.column), dimension.column, writing);
      const text = dimension === period.finest ? first : writing.periods.truncate(first, dimension.grain ?? 'day');
      return item(text, dimension.column, writing);
    });
    const columns = new Map<string, string>();
    const items: string[] = [];
    for (const measure of measures) {
      const column = writing.column(`${name}_${measure.metric}`);
      columns.set(measure.key, column);
      items.push(item(of(base.columns.get(measure.key) ?? ''), column, writing));
    }
    const source = shifted(first, shifts, period.grain, writing.periods);
    const query = writing.query(
      [`${name}_${scan.metric}_totals`],
      selectText({
        items: [...groups, ...items],
        from: periods,
        joins: [`JOIN ${base.query} ON ${of(period.finest.column)} = ${source}`],
      }),
    );
    return { query, columns };
  }

  /**
   * A UNION ALL of two at a time: an engine that gives types to NULLs (PostgreSQL) takes that of the other side, and of
   * three branches only that of the second. GROUP BY puts the groups together, those of NULL, too.
   */
  #together(parts: readonly Part[]): string {
    const writing = this.#writing;
    const dimensions = this.#plan.dimensions.map(({ column }) => writing.name(column));
    const columns = new Map<string, string>();
    let query: string | undefined;
    for (const part of parts) {
      const before = unique([...columns.values()]).map((column) => writing.name(column));
      const added = new Map([...part.columns].filter(([, column]) => ![...columns.values()].includes(column)));
      for (const [key, column] of part.columns) columns.set(key, column);
      if (query === undefined) {
        query = part.query;
        continue;
      }
      const own = unique([...added.values()]).map((column) => writing.name(column));
      const left = [...dimensions, ...before, ...own.map((column) => `NULL AS ${column}`)];
      const right = [...dimensions, ...before.map((column) => `NULL AS ${column}`), ...own];
      query = writing.query(
        ['together'],
        `${selectText({ items: left, from: query })}\nUNION ALL\n${selectText({ items: right, from: part.query })}`,
      );
    }
    const all = unique([...columns.values()]).map((column) => writing.name(column));
    if (this.#fill !== undefined && query !== undefined) query = this.#filled(query, all, this.#fill);
    const isMerged = parts.length > 1 || this.#fill !== undefined;
    const value = ({ key }: Measure): string => {
      const column = writing.name(columns.get(key) ?? '');
      return isMerged ? `MAX(${column})` : column;
    };
    return this.#final({ from: query ?? '' }, dimensions, value, isMerged);
  }

  /** A row without values for each period of each group. */
  #filled(query: string, columns: readonly string[], fill: PeriodDimension): string {
    const writing = this.#writing;
    const { dimensions } = this.#plan;
    const periods = this.#periods.query('shown');
    const others = dimensions.filter((dimension) => !fill.all.includes(dimension));
    const items = dimensions.map((dimension) => {
      const { column, grain } = dimension;
      if (others.includes(dimension)) return `kept.${writing.name(column)}`;
      const first = `${periods}.period`;
      return item(dimension === fill.finest ? first : writing.periods.truncate(first, grain ?? 'day'), column, writing);
    });
    const groups = selectText({
      distinct: true,
      items: others.map(({ column }) => writing.name(column)),
      from: query,
    }).replaceAll('\n', ' ');
    const gaps = selectText({
      items: [...items, ...columns.map((column) => `NULL AS ${column}`)],
      from: periods,
      joins: others.length === 0 ? [] : [`CROSS JOIN (${groups}) AS kept`],
    });
    const names = dimensions.map(({ column }) => writing.name(column));
    const data = selectText({ items: [...names, ...columns], from: query });
    return writing.query(['with_gaps'], `${data}\nUNION ALL\n${gaps}`);
  }

  #final(
    clauses: Omit<SelectClauses, 'items' | 'groups'>,
    groups: readonly string[],
    value: (measure: Measure) => string,
    isGrouped: boolean,
  ): string {
    const writing = this.#writing;
    const { dimensions, metrics, order, limit } = this.#plan;
    const items = metrics.map((metric) => item(metricText(metric, value, writing), metric.column, writing));
    const select = { ...clauses, items: [...groups, ...items], groups: isGrouped ? groups.length : 0 };
    const ending = {
      orderBy: order.map((part) => orderText(part, writing)),
      limit: limit === undefined ? undefined : limitText(limit, writing),
    };
    if (order.length === 0 || writing.bound.dialect.nullOrder !== undefined)
      return withQueries(writing.queries, selectText({ ...select, ...ending }));
    // MySQL takes the name of a result column in ORDER BY alone, and not in an expression.
    const names = [...dimensions, ...metrics].map(({ column }) => writing.name(column));
    const from = `(\n${indented(selectText(select))}\n) AS result`;
    return withQueries(writing.queries, selectText({ items: names, from, ...ending }));
  }
}

/** A reading may also hold values that are only asked for as earlier ones. */
function onlyOf({ measures }: Branch, { query, columns }: Part): Part {
  return { query, columns: new Map(measures.map(({ key }) => [key, columns.get(key) ?? ''])) };
}

/** A metric over the values of its measures. */
function metricText({ analysed }: OutputMetric, value: (measure: Measure) => string, writing: Writing): string {
  const measures = new Map(analysed.measures.map((measure) => [measure.key, measure]));
  return writing.expression(analysed.value, ({ name }) => {
    const measure = measures.get(name);
    return measure && value(measure);
  });
}

/** NULLs last, in both directions: a group without a value is neither the highest nor the lowest. */
function orderText({ column, descending }: OrderPart, writing: Writing): string {
  const { nullOrder } = writing.bound.dialect;
  const name = writing.name(column);
  const text = descending ? `${name} DESC` : name;
  if (nullOrder === undefined) return `${name} IS NULL, ${text}`;
  return nullOrder === 'last' || nullOrder === (descending ? 'low' : 'high') ? text : `${text} NULLS LAST`;
}

function limitText(limit: number, { bound }: Writing): string {
  return bound.dialect.forms?.rowLimit === 'fetch' ? `OFFSET 0 ROWS FETCH NEXT ${limit} ROWS ONLY` : `LIMIT ${limit}`;
}

/** The time whose gaps are filled: `metric_time`, else the only field with a grain. */
function filledPeriods({ dimensions }: RequestPlan): PeriodDimension {
  const times = dimensions.filter(({ grain }) => grain !== undefined);
  const ofMetrics = times.filter(({ of }) => of === undefined);
  const all = ofMetrics.length > 0 ? ofMetrics : times;
  const finest = all.find(({ grain }) => all.every((other) => nestsIn(grain ?? 'day', other.grain ?? 'day')));
  const fields = new Set(all.map(({ of }) => of?.name));
  if (finest?.grain === undefined || fields.size !== 1)
    throw refused(
      'needs-time',
      'Gaps are filled where the result is grouped by one time. Group by metric_time with a grain.',
    );
  return { grain: finest.grain, finest, all };
}

/** @throws AskemaError where the metrics are grouped by times of different grains. */
function onePeriod(all: readonly (PeriodDimension | undefined)[]): PeriodDimension | undefined {
  const [first, other] = unique(all.filter((period) => period !== undefined).map(({ finest }) => finest));
  if (first !== undefined && other !== undefined)
    throw refused(
      'grain',
      `The result is grouped by two times, \`${first.column}\` and \`${other.column}\`. Leave one out.`,
    );
  return all.find((period) => period !== undefined);
}

function unique<Value>(values: readonly Value[]): Value[] {
  return [...new Set(values)];
}
