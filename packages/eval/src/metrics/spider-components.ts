import {
  isSpiderSql,
  type SpiderColumn,
  type SpiderCondition,
  type SpiderConditions,
  type SpiderSchema,
  type SpiderSql,
  type SpiderTerm,
  type SpiderValue,
} from './spider-sql.ts';

/**
 * Whether two statements have the same components, as Spider's exact match compares them: columns of SELECT and conditions of WHERE in
 * any order, grouping by the names of columns, HAVING and ORDER BY as they stand, the set of connectors, of keywords and of tables,
 * set operations by their other statement. Values and DISTINCT do not count; columns that a foreign key equates are one.
 */
export function sameSpiderComponents(candidate: SpiderSql, gold: SpiderSql, schema: SpiderSchema): boolean {
  return sameComponents(comparable(candidate, schema), comparable(gold, schema));
}

function sameComponents(candidate: SpiderSql, gold: SpiderSql): boolean {
  return (
    sameMultiset(candidate.select, gold.select) &&
    sameMultiset(candidate.where.all, gold.where.all) &&
    sameMultiset(candidate.groupBy.map(bareName), gold.groupBy.map(bareName)) &&
    sameHaving(candidate, gold) &&
    sameOrder(candidate, gold) &&
    sameSet(candidate.where.connectors, gold.where.connectors) &&
    (['intersect', 'union', 'except'] as const).every((set) => sameNested(candidate[set], gold[set])) &&
    sameSet(keywordsOf(candidate), keywordsOf(gold)) &&
    sameMultiset(candidate.sources, gold.sources)
  );
}

function sameNested(candidate: SpiderSql | null, gold: SpiderSql | null): boolean {
  return candidate === null || gold === null ? candidate === gold : sameComponents(candidate, gold);
}

/** Only where both group: otherwise HAVING is a matter of keywords. */
function sameHaving(candidate: SpiderSql, gold: SpiderSql): boolean {
  if (candidate.groupBy.length === 0 || gold.groupBy.length === 0)
    return candidate.groupBy.length === gold.groupBy.length;
  const columns = ({ groupBy }: SpiderSql): string => textOf(groupBy.map(({ column }) => column));
  return columns(candidate) === columns(gold) && textOf(candidate.having) === textOf(gold.having);
}

function sameOrder(candidate: SpiderSql, gold: SpiderSql): boolean {
  if (candidate.orderBy === null || gold.orderBy === null) return candidate.orderBy === gold.orderBy;
  return textOf(candidate.orderBy) === textOf(gold.orderBy) && (candidate.limit === null) === (gold.limit === null);
}

function bareName({ column }: SpiderColumn): string {
  return column.split('.')[1] ?? column;
}

function keywordsOf(sql: SpiderSql): readonly string[] {
  const conditions = [...sql.on.all, ...sql.where.all, ...sql.having.all];
  const connectors = [...sql.on.connectors, ...sql.where.connectors, ...sql.having.connectors];
  const keywords: readonly (readonly [string, boolean])[] = [
    ['where', sql.where.all.length > 0],
    ['group', sql.groupBy.length > 0],
    ['having', sql.having.all.length > 0],
    ['order', sql.orderBy !== null],
    [sql.orderBy?.direction ?? '', sql.orderBy !== null],
    ['limit', sql.limit !== null],
    ['except', sql.except !== null],
    ['union', sql.union !== null],
    ['intersect', sql.intersect !== null],
    ['or', connectors.includes('or')],
    ['not', conditions.some(({ not }) => not)],
    ['in', conditions.some(({ operator }) => operator === 'in')],
    ['like', conditions.some(({ operator }) => operator === 'like')],
  ];
  return keywords.filter(([, is]) => is).map(([word]) => word);
}

/** Without what does not count. Statements inside of conditions lose their values only, derived tables nothing. */
function comparable(sql: SpiderSql, schema: SpiderSchema): SpiderSql {
  const tables = new Set(sql.sources.flatMap((source) => (source.type === 'table' ? [source.table] : [])));
  const column = (one: SpiderColumn): SpiderColumn => {
    const [table = ''] = one.column.split('.');
    const name = tables.has(table) ? (schema.keys.get(one.column) ?? one.column) : one.column;
    return { ...one, column: name, distinct: null };
  };
  return withColumns(withoutValues(sql), column);
}

function withColumns(sql: SpiderSql, column: (one: SpiderColumn) => SpiderColumn): SpiderSql {
  const term = ({ operator, left, right }: SpiderTerm): SpiderTerm => ({
    operator,
    left: column(left),
    right: right === null ? null : column(right),
  });
  const conditions = ({ all, connectors }: SpiderConditions): SpiderConditions => ({
    all: all.map((one) => ({ ...one, term: term(one.term) })),
    connectors,
  });
  // Both sides of a set operation are read with the tables of the first.
  const nested = (inner: SpiderSql | null): SpiderSql | null => (inner === null ? null : withColumns(inner, column));
  return {
    ...sql,
    distinct: null,
    select: sql.select.map((one) => ({ aggregate: one.aggregate, term: term(one.term) })),
    on: conditions(sql.on),
    where: conditions(sql.where),
    groupBy: sql.groupBy.map(column),
    having: conditions(sql.having),
    orderBy: sql.orderBy === null ? null : { ...sql.orderBy, terms: sql.orderBy.terms.map(term) },
    intersect: nested(sql.intersect),
    union: nested(sql.union),
    except: nested(sql.except),
  };
}

function withoutValues(sql: SpiderSql): SpiderSql {
  const value = (one: SpiderValue): SpiderValue => (isSpiderSql(one) ? withoutValues(one) : null);
  const conditions = ({ all, connectors }: SpiderConditions): SpiderConditions => ({
    all: all.map((one): SpiderCondition => ({ ...one, first: value(one.first), second: value(one.second) })),
    connectors,
  });
  const nested = (inner: SpiderSql | null): SpiderSql | null => (inner === null ? null : withoutValues(inner));
  return {
    ...sql,
    on: conditions(sql.on),
    where: conditions(sql.where),
    having: conditions(sql.having),
    intersect: nested(sql.intersect),
    union: nested(sql.union),
    except: nested(sql.except),
  };
}

function sameMultiset(a: readonly unknown[], b: readonly unknown[]): boolean {
  return textOf(a.map(textOf).sort()) === textOf(b.map(textOf).sort());
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return textOf([...new Set(a)].sort()) === textOf([...new Set(b)].sort());
}

function textOf(value: unknown): string {
  return JSON.stringify(value);
}
