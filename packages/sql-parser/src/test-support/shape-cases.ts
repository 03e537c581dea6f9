import type { Summary } from './summary.ts';

/** A statement with what its blocks hold; parts that are left out are not looked at. */
export interface ShapeCase {
  readonly name: string;
  readonly dialect: 'sqlite' | 'snowflake' | 'bigquery';
  readonly sql: string;
  readonly blocks: readonly Partial<Summary>[];
  /** What node-sql-parser makes of it instead. */
  readonly nodeSqlParser?: 'syntax' | 'not located' | 'parser broke';
}

export const CLAUSE_CASES: readonly ShapeCase[] = [
  {
    name: 'aliases of items and relations',
    dialect: 'sqlite',
    sql: 'SELECT o.id AS number, o.total amount FROM orders AS o',
    blocks: [
      {
        place: 'statement rows',
        items: ['column o.id as number', 'column o.total as amount'],
        relations: ['table orders as o'],
        columns: ['select: o.id', 'select: o.total'],
      },
    ],
  },
  {
    name: 'no FROM',
    dialect: 'sqlite',
    sql: 'SELECT 1, 2 AS two',
    blocks: [{ items: ['expression 1', 'expression 2 as two'], relations: [], columns: [] }],
  },
  {
    name: 'stars',
    dialect: 'snowflake',
    sql: 'SELECT *, t.* FROM t',
    blocks: [{ items: ['star *', 'star t.*'], columns: [] }],
  },
  {
    name: 'AND and OR with brackets',
    dialect: 'sqlite',
    sql: "SELECT a FROM t WHERE (a = 1 OR b <> 'x') AND c >= 3 AND NOT (d < 4)",
    blocks: [
      {
        where: 'and(or(0,1),2,not(3))',
        filters: ['where: a = 1', "where: b <> 'x'", 'where: c >= 3', 'where: d < 4'],
      },
    ],
  },
  {
    name: 'precedence without brackets',
    dialect: 'snowflake',
    sql: 'SELECT a FROM t WHERE a = 1 OR b = 2 AND c = 3 OR d = 4',
    blocks: [{ where: 'or(0,and(1,2),3)' }],
    nodeSqlParser: 'not located',
  },
  {
    name: 'the AND of BETWEEN',
    dialect: 'snowflake',
    sql: 'SELECT a FROM t WHERE a BETWEEN 1 AND 2 AND b NOT BETWEEN c AND d',
    blocks: [{ where: 'and(0,1)', filters: ['where: a between 1 | 2', 'where: b not between c | d'] }],
  },
  {
    name: 'IN lists',
    dialect: 'sqlite',
    sql: "SELECT a FROM t WHERE a IN (1, 2, 3) AND b NOT IN ('x', 'y,z')",
    blocks: [{ filters: ['where: a in 1 | 2 | 3', "where: b not in 'x' | 'y,z'"] }],
  },
  {
    name: 'LIKE and IS NULL',
    dialect: 'sqlite',
    sql: "SELECT a FROM t WHERE a LIKE '%x%' AND b NOT LIKE 'y' AND c IS NULL AND d IS NOT NULL",
    blocks: [
      {
        filters: ["where: a like '%x%'", "where: b not like 'y'", 'where: c is null', 'where: d not is null'],
      },
    ],
  },
  {
    name: 'ILIKE',
    dialect: 'snowflake',
    sql: "SELECT a FROM t WHERE a ILIKE 'x%'",
    blocks: [{ filters: ["where: a ilike 'x%'"] }],
  },
  {
    name: 'HAVING with an aggregate',
    dialect: 'sqlite',
    sql: 'SELECT a, COUNT(*) AS n FROM t GROUP BY a HAVING COUNT(*) > 3',
    blocks: [
      {
        groupings: ['column a'],
        calls: ['aggregate COUNT(*)', 'aggregate COUNT(*)'],
        filters: ['having: COUNT(*) > 3'],
      },
    ],
  },
  {
    name: 'GROUP BY position and expression',
    dialect: 'snowflake',
    sql: 'SELECT a, LOWER(b) FROM t GROUP BY 1, LOWER(b)',
    blocks: [{ groupings: ['position 1', 'expression LOWER(b)'], columns: ['select: a', 'select: b', 'group by: b'] }],
  },
  {
    name: 'ORDER BY, LIMIT and OFFSET',
    dialect: 'sqlite',
    sql: 'SELECT a, b FROM t ORDER BY a DESC, 2, b + 1 ASC LIMIT 10 OFFSET 5',
    blocks: [
      { order: ['column desc a DESC', 'position asc 2', 'expression asc b + 1 ASC'], limit: 'LIMIT 10 OFFSET 5' },
    ],
  },
  {
    name: 'NULLS LAST',
    dialect: 'snowflake',
    sql: 'SELECT a FROM t ORDER BY a DESC NULLS LAST',
    blocks: [{ order: ['column desc a DESC NULLS LAST'] }],
  },
  {
    name: 'DISTINCT',
    dialect: 'bigquery',
    sql: 'SELECT DISTINCT a FROM t',
    blocks: [{ distinct: true, items: ['column a'] }],
  },
  {
    name: 'DISTINCT aggregate',
    dialect: 'snowflake',
    sql: 'SELECT COUNT(DISTINCT a), SUM(b) FROM t',
    blocks: [{ calls: ['aggregate distinct COUNT(DISTINCT a)', 'aggregate SUM(b)'] }],
  },
  {
    name: 'UNION ALL and EXCEPT with ORDER BY behind them',
    dialect: 'sqlite',
    sql: 'SELECT a FROM t UNION ALL SELECT b FROM u EXCEPT SELECT c FROM v ORDER BY 1 LIMIT 3',
    blocks: [
      { set: ['union all', 'except'], order: ['position asc 1'], limit: 'LIMIT 3' },
      { place: 'operand rows', columns: ['select: a'], order: [] },
      { columns: ['select: b'] },
      { columns: ['select: c'], limit: '' },
    ],
  },
  {
    name: 'operands in brackets',
    dialect: 'snowflake',
    sql: '(SELECT a FROM t ORDER BY a LIMIT 1) UNION (SELECT b FROM u)',
    blocks: [{ set: ['union'], order: [] }, { order: ['column asc a'], limit: 'LIMIT 1' }, { columns: ['select: b'] }],
  },
  {
    name: 'comments between words',
    dialect: 'sqlite',
    sql: 'SELECT a -- , x FROM y\n , /* b, */ c FROM /* u */ t WHERE -- WHERE\n a = 1',
    blocks: [{ items: ['column a', 'column c'], relations: ['table t'], filters: ['where: a = 1'] }],
  },
  {
    name: 'carriage returns and tabs',
    dialect: 'snowflake',
    sql: 'SELECT\r\n\ta,\r\n\tt.b\r\nFROM\r\n\tt\r\nWHERE\ta = 1',
    blocks: [{ columns: ['select: a', 'select: t.b', 'where: a'], relations: ['table t'] }],
  },
  {
    name: 'emoji and accents in front of names',
    dialect: 'snowflake',
    sql: `SELECT '😀😀é' AS x, "naïve 😀 col" AS y, t."b" FROM "Täble" t WHERE t."b" = '👩‍👩‍👧' AND c = 1`,
    blocks: [
      {
        columns: ['select: "naïve 😀 col"', 'select: t."b"', 'where: t."b"', 'where: c'],
        relations: ['table "Täble" as t'],
        filters: [`where: t."b" = '👩‍👩‍👧'`, 'where: c = 1'],
      },
    ],
  },
  {
    name: 'a script: the last query',
    dialect: 'bigquery',
    sql: "DECLARE d STRING DEFAULT 'x;y'; -- one;\nSELECT a FROM t WHERE b = d;",
    blocks: [{ items: ['column a'], filters: ['where: b = d'] }],
  },
  {
    name: 'QUALIFY',
    dialect: 'snowflake',
    sql: 'SELECT a FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY b ORDER BY c DESC) = 1',
    blocks: [
      {
        calls: ['window ROW_NUMBER() OVER (PARTITION BY b ORDER BY c DESC)'],
        filters: ['qualify: ROW_NUMBER() OVER (PARTITION BY b ORDER BY c DESC) = 1'],
        columns: ['select: a', 'qualify: b', 'qualify: c'],
      },
    ],
  },
];
