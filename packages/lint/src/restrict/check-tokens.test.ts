import { type Dialect, isAskemaError } from '@askema/core';
import { duckdbDialect, mysqlDialect, postgresDialect, sqliteDialect } from '@askema/dialects';
import { significantTokens } from '@askema/sql';
import { expect, test } from 'vitest';
import { checkTokens } from './check-tokens.ts';

function refusalOf(dialect: Dialect, sql: string): string | undefined {
  try {
    checkTokens(sql, significantTokens(sql, dialect.lexer), dialect);
  } catch (thrown) {
    if (isAskemaError(thrown) && thrown.code === 'QUERY_REFUSED') return thrown.message;
    throw thrown;
  }
  return undefined;
}

test.each([
  [postgresDialect, "SELECT regclass '16405'", 'regclass'],
  [postgresDialect, "SELECT pg_catalog.regclass '16405'", 'regclass'],
  [postgresDialect, "SELECT CAST('16405' AS pg_catalog.regclass)", 'pg_catalog'],
  [postgresDialect, "SELECT CAST(('1' || '6405') AS \"regclass\")", 'regclass'],
  [postgresDialect, "SELECT '16405'::regclass", 'regclass'],
  [postgresDialect, "SELECT 'x'::public.checked", 'public'],
  [postgresDialect, 'SELECT NULL::users', 'users'],
  [postgresDialect, 'SELECT 1 FROM orders WHERE total = CAST(CAST(1 AS int) AS checked)', 'checked'],
  [postgresDialect, "SELECT JSON_VALUE(body, '$.a' RETURNING checked) FROM orders", 'checked'],
  [duckdbDialect, 'SELECT NULL::grade', 'grade'],
  [duckdbDialect, 'SELECT TRY_CAST(name AS grade) FROM orders', 'grade'],
  [duckdbDialect, "SELECT grade 'a'", 'grade'],
])('%o: no type of a user may be named: %s', (dialect, sql, type) => {
  expect(refusalOf(dialect, sql)).toContain(`it has "${type}" where a type of the engine itself has to stand`);
});

test.each([
  [mysqlDialect, 'SELECT DEFAULT(total) FROM orders', 'default of a column'],
  [mysqlDialect, 'SELECT total FROM orders FORCE INDEX (by_ss)', 'an index'],
  [mysqlDialect, 'SELECT total FROM orders USE KEY (by_ss)', 'an index'],
  [mysqlDialect, 'SELECT total FROM orders PARTITION (p0)', 'a partition'],
  [sqliteDialect, 'SELECT total FROM orders INDEXED BY by_ssn', 'an index'],
  [mysqlDialect, "SELECT MATCH(note) AGAINST('x') FROM orders", 'a full text'],
])('%o: what tells of indexes, partitions and defaults is refused: %s', (dialect, sql, what) => {
  expect(refusalOf(dialect, sql)).toContain(what);
});

test.each([
  [
    postgresDialect,
    "SELECT total::numeric(10, 2), CAST(total AS double precision) FROM orders WHERE day > date '2024-01-01'",
  ],
  [postgresDialect, "SELECT total::int4::text, '{1}'::int[] FROM orders WHERE name ILIKE 'a%' ESCAPE '!'"],
  [
    postgresDialect,
    "SELECT CASE WHEN name = 'a' THEN 'b' ELSE 'c' END, timestamp '2024-01-01' AT TIME ZONE 'UTC' FROM orders",
  ],
  [postgresDialect, "SELECT sum(total) OVER (PARTITION BY name) FROM orders WHERE day > now() - interval '1 day'"],
  [postgresDialect, "SELECT JSON_VALUE(body, '$.a' RETURNING int) FROM orders"],
  [duckdbDialect, "SELECT TRY_CAST(total AS DECIMAL(10, 2)), total::HUGEINT FROM orders WHERE name NOT LIKE 'a%'"],
  [
    mysqlDialect,
    "SELECT CAST(total AS SIGNED), GROUP_CONCAT(name SEPARATOR ', ') FROM orders WHERE name REGEXP '^a' OR name BETWEEN 'a' AND 'b'",
  ],
  [sqliteDialect, "SELECT CAST(total AS REAL) AS \"amount\" FROM orders WHERE name GLOB 'a*' AND name IS NOT 'b'"],
  [postgresDialect, 'SELECT o.* FROM orders o WHERE EXISTS (SELECT p.*, 2 FROM papers p) ORDER BY 1'],
  [postgresDialect, 'SELECT DISTINCT ON (o.day) o.*, 3 * (total) AS t FROM orders o'],
  [
    postgresDialect,
    'WITH x AS (SELECT 1, o.* FROM orders o) SELECT a IS DISTINCT FROM b, x.* FROM x UNION ALL SELECT 2, y.* FROM y',
  ],
  [duckdbDialect, 'SELECT o.* EXCLUDE (day), COUNT(*) OVER () FROM orders o'],
  [mysqlDialect, `SELECT ${'ж'.repeat(60)} FROM orders`],
])('%o: what analysts write passes: %s', (dialect, sql) => {
  expect(refusalOf(dialect, sql)).toBeUndefined();
});

test.each([
  'SELECT ROW(1, o.*, 2) FROM orders o',
  'SELECT concat(1, o.*, 2) FROM orders o',
  'SELECT o.total FROM orders o ORDER BY o.*',
  'SELECT o.total FROM orders o GROUP BY total, o.*',
  'SELECT o.* IS NULL FROM orders o',
  'SELECT o.*::text FROM orders o',
  'SELECT 1 FROM orders o JOIN orders p ON o.* = p.*',
  'SELECT rank() OVER (ORDER BY o.*) FROM orders o',
  'SELECT COUNT(DISTINCT o.*) FROM orders o',
  `SELECT total AS ${'l'.repeat(64)} FROM orders`,
])('%s is refused', (sql) => {
  expect(refusalOf(postgresDialect, sql)).toMatch(/a whole row to a function|a name of more than 63 bytes/);
});
