import type { ShapeCase } from './shape-cases.ts';

export const EXPRESSION_CASES: readonly ShapeCase[] = [
  {
    name: 'CASE',
    dialect: 'sqlite',
    sql: 'SELECT CASE WHEN a = 1 AND b = 2 THEN c ELSE d END AS k FROM t WHERE CASE WHEN e THEN 1 ELSE 0 END = 1',
    blocks: [
      {
        columns: ['select: a', 'select: b', 'select: c', 'select: d', 'where: e'],
        filters: ['where: CASE WHEN e THEN 1 ELSE 0 END = 1'],
        items: ['expression CASE WHEN a = 1 AND b = 2 THEN c ELSE d END as k'],
      },
    ],
  },
  {
    name: 'CASE within a conjunction',
    dialect: 'snowflake',
    sql: 'SELECT 1 FROM t WHERE a = 1 AND CASE WHEN b = 1 OR c = 2 THEN d ELSE e END > 3 AND f = 4',
    blocks: [
      { where: 'and(0,1,2)', columns: ['where: a', 'where: b', 'where: c', 'where: d', 'where: e', 'where: f'] },
    ],
  },
  {
    name: 'window functions',
    dialect: 'snowflake',
    sql: 'SELECT SUM(a) OVER (PARTITION BY b ORDER BY c) AS s, LAG(d, 1) OVER (ORDER BY e DESC) FROM t',
    blocks: [
      {
        calls: ['window SUM(a) OVER (PARTITION BY b ORDER BY c)', 'window LAG(d, 1) OVER (ORDER BY e DESC)'],
        columns: ['select: a', 'select: b', 'select: c', 'select: d', 'select: e'],
      },
    ],
  },
  {
    name: 'a window in SQLite',
    dialect: 'sqlite',
    sql: 'SELECT RANK() OVER (PARTITION BY a.b ORDER BY c.d DESC) AS r FROM a, c',
    blocks: [
      {
        calls: ['window RANK() OVER (PARTITION BY a.b ORDER BY c.d DESC)'],
        columns: ['select: a.b', 'select: c.d'],
        items: ['expression RANK() OVER (PARTITION BY a.b ORDER BY c.d DESC) as r'],
      },
    ],
  },
  {
    name: 'a named window',
    dialect: 'bigquery',
    sql: 'SELECT SUM(a) OVER w FROM t WINDOW w AS (PARTITION BY b)',
    blocks: [{ calls: ['window SUM(a) OVER w'], columns: ['select: a', 'window: b'] }],
  },
  {
    name: 'casts',
    dialect: 'snowflake',
    sql: 'SELECT a::INT, CAST(b AS DATE), TRY_CAST(c AS FLOAT) FROM t WHERE a::INT > 1',
    blocks: [
      {
        items: ['expression a::INT', 'expression CAST(b AS DATE)', 'expression TRY_CAST(c AS FLOAT)'],
        columns: ['select: a', 'select: b', 'select: c', 'where: a'],
        filters: ['where: a::INT > 1'],
      },
    ],
  },
  {
    name: 'units of time are no columns',
    dialect: 'snowflake',
    sql: "SELECT DATEADD(day, 1, a), DATE_TRUNC('month', b), DATEDIFF(year, c, d) FROM t",
    blocks: [{ columns: ['select: a', 'select: b', 'select: c', 'select: d'] }],
  },
  {
    name: 'units of time at the end are no columns',
    dialect: 'bigquery',
    sql: 'SELECT DATE_DIFF(a, b, DAY), DATE_TRUNC(c, MONTH), EXTRACT(YEAR FROM d) FROM t',
    blocks: [{ columns: ['select: a', 'select: b', 'select: c', 'select: d'] }],
  },
  {
    name: 'a column named like a unit',
    dialect: 'bigquery',
    sql: 'SELECT DATE_TRUNC(date, MONTH), date FROM t',
    blocks: [{ columns: ['select: date', 'select: date'] }],
  },
  {
    name: 'typed literals',
    dialect: 'snowflake',
    sql: "SELECT a FROM t WHERE d >= DATE '2024-01-01' AND n = -5 AND b = TRUE",
    blocks: [{ filters: ["where: d >= DATE '2024-01-01'", 'where: n = -5', 'where: b = TRUE'] }],
  },
  {
    name: 'ordered aggregates',
    dialect: 'snowflake',
    sql: "SELECT LISTAGG(a, ', ') WITHIN GROUP (ORDER BY b) AS l FROM t",
    blocks: [{ calls: ["aggregate LISTAGG(a, ', ') WITHIN GROUP (ORDER BY b)"], columns: ['select: a', 'select: b'] }],
    nodeSqlParser: 'syntax',
  },
  {
    name: 'calls within calls',
    dialect: 'bigquery',
    sql: 'SELECT ROUND(SAFE_DIVIDE(SUM(a), COUNT(b)), 2) AS r FROM t',
    blocks: [
      {
        calls: [
          'scalar ROUND(SAFE_DIVIDE(SUM(a), COUNT(b)), 2)',
          'scalar SAFE_DIVIDE(SUM(a), COUNT(b))',
          'aggregate SUM(a)',
          'aggregate COUNT(b)',
        ],
      },
    ],
  },
  {
    name: 'arithmetic in a comparison',
    dialect: 'sqlite',
    sql: 'SELECT a FROM t WHERE a + b * 2 > c / 3',
    blocks: [{ filters: ['where: a + b * 2 > c / 3'], columns: ['select: a', 'where: a', 'where: b', 'where: c'] }],
  },
  {
    name: 'an expression that holds by itself',
    dialect: 'snowflake',
    sql: "SELECT a FROM t WHERE CONTAINS(b, 'x') AND active",
    blocks: [{ filters: ["where: CONTAINS(b, 'x') holds", 'where: active holds'] }],
  },
  {
    name: 'structs and arrays',
    dialect: 'bigquery',
    sql: 'SELECT ARRAY_AGG(STRUCT(a, b AS c) ORDER BY d) FROM t WHERE e IN UNNEST([1, 2])',
    blocks: [{ columns: ['select: a', 'select: b', 'select: d', 'where: e'], filters: ['where: e in UNNEST([1, 2])'] }],
  },
  {
    name: 'an array of a query',
    dialect: 'bigquery',
    sql: 'SELECT ARRAY(SELECT x FROM UNNEST(t.xs) AS x) FROM t',
    blocks: [{ subqueries: ['select array -> 1'] }, { relations: ['unnest UNNEST(t.xs) as x'] }],
  },
  {
    name: 'types with angle brackets',
    dialect: 'bigquery',
    sql: 'SELECT CAST(NULL AS ARRAY<STRUCT<a INT64, b STRING>>) AS x, c FROM t',
    blocks: [{ items: ['expression CAST(NULL AS ARRAY<STRUCT<a INT64, b STRING>>) as x', 'column c'] }],
  },
];
