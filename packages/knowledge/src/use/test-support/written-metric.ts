import fc from 'fast-check';
import {
  type Arithmetic,
  columnOf,
  isOperation,
  leavesOf,
  type PlainAggregate,
  type PlainCondition,
  type PlainMetric,
  type PlainStar,
  pathTo,
  tableOf,
} from '../../test-support/plain-star.ts';

/** Ways to write one and the same. */
export interface Style {
  readonly conditions: 'where' | 'case' | 'else' | 'filter';
  readonly wrap: 'none' | 'round' | 'cast' | 'times' | 'coalesce';
  readonly source: 'table' | 'cte' | 'groups';
  readonly join: 'JOIN' | 'LEFT JOIN';
  readonly rows: '*' | '1' | 'key';
  readonly isSwapped: boolean;
  readonly isNegated: boolean;
}

export const anyStyle: fc.Arbitrary<Style> = fc.record({
  conditions: fc.constantFrom('where', 'case', 'else', 'filter'),
  wrap: fc.constantFrom('none', 'round', 'cast', 'times', 'coalesce'),
  source: fc.constantFrom('table', 'cte', 'groups'),
  join: fc.constantFrom('JOIN', 'LEFT JOIN'),
  rows: fc.constantFrom('*', '1', 'key'),
  isSwapped: fc.boolean(),
  isNegated: fc.boolean(),
});

/** A metric whose value is that of an expression over rows, which a statement of a few lines computes. */
export type Written = Extract<PlainMetric, { kind: 'aggregate' }>;

export function isWritten(metric: PlainMetric): metric is Written {
  return metric.kind === 'aggregate' && metric.nonAdditive === undefined;
}

/** A statement for SQLite that computes a metric. */
export function writeMetric(star: PlainStar, metric: Written, style: Style): string {
  const always = metric.filter === undefined ? [] : [metric.filter];
  const datasets = [...new Set(leavesOf(metric.expression).map(({ dataset }) => dataset))];
  const [only, ...more] = datasets;
  if (more.length === 0 && only !== undefined) {
    const { from, aggregate } = blockOf(star, only, always, leavesOf(metric.expression), style);
    const value = wrapped(arithmetic(metric.expression, aggregate, style), style);
    return `${from.before}SELECT ${value} AS ${metric.name} FROM ${from.after}`;
  }
  const value = arithmetic(
    metric.expression,
    (leaf) => {
      const { from, aggregate } = blockOf(star, leaf.dataset, always, [leaf], { ...style, source: 'table' });
      return `(SELECT ${aggregate(leaf)} FROM ${from.after})`;
    },
    style,
  );
  return `SELECT ${wrapped(value, style)} AS ${metric.name}`;
}

interface Block {
  readonly from: { readonly before: string; readonly after: string };
  readonly aggregate: (leaf: PlainAggregate) => string;
}

function blockOf(
  star: PlainStar,
  dataset: string,
  always: readonly PlainCondition[],
  leaves: readonly PlainAggregate[],
  style: Style,
): Block {
  const { key = '', source = dataset, filter } = tableOf(star, dataset);
  const all = [...always, ...(filter === undefined ? [] : [filter])];
  const [only, ...others] = leaves;
  const shared = [...all, ...(others.length === 0 && style.conditions === 'where' && only?.when ? [only.when] : [])];
  const isWhere = style.conditions === 'where' || style.source !== 'table';
  const tables = new Set(
    [...shared, ...leaves.flatMap(({ when }) => when ?? [])].flatMap(({ field }) =>
      (pathTo(star, dataset, field.split('.')[0] ?? '') ?? []).map((link) => JSON.stringify(link)),
    ),
  );
  const joins = [...tables].map((text) => {
    const link = JSON.parse(text) as PlainStar['links'][number];
    const other = tableOf(star, link.to);
    return ` ${style.join} "${other.source ?? link.to}" AS ${link.to} ON ${link.from}."${link.column}" = ${link.to}."${link.toColumn}"`;
  });
  const where =
    isWhere && shared.length > 0 ? ` WHERE ${shared.map((one) => condition(star, one, style)).join(' AND ')}` : '';
  const table = `"${source}" AS ${dataset}${joins.join('')}${where}`;
  const inside = (leaf: PlainAggregate): readonly PlainCondition[] => [
    ...(isWhere ? [] : shared),
    ...(leaf.when === undefined || shared.includes(leaf.when) ? [] : [leaf.when]),
  ];
  const named = (field: string): string => `${field.split('.')[0]}."${columnOf(star, field).name}"`;
  const aggregate = (leaf: PlainAggregate): string => {
    const rows = style.rows === 'key' ? `${dataset}."${key}"` : style.rows;
    const conditions = inside(leaf).map((one) => condition(star, one, style));
    const column = leaf.field === undefined ? rows : named(`${dataset}.${leaf.field}`);
    return call(leaf, column, conditions, style);
  };
  // All rows of a CTE have a column for each that is needed.
  if (
    style.source === 'cte' &&
    tables.size === 0 &&
    leaves.every(({ when }) => when === undefined || shared.includes(when))
  )
    return { from: { before: `WITH d AS (SELECT * FROM ${table}) `, after: `d AS ${dataset}` }, aggregate };
  const isAdditive = only !== undefined && others.length === 0 && /^(sum|count|min|max)$/.test(only.aggregate);
  if (style.source === 'groups' && isAdditive && only !== undefined) {
    const outer = only.aggregate === 'count' ? 'sum' : only.aggregate;
    const after = `(SELECT ${dataset}."kind" AS k, ${aggregate(only)} AS part FROM ${table} GROUP BY 1) AS parts`;
    return { from: { before: '', after }, aggregate: () => `${outer.toUpperCase()}(parts.part)` };
  }
  return { from: { before: '', after: table }, aggregate };
}

