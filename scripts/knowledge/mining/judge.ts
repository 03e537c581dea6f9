import { DatabaseSync } from 'node:sqlite';
import { buildCatalog, type Catalog } from '@askema/core';
import { postgresDialect, sqliteDialect } from '@askema/dialects';
import { bindKnowledge, compileMetrics, type MinedKnowledge } from '../../../packages/knowledge/src/index.ts';
import { FILTERS, JOINS, type JoinDefinition, METRICS, type MetricDefinition, SLICES, TABLES } from './definitions.ts';
import { Random } from './random.ts';
import { GENERIC, type GeneratedLog } from './write-log.ts';

/** The tables without any foreign key: what belongs together, only statements tell. */
export function catalogOfTables(): Catalog {
  return buildCatalog({
    dialect: postgresDialect,
    name: 'shop',
    relations: TABLES.map(({ name, columns, key }) => ({
      nameParts: { schema: 'shop', relation: name },
      kind: 'table',
      attributes: columns.map((column) => {
        const [attribute = '', nativeType = ''] = column.split(' ');
        return { name: attribute, nativeType };
      }),
      primaryKey: key,
    })),
  });
}

export interface Verdict {
  readonly joins: { readonly due: number; readonly found: number };
  readonly metrics: { readonly due: number; readonly found: number };
  readonly proposals: number;
  /** Ids with what is wrong about them. */
  readonly wrong: readonly string[];
  readonly missed: readonly string[];
}

/** Used less often, nothing is expected of it. */
const DUE = 10;

/** Holds proposals against the definitions: joins by columns, metrics by what they give on random rows. */
export function judge(mined: MinedKnowledge, log: GeneratedLog): Verdict {
  const database = fill();
  const wrong: string[] = [];
  const missed: string[] = [];
  const [model] = mined.knowledge.models;
  const joined = new Set<string>();
  for (const { name, from, to, fromColumns, toColumns } of model?.relationships ?? []) {
    const key = keyOf(
      fromColumns.map((column) => `${from}.${column}`),
      toColumns.map((column) => `${to}.${column}`),
    );
    joined.add(key);
    if (!JOINS.some((join) => keyOf(join.from, join.to) === key)) wrong.push(`relationship ${name}`);
  }
  const found = metricsFound(mined, database, wrong);
  judgeFilters(mined, wrong);
  const joinsDue = JOINS.filter((join) => (log.joins.get(join) ?? 0) >= DUE);
  const metricsDue = METRICS.filter((metric) => (log.metrics.get(metric) ?? 0) >= DUE);
  const isJoined = (join: JoinDefinition): boolean => joined.has(keyOf(join.from, join.to));
  for (const join of joinsDue) if (!isJoined(join)) missed.push(keyOf(join.from, join.to));
  for (const metric of metricsDue)
    if (!found.has(metric)) missed.push(`${metric.names[0]} (${log.metrics.get(metric)} times)`);
  database.close();
  return {
    joins: { due: joinsDue.length, found: joinsDue.filter(isJoined).length },
    metrics: { due: metricsDue.length, found: metricsDue.filter((metric) => found.has(metric)).length },
    proposals: mined.proposals.length,
    wrong,
    missed,
  };
}

function keyOf(from: readonly string[], to: readonly string[]): string {
  return from
    .map((column, at) => `${column} = ${to[at]}`)
    .sort()
    .join(' AND ');
}

const plain = (definition: string): string => definition.replaceAll('@', '');

