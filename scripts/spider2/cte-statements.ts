import type { DialectStatement } from './cte-agreement.ts';

/** Statements with traps, for where the larger data is not: what a careless splitter reads wrongly. */
const BY_DIALECT: Readonly<Record<string, readonly string[]>> = {
  snowflake: [
    `WITH a AS (SELECT ')' AS x, "(" AS y FROM t), "b c" AS (SELECT * FROM a) SELECT * FROM "b c"`,
    `-- WITH x AS (\nWITH a AS ( -- )\n SELECT 1 /* ( */ AS n), b (m) AS (SELECT n FROM a) SELECT * FROM b;`,
    `WITH f AS (SELECT v:items[0].name::VARCHAR AS n, e.value:"k" AS k FROM t, LATERAL FLATTEN(INPUT => v:items) AS e) SELECT * FROM f`,
    `WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r WHERE n < 5), s AS (SELECT 'it\\'s ) (' AS q FROM r) SELECT * FROM s`,
    `WITH a AS (WITH b AS (SELECT 1 AS n), c AS (SELECT * FROM b) SELECT * FROM c) SELECT * FROM a QUALIFY ROW_NUMBER() OVER (ORDER BY n) = 1`,
    `CREATE TABLE t2 AS WITH a AS (SELECT $$it's ( $$ AS q) SELECT * FROM a`,
    `SELECT * FROM (WITH inner_one AS (SELECT 1 AS n) SELECT * FROM inner_one) AS s`,
  ],
  bigquery: [
    "DECLARE d STRING DEFAULT 'a;b'; WITH a AS (SELECT d AS x) SELECT * FROM a",
    'CREATE TEMP FUNCTION f(x INT64) AS (x + 1); WITH a AS (SELECT f(1) AS n) SELECT * FROM a',
    `WITH a AS (SELECT '''it's ) "''' AS q, r'\\d+\\)' AS p, "WITH b AS (" AS w) SELECT * FROM a # AS (`,
    'WITH a AS (SELECT item, o FROM `p-1.d.t`, UNNEST(items) AS item WITH OFFSET AS o), b AS (SELECT * FROM a) SELECT * FROM b',
    'WITH a AS (SELECT STRUCT(1 AS n, "x" AS s) AS r), `b` AS (SELECT r.n FROM a) SELECT * FROM `b`',
    'WITH RECURSIVE a AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM a WHERE n < 3) SELECT ARRAY(SELECT x FROM UNNEST([1, 2]) AS x) FROM a',
    '(WITH a AS (SELECT 1 AS n) SELECT * FROM a) UNION ALL SELECT 2',
  ],
  postgres: [
    `WITH a(x, y) AS MATERIALIZED (SELECT 1, $t$ ) $$ $t$), b AS NOT MATERIALIZED (SELECT E'\\') (' FROM a) SELECT * FROM b`,
    `WITH RECURSIVE "T"(n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM "T" WHERE n < 9) SELECT sum(n) FROM "T"`,
    `INSERT INTO t (a, b) WITH s AS (SELECT 1 AS a, 2 AS b) SELECT * FROM s`,
    `WITH moved AS (DELETE FROM t WHERE id < 3 RETURNING *) SELECT count(*) FROM moved`,
    `WITH a AS (SELECT 1 AS n /* /* ) */ ( */) SELECT * FROM a WHERE n::text = ANY ('{1}'::text[])`,
    `EXPLAIN WITH a AS (SELECT 1 AS n) SELECT * FROM a`,
  ],
  duckdb: [
    `WITH a AS (SELECT {'k': [1, 2]} AS s, x -> '$.a' AS j FROM t), b AS (FROM a SELECT s.k[1:2] AS n) SELECT * FROM b`,
    `WITH a AS MATERIALIZED (SELECT * FROM range(3) AS r(n)), b AS (SELECT n FROM a WHERE n IN (SELECT 1)) SELECT * FROM b`,
    `WITH a AS (SELECT 1 AS "with", 2 AS "as") SELECT "with" FROM a ORDER BY ALL`,
    `WITH a AS (SELECT list_transform([1, 2], x -> x + 1) AS l) SELECT * FROM a`,
  ],
  sqlite: [
    'WITH [a b] AS (SELECT 1 AS n), `c` AS (SELECT * FROM [a b]) SELECT * FROM c',
    `WITH RECURSIVE n(x) AS (VALUES (1) UNION ALL SELECT x + 1 FROM n LIMIT 5) SELECT x'00', x FROM n`,
    `WITH a AS (SELECT ';' AS q), b AS (SELECT CASE WHEN q = ')' THEN 1 END AS m FROM a) SELECT * FROM b`,
  ],
};

export const OWN_STATEMENTS: readonly DialectStatement[] = Object.entries(BY_DIALECT).flatMap(([dialect, statements]) =>
  statements.map((sql, index) => ({ id: `${dialect}/${index + 1}`, dialect, sql })),
);

/** Where sqlglot reads something else, and why this reading is kept. */
export const EXPECTED_DISAGREEMENTS: Readonly<Record<string, string>> = {
  'postgres/6': 'sqlglot keeps what stands behind EXPLAIN as plain text',
};
