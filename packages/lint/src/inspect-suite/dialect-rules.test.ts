import { bigqueryDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { expect, test, vi } from 'vitest';
import { ruleRunner } from './rule-findings.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { run } = ruleRunner(sqliteDialect);

const CODES = ['dialect-function', 'dialect-syntax'];
const [SQLITE, SNOWFLAKE, BIGQUERY] = [sqliteDialect, snowflakeDialect, bigqueryDialect];

test.each([
  [SQLITE, 'SELECT YEAR(ordered_at) FROM orders', ['dialect-function error: YEAR']],
  [SQLITE, "SELECT date_trunc('month', ordered_at) FROM orders", ['dialect-function error: date_trunc']],
  [
    SQLITE,
    'SELECT LEFT(name, 3), STDDEV(salary) FROM employees',
    ['dialect-function error: LEFT', 'dialect-function error: STDDEV'],
  ],
  [SNOWFLAKE, "SELECT STRFTIME('%Y', ordered_at) FROM orders", ['dialect-function error: STRFTIME']],
  [BIGQUERY, "SELECT TO_CHAR(ordered_at, 'YYYY') FROM orders", ['dialect-function error: TO_CHAR']],
  [SQLITE, 'SELECT TOP 5 name FROM products ORDER BY price', ['dialect-syntax error: TOP 5']],
  [
    SQLITE,
    'SELECT name FROM products ORDER BY price FETCH FIRST 5 ROWS ONLY',
    ['dialect-syntax error: FETCH FIRST 5 ROWS ONLY'],
  ],
  [
    SQLITE,
    'SELECT name FROM products QUALIFY ROW_NUMBER() OVER (ORDER BY price) = 1',
    ['dialect-syntax error: QUALIFY ROW_NUMBER() OVER (ORDER BY price) = 1'],
  ],
  [SQLITE, "SELECT name FROM products WHERE name ILIKE '%a%'", ["dialect-syntax error: name ILIKE '%a%'"]],
  [SQLITE, 'SELECT price::text FROM products', ['dialect-syntax error: ::']],
  [
    SQLITE,
    'SELECT name FROM products WHERE price > ALL (SELECT price FROM products)',
    ['dialect-syntax error: (SELECT price FROM products)'],
  ],
  [
    SQLITE,
    "SELECT name FROM customers WHERE signed_up > DATE '2024-05-01'",
    ["dialect-syntax error: DATE '2024-05-01'"],
  ],
  [SQLITE, 'SELECT EXTRACT(YEAR FROM signed_up) FROM customers', ['dialect-syntax error: EXTRACT']],
  [
    SQLITE,
    "SELECT name FROM customers WHERE signed_up > date('now') - INTERVAL '7 days'",
    ["dialect-syntax error: INTERVAL '7 days'"],
  ],
  [SQLITE, 'SELECT city, COUNT(*) FROM customers GROUP BY ROLLUP (city)', ['dialect-syntax error: ROLLUP (city)']],
  [SQLITE, 'SELECT name FROM customers WHERE city = "Rome"', ['dialect-syntax error: "Rome"']],
  [SQLITE, 'SELECT name FROM customers WHERE city IN (\'Oslo\', "Rome")', ['dialect-syntax error: "Rome"']],
  [BIGQUERY, 'SELECT name FROM customers WHERE "city" = \'Rome\'', ['dialect-syntax error: "city"']],
  [BIGQUERY, "SELECT name FROM customers WHERE city ILIKE 'r%'", ["dialect-syntax error: city ILIKE 'r%'"]],
])('$name: %s %s', async (dialect, sql, expected) => {
  expect((await run(CODES, sql, { dialect })).lines).toEqual(expected);
});

test.each([
  [SQLITE, "SELECT strftime('%Y', ordered_at), IFNULL(total, 0), CONCAT(status, 'x') FROM orders"],
  [SQLITE, 'SELECT t.year, "left" FROM (SELECT 1 AS year, 2 AS "left") t'],
  [SQLITE, 'SELECT `name`, [city], "country" FROM customers WHERE city = \'::\' LIMIT 5'],
  [SQLITE, 'SELECT name FROM customers WHERE "city" = "country"'],
  [SQLITE, 'SELECT a.city FROM addresses a FULL OUTER JOIN customers c ON c.customer_id = a.customer_id'],
  [
    SNOWFLAKE,
    "SELECT TOP 5 YEAR(ordered_at), total::VARCHAR FROM orders WHERE status ILIKE 'x%' AND ordered_at > DATE '2024-01-01'",
  ],
  [BIGQUERY, 'SELECT `name` FROM customers WHERE city = "Rome" QUALIFY RANK() OVER (ORDER BY name) = 1'],
])('$name: nothing is said of %s %s', async (dialect, sql) => {
  expect((await run(CODES, sql, { dialect })).lines).toEqual([]);
});

test.each([
  ['SELECT name FROM customers WHERE city = "Cox\'s Bazar"', "SELECT name FROM customers WHERE city = 'Cox''s Bazar'"],
  [
    "SELECT name FROM customers WHERE signed_up > DATE '2024-05-01'",
    "SELECT name FROM customers WHERE signed_up > '2024-05-01'",
  ],
])('the fix of %s', async (sql, expected) => {
  expect((await run(CODES, sql)).fixed).toBe(expected);
});

test('the advice is what to write in this dialect', async () => {
  const { findings } = await run(CODES, 'SELECT NOW()');
  expect(findings).toMatchObject([{ message: 'SQLite has no function NOW.', advice: "Write datetime('now')." }]);
});
