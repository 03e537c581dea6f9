import type { ShapeCase } from './shape-cases.ts';

export const RELATION_CASES: readonly ShapeCase[] = [
  {
    name: 'joins with their keys',
    dialect: 'sqlite',
    sql: "SELECT c.name FROM orders o JOIN customers c ON o.customer_id = c.id AND c.kind = 'x' LEFT JOIN items i ON i.order_id = o.id",
    blocks: [
      {
        joins: ['inner #1 o.customer_id = c.id', 'left #2 i.order_id = o.id'],
        filters: ['join: o.customer_id = c.id', "join: c.kind = 'x'", 'join: i.order_id = o.id'],
        relations: ['table orders as o', 'table customers as c', 'table items as i'],
      },
    ],
  },
  {
    name: 'a self-join',
    dialect: 'snowflake',
    sql: 'SELECT a.id, b.id FROM emp a JOIN emp b ON a.boss = b.id',
    blocks: [{ relations: ['table emp as a', 'table emp as b'], joins: ['inner #1 a.boss = b.id'] }],
  },
  {
    name: 'USING, CROSS JOIN and a comma',
    dialect: 'bigquery',
    sql: 'SELECT a FROM t JOIN u USING (x, y) CROSS JOIN v, w',
    blocks: [{ joins: ['inner #1 using x using y', 'cross #2', 'comma #3'] }],
  },
  {
    name: 'NATURAL JOIN',
    dialect: 'sqlite',
    sql: 'SELECT a FROM t NATURAL JOIN u',
    blocks: [{ joins: ['inner natural #1'] }],
    nodeSqlParser: 'not located',
  },
  {
    name: 'no key under OR',
    dialect: 'snowflake',
    sql: 'SELECT 1 FROM t FULL OUTER JOIN u ON t.a = u.a OR t.b = u.b',
    blocks: [{ joins: ['full #1'], filters: ['join: t.a = u.a', 'join: t.b = u.b'] }],
  },
  {
    name: 'qualified and quoted names',
    dialect: 'snowflake',
    sql: 'SELECT t."Col One" FROM "DB"."SCHEMA"."T" AS t',
    blocks: [{ relations: ['table "DB"."SCHEMA"."T" as t'], columns: ['select: t."Col One"'] }],
  },
  {
    name: 'a name in one pair of backticks',
    dialect: 'bigquery',
    sql: 'SELECT x FROM `my-project.data.events_*` AS e',
    blocks: [{ relations: ['table `my-project.data.events_*` as e'] }],
  },
  {
    name: 'CTEs that refer to each other',
    dialect: 'sqlite',
    sql: 'WITH a AS (SELECT 1 AS x), b AS (SELECT x FROM a) SELECT x FROM b JOIN a ON a.x = b.x',
    blocks: [
      { ctes: ['a -> 1', 'b -> 2'], relations: ['cte b', 'cte a'] },
      { place: 'cte rows' },
      { relations: ['cte a'], columns: ['select: x'] },
    ],
  },
  {
    name: 'a WITH inside of a CTE',
    dialect: 'snowflake',
    sql: 'WITH a AS (WITH b AS (SELECT 1 AS x) SELECT x FROM b) SELECT x FROM a',
    blocks: [{ relations: ['cte a'] }, { ctes: ['b -> 2'], relations: ['cte b'] }, { items: ['expression 1 as x'] }],
  },
  {
    name: 'a CTE that takes the name of a table',
    dialect: 'bigquery',
    sql: 'WITH orders AS (SELECT a FROM orders) SELECT a FROM orders',
    blocks: [{ relations: ['cte orders'] }, { relations: ['table orders'] }],
  },
  {
    name: 'a recursive CTE',
    dialect: 'sqlite',
    sql: 'WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 9) SELECT x FROM n',
    blocks: [{ relations: ['cte n'] }, { set: ['union all'] }, {}, { relations: ['cte n'], filters: ['where: x < 9'] }],
  },
  {
    name: 'a derived table',
    dialect: 'snowflake',
    sql: 'SELECT s.a FROM (SELECT a FROM t) AS s',
    blocks: [
      { relations: ['derived (SELECT a FROM t) as s'], subqueries: ['from rows -> 1'] },
      { place: 'from rows', columns: ['select: a'] },
    ],
  },
  {
    name: 'a scalar sub-query in SELECT',
    dialect: 'bigquery',
    sql: 'SELECT a, (SELECT MAX(b) FROM u) AS m FROM t',
    blocks: [
      {
        subqueries: ['select scalar -> 1'],
        columns: ['select: a'],
        items: ['column a', 'expression (SELECT MAX(b) FROM u) as m'],
      },
      { calls: ['aggregate MAX(b)'] },
    ],
  },
  {
    name: 'a correlated sub-query',
    dialect: 'snowflake',
    sql: 'SELECT a FROM t WHERE b > (SELECT AVG(u.b) FROM u WHERE u.k = t.k)',
    blocks: [
      { filters: ['where: b > (SELECT AVG(u.b) FROM u WHERE u.k = t.k)'], subqueries: ['where scalar -> 1'] },
      { filters: ['where: u.k = t.k'], columns: ['select: u.b', 'where: u.k', 'where: t.k'] },
    ],
  },
  {
    name: 'EXISTS and NOT EXISTS',
    dialect: 'sqlite',
    sql: 'SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u) AND NOT EXISTS (SELECT 2 FROM v)',
    blocks: [
      {
        filters: ['where: (SELECT 1 FROM u) exists', 'where: (SELECT 2 FROM v) not exists'],
        subqueries: ['where exists -> 1', 'where exists -> 2'],
      },
      { relations: ['table u'] },
      { relations: ['table v'] },
    ],
  },
  {
    name: 'IN with a sub-query',
    dialect: 'sqlite',
    sql: 'SELECT a FROM t WHERE a NOT IN (SELECT b FROM u)',
    blocks: [{ filters: ['where: a not in (SELECT b FROM u)'], subqueries: ['where in -> 1'] }, { place: 'where in' }],
  },
  {
    name: 'LATERAL FLATTEN and paths',
    dialect: 'snowflake',
    sql: 'SELECT f.value:name.first::STRING AS n FROM t, LATERAL FLATTEN(INPUT => t.data:items) f WHERE f.value:age::INT > 3',
    blocks: [
      {
        relations: ['table t', 'function FLATTEN(INPUT => t.data:items) as f'],
        columns: ['select: f.value', 'from: t.data', 'where: f.value'],
        joins: ['comma #1'],
        filters: ['where: f.value:age::INT > 3'],
      },
    ],
    nodeSqlParser: 'syntax',
  },
  {
    name: 'UNNEST with a position',
    dialect: 'bigquery',
    sql: 'SELECT h.page FROM t AS s, UNNEST(s.hits) AS h WITH OFFSET AS o WHERE o = 1',
    blocks: [
      {
        relations: ['table t as s', 'unnest UNNEST(s.hits) as h'],
        columns: ['select: h.page', 'from: s.hits', 'where: o'],
      },
    ],
  },
  {
    name: 'fields of fields',
    dialect: 'bigquery',
    sql: 'SELECT h.item.price[OFFSET(0)].amount FROM t AS h',
    blocks: [{ columns: ['select: h.item.price'] }],
    nodeSqlParser: 'not located',
  },
];