function call(
  { aggregate, field }: PlainAggregate,
  column: string,
  conditions: readonly string[],
  style: Style,
): string {
  const name = aggregate === 'distinct' ? 'COUNT' : aggregate.toUpperCase();
  const distinct = aggregate === 'distinct' ? 'DISTINCT ' : '';
  if (conditions.length === 0) return `${name}(${distinct}${column})`;
  const all = conditions.join(' AND ');
  const value = column === '*' ? '1' : column;
  if (style.conditions === 'filter') return `${name}(${distinct}${column}) FILTER (WHERE ${all})`;
  if (style.conditions === 'else' && aggregate === 'sum') return `SUM(CASE WHEN ${all} THEN ${value} ELSE 0 END)`;
  if (style.conditions === 'else' && aggregate === 'count' && field === undefined)
    return `SUM(CASE WHEN ${all} THEN 1 ELSE 0 END)`;
  return `${name}(${distinct}CASE WHEN ${all} THEN ${value} END)`;
}

function wrapped(value: string, { wrap }: Style): string {
  if (wrap === 'round') return `ROUND(${value}, 2)`;
  if (wrap === 'cast') return `CAST(${value} AS REAL)`;
  if (wrap === 'times') return `1.0 * (${value})`;
  return wrap === 'coalesce' ? `COALESCE(${value}, 0)` : value;
}

function arithmetic(
  expression: Arithmetic<PlainAggregate>,
  leaf: (leaf: PlainAggregate) => string,
  style: Style,
): string {
  if (typeof expression === 'number') return String(expression);
  if (!isOperation(expression)) return leaf(expression);
  const { operator } = expression;
  const [left, right] = [expression.left, expression.right].map((side) => arithmetic(side, leaf, style));
  if (operator === '/') return `1.0 * ${left} / NULLIF(${right}, 0)`;
  return style.isSwapped && operator !== '-' ? `(${right} ${operator} ${left})` : `(${left} ${operator} ${right})`;
}

const OPPOSITE = { '=': '<>', '<>': '=', '<': '>=', '<=': '>', '>': '<=', '>=': '<' } as const;

function condition(star: PlainStar, { field, test, values }: PlainCondition, style: Style): string {
  const [dataset = ''] = field.split('.');
  const column = `${dataset}."${columnOf(star, field).name}"`;
  const literals = values.map((value) =>
    typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : String(Number(value)),
  );
  if (test === 'null') return `${column} IS NULL`;
  if (test === 'not null') return style.isNegated ? `NOT (${column} IS NULL)` : `${column} IS NOT NULL`;
  if (test === 'in') return `${column} IN (${literals.join(', ')})`;
  if (style.isNegated) return `NOT (${column} ${OPPOSITE[test]} ${literals[0]})`;
  return style.isSwapped && /^(=|<>)$/.test(test)
    ? `${literals[0]} ${test} ${column}`
    : `${column} ${test} ${literals[0]}`;
}
