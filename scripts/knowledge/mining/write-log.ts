import type { LoggedStatement } from '../../../packages/knowledge/src/index.ts';
import { FILTERS, JOINS, type JoinDefinition, METRICS, type MetricDefinition, SLICES, TABLES } from './definitions.ts';
import { noiseOf } from './noise.ts';
import { Random } from './random.ts';
import { Style } from './style.ts';

export interface GeneratedLog {
  readonly statements: readonly LoggedStatement[];
  /** How often each was meant, by its place in the definitions. */
  readonly joins: ReadonlyMap<JoinDefinition, number>;
  readonly metrics: ReadonlyMap<MetricDefinition, number>;
}

/** Names that say nothing, which people give to whatever they compute. */
export const GENERIC = ['value', 'total', 'n', 'cnt', 'result', 'x'];

const USERS = ['ann', 'bo', 'cem', 'dora', 'eli', 'fay', 'gus', 'hal', 'ida', 'jon'];

/** So many statements as people write them, a share of them noise. */
export function writeLog(seed: number, count: number, noise: number): GeneratedLog {
  const random = new Random(seed);
  const joins = new Map<JoinDefinition, number>();
  const metrics = new Map<MetricDefinition, number>();
  // A few metrics are asked for all the time, others hardly ever.
  const liked = random.shuffled(METRICS).map((metric, rank) => ({ metric, weight: 1 / (rank + 3) ** 0.8 }));
  const statements = Array.from({ length: count }, (): LoggedStatement => {
    const person = {
      user: random.pick(USERS),
      application: random.pick(['psql', 'DBeaver', 'python']),
      at: day(random),
    };
    if (random.chance(noise)) return { ...person, ...noiseOf(random) };
    const written = random.chance(0.12) ? listing(random) : numbers(random, liked);
    for (const join of new Set(written.joins)) joins.set(join, (joins.get(join) ?? 0) + 1);
    for (const metric of new Set(written.metrics)) metrics.set(metric, (metrics.get(metric) ?? 0) + 1);
    return { ...person, sql: written.sql };
  });
  return { statements, joins, metrics };
}

function day(random: Random): string {
  return new Date(Date.UTC(2026, random.below(11), 1 + random.below(28), random.below(24))).toISOString();
}

interface Written {
  readonly sql: string;
  readonly joins: readonly JoinDefinition[];
  readonly metrics: readonly MetricDefinition[];
}

type Liked = readonly { readonly metric: MetricDefinition; readonly weight: number }[];

function likedOne(random: Random, liked: Liked): MetricDefinition {
  let left = random.next() * liked.reduce((sum, { weight }) => sum + weight, 0);
  for (const { metric, weight } of liked) {
    left -= weight;
    if (left <= 0) return metric;
  }
  return (liked[0] as Liked[number]).metric;
}

const tableOf = (column: string): string => column.slice(0, column.indexOf('.'));

/** The joins that lead from a table to another, each from many to one. */
function wayTo(from: string, to: string, random: Random): readonly JoinDefinition[] | undefined {
  const open: (readonly JoinDefinition[])[] = [[]];
  for (const way of open) {
    const at = way.length === 0 ? from : tableOf(way.at(-1)?.to[0] ?? '');
    if (at === to) return way;
    if (way.length > 3) return undefined;
    for (const join of random.shuffled(JOINS)) {
      const target = tableOf(join.to[0] ?? '');
      const isNew = target !== from && way.every((before) => tableOf(before.to[0] ?? '') !== target);
      if (tableOf(join.from[0] ?? '') === at && isNew) open.push([...way, join]);
    }
  }
  return undefined;
}

/** What a statement reads, with names for each table, and what it is limited to. */
class Source {
  readonly joins: JoinDefinition[] = [];
  readonly conditions: string[] = [];
  readonly #style: Style;
  readonly #aliases = new Map<string, string>();
  readonly base: string;

