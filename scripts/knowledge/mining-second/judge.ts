import type { Catalog } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { PGlite } from '@electric-sql/pglite';
import { bindKnowledge, compileMetrics, type MinedKnowledge } from '../../../packages/knowledge/src/index.ts';
import {
  filled,
  JOINS,
  type Join,
  METRICS,
  NAMED,
  type Part,
  quoted,
  TABLES,
  type TrueMetric,
  tableOf,
} from './definitions.ts';
import type { WrittenLog } from './write-log.ts';

/** From this many uses on a definition has to be found. */
const USES = 10;

export interface Judgement {
  readonly joins: { readonly used: number; readonly found: number };
  readonly metrics: { readonly used: number; readonly found: number };
  /** Default filters that metrics used often carry. */
  readonly defaults: { readonly used: number; readonly found: number };
  readonly named: { readonly right: number; readonly all: number };
  readonly proposals: number;
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
}

/** What was proposed against what is true, by what both give on the same rows. */
export async function judge(
  mined: MinedKnowledge,
  log: WrittenLog,
  catalog: Catalog,
  databases: readonly PGlite[],
): Promise<Judgement> {
  const wrong: string[] = [];
  const missed: string[] = [];
  const models = mined.knowledge.models;
  const datasets = models.flatMap((model) => model.datasets);
  const sourceOf = (name: string): string => {
    const source = datasets.find((one) => one.name === name)?.source ?? name;
    return source.split('.').at(-1)?.replaceAll('"', '') ?? name;
  };

  const links = models.flatMap((model) => model.relationships);
  const joinKey = (from: string, columns: readonly string[], to: string, toColumns: readonly string[]): string =>
    `${from}>${to}:${columns.map((column, at) => `${column}=${toColumns[at]}`).sort()}`.toLowerCase();
  const proposedJoins = new Map(
    links.map((link) => [joinKey(sourceOf(link.from), link.fromColumns, sourceOf(link.to), link.toColumns), link.name]),
  );
  const trueJoins = new Map(JOINS.map((one) => [joinKey(one.from, one.columns, one.to, one.toColumns), one]));
  for (const [key, name] of proposedJoins) if (!trueJoins.has(key)) wrong.push(`join ${name}: ${key}`);
  const oftenJoins = [...trueJoins].filter(([, one]) => (log.joinUses.get(one) ?? 0) >= USES);
  for (const [key, one] of oftenJoins)
    if (!proposedJoins.has(key)) missed.push(`join ${key} (${log.joinUses.get(one as Join)})`);

  const cells = async (sql: string): Promise<string> => {
    const found: unknown[] = [];
    for (const database of databases)
      found.push(Object.values((await database.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0]);
    return found.map(rounded).join(' | ');
  };
  const attempt = async (make: () => string): Promise<string> => {
    try {
      return await cells(make());
    } catch (cause) {
      return `fails: ${cause instanceof Error ? cause.message : String(cause)}`;
    }
  };
  const truths = new Map<string, TrueMetric>();
  const components = new Map<string, string>();
  for (const metric of METRICS) {
    const { per } = metric;
    const value = expressionOf(metric);
    const given = await cells(ofTable(metric.table, value));
    if (truths.has(given)) throw new Error(`${metric.names[0]} gives what ${truths.get(given)?.names[0]} gives.`);
    truths.set(given, metric);
    if (per !== undefined) {
      truths.set(await cells(ofTable(metric.table, `100.0 * ${value}`)), metric);
      components.set(await cells(ofTable(metric.table, expression(per))), metric.names[0] ?? '');
    }
    if (per !== undefined || metric.scale !== undefined)
      components.set(await cells(ofTable(metric.table, expression(metric.part))), metric.names[0] ?? '');
  }

  const bound = bindKnowledge(
    { schemaVersion: 1, problems: [], ...mined.knowledge },
    { catalog, dialect: postgresDialect },
  );
  const found = new Set<TrueMetric>();
  const named = { right: 0, all: 0 };
  const proposedMetrics = mined.proposals.filter(({ kind }) => kind === 'metric');
  for (const { id, text } of proposedMetrics) {
    const name = id.replace(/^metric:/, '');
    const value = await attempt(() => compileMetrics({ metrics: [name] }, bound).sql);
    const truth = truths.get(value);
    if (truth !== undefined) {
      found.add(truth);
      named.all += 1;
      if (truth.names.some((one) => one === name.replaceAll(' ', '_').toLowerCase())) named.right += 1;
    } else if (!components.has(value)) wrong.push(`${id}: ${text} [${value.slice(0, 90)}]`);
  }
  const often = METRICS.filter((metric) => (log.metricUses.get(metric) ?? 0) >= USES);
  for (const metric of often)
    if (!found.has(metric)) missed.push(`${metric.table}.${metric.names[0]} (${log.metricUses.get(metric)})`);

  const rowsOf = (table: string, dataset: string, condition: string): string => {
    const key = tableOf(table)
      .key.map((column) => `${quoted(dataset)}."${column}"::text`)
      .join(` || '-' || `);
    return `SELECT string_agg(${key}, ',' ORDER BY ${key}) FROM "${table}" AS ${quoted(dataset)} WHERE ${condition.replaceAll(/\b[A-Za-z_]\w*(?=\.)|(?<=\.)[A-Za-z_]\w*/g, quoted)}`;
  };
  const truthOf = (table: string, condition: string): Promise<string> =>
    cells(rowsOf(table, table, filled(condition, quoted)));
  const defaults = { used: 0, found: 0 };
  let filters = 0;
  for (const { name, always } of TABLES) {
    const dataset = datasets.find((one) => sourceOf(one.name) === name);
    const isOften = often.some((metric) => metric.table === name);
    const filter = dataset?.defaultFilter;
    const isRight =
      dataset !== undefined &&
      filter !== undefined &&
      always !== undefined &&
      (await attempt(() => rowsOf(name, dataset.name, filter))) === (await truthOf(name, always));
    if (always !== undefined && isOften) {
      defaults.used += 1;
      if (isRight) defaults.found += 1;
      else missed.push(`default filter of ${name}`);
    }
    if (filter === undefined) continue;
    filters += 1;
    if (!isRight) wrong.push(`default filter of ${name}: ${filter}`);
  }
  for (const filter of models.flatMap((model) => model.filters)) {
    filters += 1;
    const table = sourceOf(filter.dataset);
    const conditions = [NAMED[table], ...METRICS.filter((one) => one.table === table).map(({ part }) => part.when)];
    const value = await attempt(() => rowsOf(table, filter.dataset, filter.condition));
    const right = await Promise.all(conditions.filter((one) => one !== undefined).map((one) => truthOf(table, one)));
    if (!right.includes(value)) wrong.push(`filter ${filter.name}: ${filter.condition}`);
  }
  const lost = missed.filter((text) => text.startsWith('join ')).length;
  return {
    joins: { used: oftenJoins.length, found: oftenJoins.length - lost },
    metrics: { used: often.length, found: often.filter((metric) => found.has(metric)).length },
    defaults,
    named,
    proposals: proposedJoins.size + proposedMetrics.length + filters,
    wrong,
    missed,
  };
}

function expression({ call, argument, when }: Part): string {
  const value = filled(argument[0] ?? '*', quoted);
  const filter = when === undefined ? '' : ` FILTER (WHERE ${filled(when, quoted)})`;
  return call === 'DISTINCT' ? `COUNT(DISTINCT ${value})${filter}` : `${call}(${value})${filter}`;
}

const expressionOf = ({ part, per, scale = '' }: TrueMetric): string =>
  per === undefined ? `${expression(part)} ${scale}` : `1.0 * ${expression(part)} / NULLIF(${expression(per)}, 0)`;

function ofTable(table: string, value: string): string {
  const { always } = tableOf(table);
  return `SELECT ${value} FROM ${quoted(table)}${always === undefined ? '' : ` WHERE ${filled(always, quoted)}`}`;
}

/** Nine digits: averages differ behind them. */
const rounded = (cell: unknown): string => {
  const number =
    typeof cell === 'bigint' || (cell !== '' && cell !== null && !(cell instanceof Date)) ? Number(cell) : Number.NaN;
  return Number.isNaN(number) ? String(cell) : number.toPrecision(9);
};
