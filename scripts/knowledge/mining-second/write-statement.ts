import type { Chance } from './chance.ts';
import { filled, JOINS, type Join, type Part, quoted, type TrueMetric, tableOf } from './definitions.ts';
import { type Habit, inLetters } from './habits.ts';
import { aggregate, nameOf, written } from './write-aggregate.ts';
import { asked, cutBy } from './write-condition.ts';

/** A statement, and what it is a use of. */
export interface Written {
  readonly sql: string;
  readonly metrics: readonly TrueMetric[];
  readonly joins: readonly Join[];
}

/** A table in FROM. */
interface Place {
  readonly table: string;
  readonly alias: string;
}
interface Step {
  readonly join: Join;
  readonly from: Place;
  readonly to: Place;
}

export interface Wanted {
  readonly table: string;
  readonly metrics: readonly TrueMetric[];
  /** A condition that people have a name for. */
  readonly named?: string | undefined;
  /** Nobody remembers everything. */
  readonly forgets: boolean;
}

/** One question about a table, as somebody with these habits asks it. */
export function writeStatement(wanted: Wanted, habit: Habit, chance: Chance): Written {
  const { table, metrics } = wanted;
  const about = tableOf(table);
  const form = chance.oneOf(habit.forms);
  const isWithin = form === 'cte' || form === 'subquery';
  const base: Place = { table, alias: isWithin ? 'base' : aliasOf(table, 0, habit) };
  const steps = pathFrom(base, habit, chance);
  const style = steps.length === 0 ? 'on' : chance.oneOf(habit.joins);
  const isAlone = steps.length === 0 || style === 'within';
  const isBare = isAlone && habit.alias !== 'quoted' && chance.is(0.6);
  const columnOf =
    (place: Place) =>
    (name: string): string => {
      const column = habit.alias === 'quoted' ? `"${name}"` : quoted(name);
      return isBare && place === base ? column : `${place.alias}.${column}`;
    };
  const fullOf: ColumnOf = (place) => (name) =>
    `${place.alias}.${habit.alias === 'quoted' ? `"${name}"` : quoted(name)}`;
  const own = columnOf(base);
  const inner: Place = { table, alias: '' };
  const bare = (name: string): string => (habit.alias === 'quoted' ? `"${name}"` : quoted(name));

  const conditions: string[] = [];
  const innerConditions: string[] = [];
  const always = wanted.forgets ? undefined : about.always;
  if (always !== undefined)
    (isWithin ? innerConditions : conditions).push(filled(otherwise(always, chance), isWithin ? bare : own));
  if (wanted.named !== undefined) conditions.push(filled(wanted.named, own));

  // One condition for all aggregates can stand in WHERE.
  const whens = new Set(metrics.flatMap(({ part, per }) => (per === undefined ? [part.when] : [part.when, '-'])));
  const [shared] = whens.size === 1 ? [...whens] : [];
  const inWhere = shared !== undefined && chance.oneOf(habit.when) === 'where';
  if (inWhere) conditions.push(filled(shared, own));
  const taken = `${[...whens].join(' ')} ${wanted.named ?? ''} ${about.always ?? ''}`;
  conditions.push(...asked(table, taken, own, form === 'union', chance));

  const computed: string[] = [];
  const isListed = isWithin && chance.is(0.5);
  const write = (part: Part): string =>
    aggregate(inWhere ? { call: part.call, argument: part.argument } : part, chance, habit, (argument) => {
      if (!isListed || !/[*+-] /.test(argument) || !chance.is(0.6)) return filled(argument, own);
      computed.push(`${filled(argument, bare)} AS val${computed.length + 1}`);
      return own(`val${computed.length}`.toLowerCase());
    });
  const values = metrics.map((one) => written(one, write, habit, chance));
  const names = metrics.map((one) => nameOf(one, habit, chance));

  const groups = groupsOf(base, style === 'within' ? [] : steps, columnOf, chance);
  const isGrouped = metrics.length > 0 && groups.length > 0;
  const looked = metrics.length > 0 ? [] : shown(base, steps, style, columnOf, chance);
  const items = [
    ...(metrics.length > 0
      ? groups.map(({ text, name }) => (name === undefined ? text : `${text} AS ${name}`))
      : looked),
    ...values.map((value, at) =>
      names[at] === undefined ? value : `${value}${chance.is(0.8) ? ' AS' : ''} ${names[at]}`,
    ),
    ...(form === 'window' && isGrouped && values[0] !== undefined ? [beside(values[0], chance)] : []),
  ];

  if (style === 'within') conditions.push(...within(steps, habit, columnOf, fullOf, chance));
  else for (const { to } of steps) if (chance.is(0.35)) conditions.push(...cutBy(to.table, columnOf(to), '', chance));
  const list = isListed ? [...Object.keys(about.columns).map(bare), ...computed].join(', ') : '*';
  const innerSql = `SELECT ${list} FROM ${sourceOf(inner, habit, chance)}${whereOf(innerConditions, chance)}`;
  const isCte = form === 'cte';
  const first = isCte ? 'base' : isWithin ? `(${innerSql}) base` : sourceOf(base, habit, chance);
  const from = fromOf(first, style === 'within' ? [] : steps, style, conditions, habit, columnOf, chance);
  const where = whereOf(conditions, chance);
  const tail = isGrouped ? tailOf(groups, values, chance) : metrics.length === 0 ? ' LIMIT 10' : '';
  const core = `SELECT ${items.join(', ')} FROM ${from}${where}${tail}`;
  let sql = isCte ? `WITH base AS (${innerSql}) ${core}` : core;
  if (form === 'around' && isGrouped && names[0] !== undefined)
    sql = `SELECT * FROM (${core.replace(/ LIMIT \d+$/, '')}) x WHERE x.${names[0]} > ${chance.below(50)}`;
  if (form === 'union') {
    const head = core.replace(/ (ORDER BY|LIMIT) .*$/, '');
    sql = `${head} UNION ALL ${head.replaceAll(/20(\d\d)/g, (_, year: string) => `20${String(Number(year) + 1).padStart(2, '0')}`)}`;
  }
  return {
    sql: inLetters(chance.is(0.3) ? sql.replaceAll(/ (FROM|WHERE|GROUP BY|AND) /g, '\n$1 ') : sql, habit.letters),
    metrics: about.always !== undefined && wanted.forgets ? [] : metrics,
    joins: [...new Set(steps.map(({ join }) => join))],
  };
}