function metricsFound(mined: MinedKnowledge, database: DatabaseSync, wrong: string[]): Set<MetricDefinition> {
  const found = new Set<MetricDefinition>();
  const { models, ...rest } = mined.knowledge;
  const bound = bindKnowledge(
    { schemaVersion: 1, problems: [], ...rest, models },
    { catalog: catalogOfTables(), dialect: sqliteDialect },
  );
  for (const problem of bound.problems) wrong.push(`${problem.entry} ${problem.message}`);
  for (const { name, definition, ai } of models.flatMap(({ metrics }) => metrics)) {
    const { sql } = compileMetrics({ metrics: [name] }, bound);
    const value = givenBy(sql, database);
    const home = definition.kind === 'aggregate' ? definition.dataset : undefined;
    const right = METRICS.find(({ table, ways, filter }) => {
      const always = TABLES.find((one) => one.name === table)?.always;
      const where = [always, filter].flatMap((one) => (one === undefined ? [] : [plain(one)])).join(' AND ');
      const way = plain(ways[0] ?? '').replace('SUM(discount) /', '1.0 * SUM(discount) /');
      const expected = `SELECT ${way} AS v FROM shop.${table}${where === '' ? '' : ` WHERE ${where}`}`;
      return table === home && isClose(givenBy(expected, database), value);
    });
    if (right === undefined) wrong.push(`metric ${name}: ${sql}`);
    else found.add(right);
    const said = [name, ...(ai?.synonyms ?? [])].map((one) => one.replaceAll(' ', '_'));
    const others = said.filter(
      (one) => METRICS.some((other) => other !== right && other.names.includes(one)) || GENERIC.includes(one),
    );
    if (right !== undefined && others.length > 0) wrong.push(`metric ${name} is called ${others.join(', ')}`);
  }
  return found;
}

function judgeFilters(mined: MinedKnowledge, wrong: string[]): void {
  const definitions = [
    ...FILTERS.map(({ table, condition }) => condition.replace('@', `${table}.`)),
    ...METRICS.flatMap(({ table, filter }) => filter?.replace('@', `${table}.`) ?? []),
  ];
  const [model] = mined.knowledge.models;
  for (const { name, condition } of model?.filters ?? [])
    if (!definitions.includes(condition)) wrong.push(`filter ${name}: ${condition}`);
  for (const { name, defaultFilter } of model?.datasets ?? []) {
    const always = TABLES.find((table) => table.name === name)?.always?.replace('@', `${name}.`);
    if (defaultFilter !== undefined && defaultFilter !== always) wrong.push(`default of ${name}: ${defaultFilter}`);
  }
}

function givenBy(sql: string, database: DatabaseSync): number {
  return Number(Object.values(database.prepare(sql).get() ?? {}).at(-1));
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

const ROWS = 211;

/** Random rows, so different in each table that no two definitions give the same. */
function fill(): DatabaseSync {
  const random = new Random(7);
  const database = new DatabaseSync(':memory:');
  database.exec("ATTACH ':memory:' AS shop");
  const codes = (column: string): readonly string[] => {
    const compared = [...FILTERS.map(({ condition }) => condition), ...METRICS.flatMap(({ filter }) => filter ?? [])];
    const own = compared.flatMap((one) => (one.includes(`@${column} `) ? (/'(.+)'/.exec(one)?.[1] ?? []) : []));
    return [...own, 'other', ...SLICES.flatMap((slice) => (slice.column.endsWith(`.${column}`) ? slice.values : []))];
  };
  for (const [at, { name, columns, key }] of TABLES.entries()) {
    database.exec(`CREATE TABLE shop.${name} (${columns.join(', ')})`);
    const insert = database.prepare(`INSERT INTO shop.${name} VALUES (${columns.map(() => '?').join(', ')})`);
    for (let row = 1; row <= ROWS + 13 * at; row += 1)
      insert.run(
        ...columns.map((column) => {
          const [attribute = '', type = ''] = column.split(' ');
          if (attribute === key[0]) return key.length === 1 ? row : Math.ceil(row / 3);
          if (attribute === 'line_no' && key.includes(attribute)) return row % 3;
          if (type === 'boolean') return random.chance(0.3) ? 1 : 0;
          if (attribute === 'closed_at' || attribute === 'deleted_at') return random.chance(0.4) ? null : '2026-01-02';
          if (type === 'text') return random.pick(codes(attribute));
          if (type === 'numeric') return random.below(100_000) / 7;
          if (type === 'integer') return 1 + random.below(ROWS);
          return `202${random.below(6)}-0${1 + random.below(9)}-11`;
        }),
      );
  }
  return database;
}