  constructor(base: string, style: Style) {
    this.base = base;
    this.#style = style;
    this.#aliases.set(base, style.alias(base, []));
    const always = TABLES.find(({ name }) => name === base)?.always;
    if (always !== undefined && style.random.chance(0.95)) this.limit(base, always);
  }

  column(table: string, name: string): string {
    return this.#style.column(this.#aliases.get(table) ?? table, name);
  }

  /** With the names of a definition in the style of the statement. */
  text(table: string, definition: string): string {
    return definition.replaceAll(/@(\w+)/g, (_, name: string) => this.column(table, name));
  }

  limit(table: string, definition: string): void {
    this.conditions.push(this.#style.condition(this.text(table, definition)));
  }

  /** False where no way leads there. */
  reach(table: string): boolean {
    if (this.#aliases.has(table)) return true;
    const way = wayTo(this.base, table, this.#style.random);
    if (way === undefined) return false;
    for (const join of way) {
      const target = tableOf(join.to[0] ?? '');
      if (this.#aliases.has(target)) continue;
      this.#aliases.set(target, this.#style.alias(target, [...this.#aliases.values()]));
      this.joins.push(join);
    }
    return true;
  }

  /** FROM with its joins; commas put their conditions into WHERE. */
  from(): string {
    const style = this.#style;
    const named = (table: string): string => style.named(table, this.#aliases.get(table) ?? table);
    const ons = this.joins.map((join) => {
      const target = tableOf(join.to[0] ?? '');
      const pairs = join.from.map((from, at) => {
        const near = this.column(tableOf(from), from.slice(from.indexOf('.') + 1));
        const far = this.column(target, (join.to[at] ?? '').slice(target.length + 1));
        return style.random.chance(0.5) ? `${near} = ${far}` : `${far} = ${near}`;
      });
      return { target, on: pairs.join(` ${style.word('and')} `), join };
    });
    if (ons.length > 0 && style.random.chance(0.12)) {
      this.conditions.push(...ons.map(({ on }) => on));
      return [this.base, ...ons.map(({ target }) => target)].map(named).join(', ');
    }
    const parts = ons.map(({ target, on, join }) => {
      const isShared = join.from.every((from, at) => from.split('.')[1] === (join.to[at] ?? '').split('.')[1]);
      const names = join.from.map((from) => from.split('.')[1]).join(', ');
      // A name that a third table has as well would be ambiguous.
      const using = isShared && this.joins.length === 1 && style.random.chance(0.3);
      const kind = style.word(style.random.pick(['join', 'join', 'inner join', 'left join', 'left outer join']));
      return `${kind} ${named(target)} ${using ? `${style.word('using')} (${names})` : `${style.word('on')} ${on}`}`;
    });
    return [named(this.base), ...parts].join(style.gap());
  }
}

/** Cuts, periods and filters that people add to whatever they ask for. */
function narrow(source: Source, random: Random): void {
  for (const { table, condition, share } of FILTERS)
    if (random.chance(source.base === table ? share : share / 3) && source.reach(table)) source.limit(table, condition);
  const time = TABLES.find(({ name }) => name === source.base)?.time;
  if (time !== undefined && random.chance(0.4)) {
    const from = `202${random.below(6)}-0${1 + random.below(9)}-01`;
    source.limit(source.base, `@${time} >= ${random.pick(["'", "DATE '", "'"])}${from}'`);
    if (random.chance(0.5)) source.limit(source.base, `@${time} < '202${6 + random.below(3)}-01-01'`);
  }
  if (random.chance(0.35)) {
    const { column, values } = random.pick(SLICES);
    const table = tableOf(column);
    const name = column.slice(table.length + 1);
    if (!source.reach(table)) return;
    const some = random.shuffled(values).slice(0, 1 + random.below(3));
    const list = some.map((value) => `'${value}'`).join(', ');
    source.limit(table, some.length === 1 && random.chance(0.8) ? `@${name} = ${list}` : `@${name} IN (${list})`);
  }
}

/** Names, numbers and codes by which results are grouped. */
function groupsOf(source: Source, random: Random, style: Style): readonly string[] {
  const groups: string[] = [];
  for (let left = random.pick([0, 1, 1, 1, 2]); left > 0; left -= 1) {
    const table = random.pick(TABLES);
    const texts = table.columns
      .filter((column) => column.endsWith(' text'))
      .map((column) => column.split(' ')[0] ?? '');
    if (texts.length === 0 || !source.reach(table.name)) continue;
    groups.push(source.column(table.name, random.pick(texts)));
  }
  const time = TABLES.find(({ name }) => name === source.base)?.time;
  if (time !== undefined && random.chance(0.3)) {
    const column = source.column(source.base, time);
    groups.push(
      random.pick([
        `${style.word('date_trunc')}('month', ${column})`,
        `${style.word('extract')}(YEAR ${style.word('from')} ${column})`,
        `to_char(${column}, 'YYYY-MM')`,
      ]),
    );
  }
  return [...new Set(groups)];
}

function numbers(random: Random, liked: Liked): Written {
  const style = new Style(random);
  const first = likedOne(random, liked);
  const filtered = (one: MetricDefinition): boolean => one.filter === first.filter;
  const more = METRICS.filter((one) => one.table === first.table && one !== first && filtered(one));
  const metrics = [first, ...(random.chance(0.3) && more.length > 0 ? [random.pick(more)] : [])];
  const source = new Source(first.table, style);
  narrow(source, random);
  const groups = groupsOf(source, random, style);
  const inside = first.filter !== undefined && random.chance(0.25);
  const items = metrics.map((metric) => {
    const way = random.pick(metric.ways);
    const text = inside ? limited(way, metric.filter ?? '', random) : way;
    const written = style.wrapped(source.text(metric.table, text));
    if (random.chance(0.15)) return written;
    return `${written} ${style.as(random.pick(random.chance(0.15) ? GENERIC : metric.names))}`;
  });
  // Now and then somebody forgets it.
  if (first.filter !== undefined && !inside && random.chance(0.93)) source.limit(first.table, first.filter);
  const from = source.from();
  const sql = style.statement({ from, conditions: source.conditions, groups, items });
  return { sql, joins: source.joins, metrics };
}

/** The filter inside of each aggregate. */
function limited(way: string, filter: string, random: Random): string {
  if (random.chance(0.3)) return way.replaceAll(/\w+\((?:[^()]|\([^()]*\))*\)/g, (call) => filteredCall(call, filter));
  return way.replaceAll(
    /(COUNT|SUM|AVG|MAX)\((DISTINCT )?(\*|1|[^()]*)\)/g,
    (_, name: string, distinct = '', inner) => {
      const value = inner === '*' ? '1' : (inner as string);
      const otherwise = name === 'SUM' && random.chance(0.6) ? ' ELSE 0' : '';
      return `${name}(${distinct}CASE WHEN ${filter} THEN ${value}${otherwise} END)`;
    },
  );
}

function filteredCall(call: string, filter: string): string {
  return /^(SUM|COUNT|AVG|MAX)/.test(call)
    ? `${call} FILTER (WHERE ${filter})`
    : call.replace(/(COUNT\([^)]*\))/, `$1 FILTER (WHERE ${filter})`);
}

/** Rows, without any aggregate. */
function listing(random: Random): Written {
  const style = new Style(random);
  const source = new Source(random.pick(TABLES).name, style);
  const others = random.shuffled(TABLES).slice(0, 4);
  const reached = others.filter(({ name }) => source.reach(name)).slice(0, 3);
  narrow(source, random);
  const tables = [TABLES.find(({ name }) => name === source.base) ?? TABLES[0], ...reached];
  const items = tables.flatMap((table) => {
    const columns = random.shuffled(table?.columns ?? []).slice(0, 1 + random.below(2));
    return columns.map((column) => source.column(table?.name ?? '', column.split(' ')[0] ?? ''));
  });
  const sql = style.statement({
    from: source.from(),
    conditions: source.conditions,
    groups: [],
    items: [...new Set(items)],
  });
  return { sql, joins: source.joins, metrics: [] };
}
