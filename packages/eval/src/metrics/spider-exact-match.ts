import type { QueryResult } from '@askema/core';
import type { Metric } from './metric.ts';
import { parseSpiderSql } from './parse-spider-sql.ts';
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
 * Spider's exact set match without values (evaluation.py): 1 where the statement has the components of some gold
 * statement, whatever the results. Names are resolved on the question's SQLite database, whose foreign keys say which
 * columns are one. A statement that Spider's grammar does not know is 0. Does not apply where no gold statement is
 * within that grammar, or the database is no SQLite.
 */
export const spiderExactMatch: Metric = {
  id: 'spider-exact-match',
  title: 'Spider exact match',
  async score({ question, sql, run }) {
    if (question.goldSql.length === 0) return undefined;
    const schema = await readSpiderSchema((statement) => run(statement));
    if (schema === undefined) return undefined;
    const gold = question.goldSql.flatMap((one) => parseSpiderSql(one, schema) ?? []);
    if (gold.length === 0) return undefined;
    const candidate = sql === undefined ? undefined : parseSpiderSql(sql, schema);
    return candidate !== undefined && gold.some((one) => sameSpiderComponents(candidate, one, schema)) ? 1 : 0;
  },
};

const COLUMNS = `SELECT m.name, p.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS p
WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY m.rowid, p.cid`;

/** A key without a target column points at the primary key. */
const KEYS = `SELECT m.name, f."from", f."table", coalesce(f."to", (SELECT p.name FROM pragma_table_info(f."table") AS p WHERE p.pk = f.seq + 1))
FROM sqlite_master AS m JOIN pragma_foreign_key_list(m.name) AS f WHERE m.type = 'table' ORDER BY m.rowid, f.id DESC, f.seq`;

/** Tables, columns and foreign keys of a SQLite database, in lower case; undefined where the database does not tell. */
async function readSpiderSchema(
  run: (sql: string) => Promise<Pick<QueryResult, 'rows'>>,
): Promise<SpiderSchema | undefined> {
  let columns: Pick<QueryResult, 'rows'>;
  let keys: Pick<QueryResult, 'rows'>;
  try {
    columns = await run(COLUMNS);
    keys = await run(KEYS);
  } catch {
    return undefined;
  }
  const tables = new Map<string, string[]>();
  for (const [table, column] of textRows(columns)) {
    const known = tables.get(table) ?? [];
    known.push(column);
    tables.set(table, known);
  }
  return { tables, keys: equatedColumns(textRows(keys)) };
}

function textRows({ rows }: Pick<QueryResult, 'rows'>): readonly (readonly [string, string, string, string])[] {
  const text = (value: unknown): string => (typeof value === 'string' ? value.toLowerCase() : '');
  return rows.map(([a, b, c, d]) => [text(a), text(b), text(c), text(d)]);
}

/** One column for each set of columns that foreign keys join. */
function equatedColumns(rows: readonly (readonly [string, string, string, string])[]): ReadonlyMap<string, string> {
  const sets: Set<string>[] = [];
  for (const [table, column, target, targetColumn] of rows) {
    const [from, to] = [`${table}.${column}`, `${target}.${targetColumn}`];
    let set = sets.find((one) => one.has(from) || one.has(to));
    if (set === undefined) {
      set = new Set();
      sets.push(set);
    }
    set.add(from).add(to);
  }
  return new Map(sets.flatMap((set) => [...set].map((column) => [column, [...set].sort()[0] ?? column] as const)));
}

/**
 * Whether two statements have the same components, as Spider's exact match compares them: columns of SELECT and
 * conditions of WHERE in any order, grouping by the names of columns, HAVING and ORDER BY as they stand, the set of
 * connectors, of keywords and of tables, set operations by their other statement. Values and DISTINCT do not count;
 * columns that a foreign key equates are one.
 */
function sameSpiderComponents(candidate: SpiderSql, gold: SpiderSql, schema: SpiderSchema): boolean {
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
  const columns = ({ groupBy }: SpiderSql): string => asJson(groupBy.map(({ column }) => column));
  return columns(candidate) === columns(gold) && asJson(candidate.having) === asJson(gold.having);
}

function sameOrder(candidate: SpiderSql, gold: SpiderSql): boolean {
  if (candidate.orderBy === null || gold.orderBy === null) return candidate.orderBy === gold.orderBy;
  return asJson(candidate.orderBy) === asJson(gold.orderBy) && (candidate.limit === null) === (gold.limit === null);
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
  return asJson(a.map(asJson).sort()) === asJson(b.map(asJson).sort());
}

function sameSet(a: readonly string[], b: readonly string[]): boolean {
  return asJson([...new Set(a)].sort()) === asJson([...new Set(b)].sort());
}

function asJson(value: unknown): string {
  return JSON.stringify(value);
}