/** `NOT x` as others write it. */
const otherwise = (condition: string, chance: Chance): string => {
  const flag = /^NOT (\[\w+\])$/.exec(condition)?.[1];
  if (flag !== undefined) return chance.oneOf([condition, `${flag} = FALSE`, `${flag} IS FALSE`]);
  return chance.is(0.3) ? condition.replace('<>', '!=') : condition;
};

const aliasOf = (table: string, at: number, { alias }: Habit): string =>
  alias === 'none' && at === 0
    ? quoted(table)
    : alias === 'quoted'
      ? `"t${at}"`
      : `${table.slice(0, alias === 'as' ? 3 : 1).toLowerCase()}${at === 0 ? '' : at}`;

/** Up to three joins, each from a table that is there to one row of another. */
function pathFrom(base: Place, habit: Habit, chance: Chance): readonly Step[] {
  const steps: Step[] = [];
  let from = base;
  const count = chance.oneOf([0, 0, 1, 1, 1, 2, 2, 3]);
  for (let at = 1; at <= count; at += 1) {
    const joins = JOINS.filter((join) => join.from === from.table && !steps.some((step) => step.join === join));
    if (joins.length === 0) break;
    const join = chance.oneOf(joins);
    const isTwice = base.table === join.to || steps.some(({ to }) => to.table === join.to);
    const alias = habit.alias === 'none' && !isTwice ? quoted(join.to) : aliasOf(join.to, at, habit);
    const to = { table: join.to, alias };
    steps.push({ join, from, to });
    if (chance.is(0.6)) from = to;
  }
  return steps;
}

function sourceOf({ table, alias }: Place, habit: Habit, chance: Chance): string {
  const name = habit.alias === 'quoted' ? `"${table}"` : quoted(table);
  const path = chance.is(habit.schema) ? `${habit.alias === 'quoted' ? '"public"' : 'public'}.${name}` : name;
  if (alias === '' || alias === name) return path;
  return `${path} ${habit.alias === 'as' ? 'AS ' : ''}${alias}`;
}

type ColumnOf = (place: Place) => (name: string) => string;

const pairs = ({ join, from, to }: Step, columnOf: ColumnOf, chance: Chance): string =>
  join.columns
    .map((column, at) => [columnOf(from)(column), columnOf(to)(join.toColumns[at] ?? '')])
    .map((sides) => (chance.is(0.5) ? sides : sides.reverse()).join(' = '))
    .join(' AND ');

function fromOf(
  first: string,
  steps: readonly Step[],
  style: Habit['joins'][number],
  conditions: string[],
  habit: Habit,
  columnOf: ColumnOf,
  chance: Chance,
): string {
  let from = first;
  const seen: string[] = [];
  for (const step of steps) {
    const source = sourceOf(step.to, habit, chance);
    if (style === 'comma') {
      from = `${from}, ${source}`;
      conditions.unshift(pairs(step, columnOf, chance));
      continue;
    }
    // A name that several tables before have cannot stand in USING.
    const isSame = step.join.columns.join() === step.join.toColumns.join();
    const isClear = !seen.some((table) => step.join.columns.some((column) => column in tableOf(table).columns));
    const word = chance.is(0.3) ? 'LEFT JOIN' : chance.is(0.3) ? 'INNER JOIN' : 'JOIN';
    const how =
      style === 'using' && isSame && isClear
        ? `USING (${step.join.columns.map(quoted).join(', ')})`
        : `ON ${pairs(step, columnOf, chance)}`;
    from = `${from} ${word} ${source} ${how}`;
    seen.push(step.from.table, step.to.table);
  }
  return from;
}

/** Joins that are there only to filter. */
function within(
  steps: readonly Step[],
  habit: Habit,
  columnOf: ColumnOf,
  fullOf: ColumnOf,
  chance: Chance,
): readonly string[] {
  const [step, ...rest] = steps;
  if (step === undefined) return [];
  const next = rest.filter(({ from }) => from === step.to);
  const inside = [
    ...cutBy(step.to.table, columnOf(step.to), '', chance),
    ...within(next, habit, columnOf, fullOf, chance),
  ];
  const others = rest.filter((one) => !next.includes(one) && one.from === step.from);
  const beside = within(others, habit, columnOf, fullOf, chance);
  const source = sourceOf(step.to, habit, chance);
  const [column = '', second] = step.join.columns;
  const text =
    second === undefined && chance.is(0.6)
      ? `${columnOf(step.from)(column)} IN (SELECT ${columnOf(step.to)(step.join.toColumns[0] ?? '')} FROM ${source}${whereOf(inside, chance)})`
      : `EXISTS (SELECT 1 FROM ${source} WHERE ${[pairs(step, fullOf, chance), ...inside].join(' AND ')})`;
  return [text, ...beside];
}

const whereOf = (conditions: readonly string[], chance: Chance): string =>
  conditions.length === 0
    ? ''
    : ` WHERE ${(chance.is(0.5) ? conditions : chance.shuffled(conditions)).map((one) => (chance.is(0.1) ? `(${one})` : one)).join(' AND ')}`;

interface Group {
  readonly text: string;
  readonly name?: string;
}

function groupsOf(base: Place, steps: readonly Step[], columnOf: ColumnOf, chance: Chance): readonly Group[] {
  const groups: Group[] = [];
  const about = tableOf(base.table);
  const own = columnOf(base);
  if (about.time !== undefined && chance.is(0.35)) {
    const time = own(about.time);
    const unit = chance.oneOf(['month', 'quarter', 'year', 'week']);
    groups.push(
      chance.oneOf([
        { text: `date_trunc('${unit}', ${time})`, name: 'period' },
        { text: `EXTRACT(YEAR FROM ${time})`, name: 'yr' },
        { text: `to_char(${time}, 'YYYY-MM')`, name: 'ym' },
        { text: `${time}::date`, name: 'day' },
        { text: `date_trunc('${unit}', ${time})::date` },
      ]),
    );
  }
  const places = steps.map(({ to }) => to).filter(({ table }) => tableOf(table).cuts.length > 0);
  const place = places.length > 0 && chance.is(0.75) ? chance.oneOf(places) : base;
  const { cuts } = tableOf(place.table);
  if (cuts.length > 0 && chance.is(0.6)) groups.push({ text: columnOf(place)(chance.oneOf(cuts)) });
  return groups;
}

function tailOf(groups: readonly Group[], values: readonly string[], chance: Chance): string {
  const positions = groups.map((_, at) => String(at + 1)).join(', ');
  const by = chance.is(0.4) ? positions : groups.map(({ text }) => text).join(', ');
  const having = chance.is(0.12) && values[0] !== undefined ? ` HAVING ${values[0]} > ${1 + chance.below(100)}` : '';
  const order = chance.oneOf([
    '',
    ` ORDER BY ${groups.length + 1} DESC`,
    ' ORDER BY 1',
    ` ORDER BY ${values[0] ?? 1} DESC`,
  ]);
  return ` GROUP BY ${by}${having}${order}${chance.is(0.2) ? ` LIMIT ${chance.oneOf([5, 10, 20])}` : ''}`;
}

const beside = (value: string, chance: Chance): string =>
  chance.oneOf([
    `RANK() OVER (ORDER BY ${value} DESC) AS rk`,
    `SUM(${value}) OVER () AS overall`,
    `LAG(${value}) OVER (ORDER BY ${value}) AS before`,
    `ROW_NUMBER() OVER (ORDER BY ${value}) AS row_no`,
  ]);

/** What somebody looks at who counts nothing. */
function shown(
  base: Place,
  steps: readonly Step[],
  style: string,
  columnOf: ColumnOf,
  chance: Chance,
): readonly string[] {
  const places = style === 'within' ? [base] : [base, ...steps.map(({ to }) => to)];
  if (chance.is(0.3)) return ['*'];
  const items = places.map((place) => columnOf(place)(chance.oneOf(Object.keys(tableOf(place.table).columns))));
  return chance.is(0.25) ? [`DISTINCT ${items[0]}`, ...items.slice(1)] : items;
}
