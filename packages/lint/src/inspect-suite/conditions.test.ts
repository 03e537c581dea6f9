import { bigqueryDialect, mysqlDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { describe, expect, test, vi } from 'vitest';
import { ruleRunner } from './rule-findings.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { run } = ruleRunner(sqliteDialect);

const CODES = [
  'equals-null',
  'contradiction',
  'type-mismatch',
  'date-format',
  'not-in-null',
  'like-without-wildcard',
  'integer-division',
];
const linesOf = async (where: string): Promise<readonly string[]> => (await run(CODES, where)).lines;

describe('what is reported', () => {
  test.each([
    ['= NULL', 'SELECT name FROM customers WHERE city = NULL', ['equals-null error: city = NULL']],
    [
      '<> NULL under OR',
      "SELECT 1 FROM customers WHERE city <> NULL OR city = 'Rome'",
      ['equals-null error: city <> NULL'],
    ],
    ['NULL first', 'SELECT 1 FROM customers WHERE NULL = city', ['equals-null error: NULL = city']],
    [
      'two values at once',
      "SELECT name FROM customers WHERE city = 'Rome' AND city = 'Oslo'",
      ["contradiction error: city = 'Oslo'"],
    ],
    ['an empty range', 'SELECT name FROM products WHERE stock > 5 AND stock < 3', ['contradiction error: stock < 3']],
    [
      'ends in the wrong order',
      'SELECT name FROM products WHERE price BETWEEN 9 AND 1',
      ['contradiction error: price BETWEEN 9 AND 1'],
    ],
    [
      'dates, too, and in a join',
      "SELECT 1 FROM orders o JOIN customers c ON c.customer_id = o.customer_id AND c.signed_up > '2024-05-01' AND c.signed_up < '2024-01-01'",
      ["contradiction error: c.signed_up < '2024-01-01'"],
    ],
    [
      'a value that is missing and there',
      "SELECT 1 FROM customers WHERE city IS NULL AND city = 'Rome'",
      ["contradiction error: city = 'Rome'"],
    ],
    [
      'counts of a group',
      'SELECT city FROM customers GROUP BY city HAVING COUNT(*) > 9 AND count( * ) <= 9',
      ['contradiction error: count( * ) <= 9'],
    ],
    [
      'lists without a common value',
      'SELECT 1 FROM products WHERE stock IN (1, 2) AND stock IN (3)',
      ['contradiction error: stock IN (3)'],
    ],
    ['text against an integer', "SELECT name FROM products WHERE stock = 'many'", ["type-mismatch error: 'many'"]],
    ['text against a decimal', "SELECT name FROM products WHERE price > 'cheap'", ["type-mismatch warning: 'cheap'"]],
    [
      'text that is ordered next to a number',
      'SELECT 1 FROM addresses WHERE postal_code > 9000',
      ['type-mismatch warning: 9000'],
    ],
    ['the same, number first', 'SELECT 1 FROM addresses WHERE 9000 < postal_code', ['type-mismatch warning: 9000']],
    ['a number next to a date', 'SELECT 1 FROM customers WHERE signed_up > 2020', ['type-mismatch warning: 2020']],
    ['a word for a truth value', "SELECT 1 FROM customers WHERE is_active = 'yes'", ["type-mismatch warning: 'yes'"]],
    ['a pattern over numbers', "SELECT 1 FROM products WHERE stock LIKE '1%'", ["type-mismatch note: stock LIKE '1%'"]],
    ['a sum of dates', 'SELECT SUM(signed_up) FROM customers', ['type-mismatch warning: SUM(signed_up)']],
    ['an average of text', 'SELECT AVG(postal_code) FROM addresses', ['type-mismatch note: AVG(postal_code)']],
    [
      'through a derived table',
      "SELECT 1 FROM (SELECT stock AS n FROM products) t WHERE t.n = 'many'",
      ["type-mismatch error: 'many'"],
    ],
    [
      'keys of different things',
      'SELECT 1 FROM orders WHERE order_id IN (SELECT product_id FROM order_items)',
      ['type-mismatch warning: order_id IN (SELECT product_id FROM order_items)'],
    ],
    [
      'columns of different things',
      'SELECT city FROM customers INTERSECT SELECT street FROM addresses',
      ['type-mismatch warning: street'],
    ],
    [
      'a name in a list of keys',
      'SELECT 1 FROM employees WHERE name IN (SELECT employee_id FROM orders WHERE employee_id > 0)',
      ['type-mismatch warning: name IN (SELECT employee_id FROM orders WHERE employee_id > 0)'],
    ],
    [
      'a key in a list of amounts',
      'SELECT 1 FROM products WHERE product_id IN (SELECT quantity FROM order_items)',
      ['type-mismatch warning: product_id IN (SELECT quantity FROM order_items)'],
    ],
    [
      'names without keys',
      'SELECT name FROM products EXCEPT SELECT product_id FROM order_items',
      ['type-mismatch warning: product_id'],
    ],
    [
      'a date the American way',
      "SELECT 1 FROM customers WHERE signed_up > '12/31/2024'",
      ["date-format warning: '12/31/2024'"],
    ],
    [
      'a month in letters',
      "SELECT 1 FROM customers WHERE signed_up BETWEEN 'Jan 2024' AND '2024-03-01'",
      ["date-format warning: 'Jan 2024'"],
    ],
    ['a year for a day', "SELECT 1 FROM customers WHERE signed_up = '2024'", ["date-format warning: '2024'"]],
    ['no date at all', "SELECT 1 FROM customers WHERE signed_up >= 'yesterday'", ["date-format warning: 'yesterday'"]],
    ['no such day', "SELECT 1 FROM customers WHERE signed_up = '2023-02-30'", ["date-format warning: '2023-02-30'"]],
    [
      'a day where there is a time',
      "SELECT 1 FROM orders WHERE ordered_at = '2024-05-01'",
      ["date-format note: '2024-05-01'"],
    ],
    [
      'NOT IN a column that may be NULL',
      'SELECT name FROM employees WHERE employee_id NOT IN (SELECT employee_id FROM orders)',
      ['not-in-null warning: (SELECT employee_id FROM orders)'],
    ],
    [
      'NOT IN with NULL',
      'SELECT 1 FROM products WHERE stock NOT IN (1, NULL, 2)',
      ['not-in-null error: stock NOT IN (1, NULL, 2)'],
    ],
    [
      'a pattern without wildcard',
      "SELECT 1 FROM customers WHERE name LIKE 'Ada'",
      ["like-without-wildcard note: name LIKE 'Ada'"],
    ],
    [
      'a share of counts',
      'SELECT COUNT(CASE WHEN city IS NULL THEN 1 END) * 100 / COUNT(*) FROM customers',
      ['integer-division warning: COUNT(CASE WHEN city IS NULL THEN 1 END) * 100 / COUNT(*)'],
    ],
    [
      'a sum of ones',
      "SELECT SUM(CASE WHEN city = 'Rome' THEN 1 ELSE 0 END) / COUNT(*) FROM customers",
      ["integer-division warning: SUM(CASE WHEN city = 'Rome' THEN 1 ELSE 0 END) / COUNT(*)"],
    ],
    [
      'sub-queries',
      'SELECT (SELECT COUNT(*) FROM orders) / (SELECT COUNT(*) FROM customers)',
      ['integer-division warning: (SELECT COUNT(*) FROM orders) / (SELECT COUNT(*) FROM customers)'],
    ],
    [
      'columns of a CTE, after the fact',
      'WITH c AS (SELECT COUNT(*) AS n, SUM(stock) AS s FROM products) SELECT 1.0 * (s / n) FROM c',
      ['integer-division warning: s / n'],
    ],
    [
      'a cast that comes too late',
      'SELECT CAST(stock / product_id AS REAL) FROM products',
      ['integer-division warning: stock / product_id'],
    ],
    ['a column by a written number', 'SELECT stock / 10 FROM products', ['integer-division note: stock / 10']],
  ])('%s', async (_, sql, expected) => {
    expect(await linesOf(sql)).toEqual(expected);
  });
});

test.each([
  ['IS NULL', 'SELECT name FROM customers WHERE city IS NULL'],
  ['two values with OR', "SELECT name FROM customers WHERE city = 'Rome' OR city = 'Oslo'"],
  ['values that differ by case only', "SELECT name FROM customers WHERE city = 'Rome' AND city = 'ROME'"],
  ['a range', 'SELECT name FROM products WHERE stock > 5 AND stock <= 6 AND stock <> 5.5'],
  ['NOT BETWEEN', 'SELECT name FROM products WHERE price NOT BETWEEN 9 AND 1'],
  [
    'one column of two relations of the same name',
    "SELECT 1 FROM customers a JOIN customers b ON a.country = b.country WHERE a.city = 'Rome' AND b.city = 'Oslo'",
  ],
  [
    'each value in a query of its own',
    "SELECT name FROM customers WHERE city = 'Rome' INTERSECT SELECT name FROM customers WHERE city = 'Oslo'",
  ],
  [
    'conditions that are denied',
    "SELECT 1 FROM customers WHERE NOT (city = 'Rome' AND country = 'Italy') AND city = 'Oslo'",
  ],
  ['a number in quotes', "SELECT name FROM products WHERE stock = '5'"],
  ['text that is a number', 'SELECT 1 FROM addresses WHERE postal_code = 9000'],
  ['a key in a list of keys', 'SELECT 1 FROM products WHERE product_id IN (SELECT product_id FROM order_items)'],
  ['another name for the same', 'SELECT 1 FROM employees WHERE employee_id IN (SELECT manager_id FROM employees)'],
  ['one list of different things', 'SELECT city FROM customers UNION SELECT street FROM addresses'],
  ['columns that mean the same', 'SELECT city FROM customers INTERSECT SELECT city FROM addresses'],
  ['an empty cell', "SELECT 1 FROM products WHERE price <> ''"],
  ['0 and 1 for a truth value', "SELECT 1 FROM customers WHERE is_active = 1 AND is_active <> '0'"],
  ['dates of ISO 8601', "SELECT 1 FROM orders WHERE ordered_at >= '2024-05-01' AND ordered_at < '2024-06-01 12:30:00'"],
  ['a year as lower end', "SELECT 1 FROM customers WHERE signed_up >= '2024' AND signed_up < '2025-03'"],
  ['the 31st of any month as upper end', "SELECT 1 FROM customers WHERE signed_up <= '2024-02-31'"],
  ['a pattern for a date', "SELECT 1 FROM customers WHERE signed_up LIKE '2024%'"],
  ['a day of a DATE', "SELECT 1 FROM customers WHERE signed_up = '2024-05-01'"],
  ['NOT IN a column without NULL', 'SELECT 1 FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)'],
  ['NOT IN a key', 'SELECT 1 FROM orders WHERE employee_id NOT IN (SELECT employee_id FROM employees)'],
  [
    'NOT IN where NULL is kept out',
    'SELECT 1 FROM employees WHERE employee_id NOT IN (SELECT employee_id FROM orders WHERE total > 5 AND employee_id IS NOT NULL)',
  ],
  [
    'NOT IN where a join keeps NULL out',
    'SELECT 1 FROM employees WHERE employee_id NOT IN (SELECT o.employee_id FROM orders o JOIN employees e ON e.employee_id = o.employee_id)',
  ],
  ['IN', 'SELECT 1 FROM employees WHERE employee_id IN (SELECT employee_id FROM orders)'],
  ['wildcards', "SELECT 1 FROM customers WHERE name LIKE '%Ada%' OR name LIKE 'A_a'"],
  ['an escaped pattern', "SELECT 1 FROM customers WHERE name LIKE '100!%' ESCAPE '!' OR name LIKE 'x' ESCAPE '!'"],
  ['a parameter as pattern', 'SELECT 1 FROM customers WHERE name LIKE ?'],
  ['a fraction first', 'SELECT 100.0 * COUNT(city) / COUNT(*) FROM customers'],
  ['a cast first', 'SELECT CAST(COUNT(city) AS REAL) / COUNT(*) FROM customers'],
  ['a real column', 'SELECT SUM(total) / COUNT(*), price / stock FROM orders, products'],
  ['an average', 'SELECT AVG(stock) / COUNT(*) FROM products'],
  ['a decade', 'SELECT stock / 10 * 10, (stock / 10) * 10 FROM products'],
  ['cut on purpose', 'SELECT CAST(stock / product_id AS INTEGER) FROM products'],
  ['a slash in a string', "SELECT 'a/b' FROM products WHERE name = '1 / 2'"],
])('nothing is said of %s', async (_, sql) => {
  expect(await linesOf(sql)).toEqual([]);
});

test.each([
  ['SELECT name FROM customers WHERE city <> NULL', 'SELECT name FROM customers WHERE city IS NOT NULL'],
  ['SELECT 1 FROM products WHERE stock NOT IN (1, NULL, 2)', 'SELECT 1 FROM products WHERE stock NOT IN (1, 2)'],
  [
    'SELECT 1 FROM employees WHERE employee_id NOT IN (SELECT employee_id FROM orders)',
    'SELECT 1 FROM employees WHERE employee_id NOT IN (SELECT employee_id FROM orders WHERE employee_id IS NOT NULL)',
  ],
  [
    'SELECT 1 FROM employees WHERE employee_id NOT IN (SELECT o.employee_id FROM orders o WHERE total > 5 ORDER BY 1)',
    'SELECT 1 FROM employees WHERE employee_id NOT IN (SELECT o.employee_id FROM orders o WHERE total > 5 AND o.employee_id IS NOT NULL ORDER BY 1)',
  ],
  ['SELECT 1 FROM products WHERE price BETWEEN 9 AND 1', 'SELECT 1 FROM products WHERE price BETWEEN 1 AND 9'],
  [
    'SELECT 2 - COUNT(city) * 100 / COUNT(*) FROM customers',
    'SELECT 2 - 1.0 * COUNT(city) * 100 / COUNT(*) FROM customers',
  ],
  [
    'SELECT 1 FROM addresses WHERE postal_code > 9000',
    'SELECT 1 FROM addresses WHERE CAST(postal_code AS REAL) > 9000',
  ],
])('the fix of %s', async (sql, expected) => {
  expect((await run(CODES, sql)).fixed).toBe(expected);
});

describe('engines differ', () => {
  const types = (dialect: typeof sqliteDialect, sql: string) =>
    run(['type-mismatch', 'date-format', 'integer-division'], sql, { dialect });

  test('BigQuery converts no literal but dates', async () => {
    const { lines, fixed } = await types(
      bigqueryDialect,
      "SELECT name FROM products WHERE stock = '5' AND category = 7",
    );
    expect(lines).toEqual(["type-mismatch error: '5'", 'type-mismatch error: 7']);
    expect(fixed).toBe("SELECT name FROM products WHERE stock = 5 AND category = '7'");
    const dates = await types(
      bigqueryDialect,
      "SELECT 1 FROM customers WHERE signed_up > '12/31/2024' AND signed_up < '2025-01-01'",
    );
    expect(dates.lines).toEqual(["date-format error: '12/31/2024'"]);
  });

  test('MySQL reads text as numbers, and what is none as 0, without an error', async () => {
    const { findings, lines, fixed } = await types(
      mysqlDialect,
      "SELECT 1 FROM addresses WHERE postal_code > 9000 AND postal_code = 8000 AND address_id = 'none'",
    );
    expect(lines).toEqual(['type-mismatch warning: 9000', 'type-mismatch note: 8000', "type-mismatch error: 'none'"]);
    expect(findings.map(({ message }) => message)).toEqual([
      expect.stringContaining('compared as numbers; a text that is no number counts as 0, without an error'),
      expect.stringContaining('compared as numbers'),
      expect.stringContaining('it counts as 0, without an error'),
    ]);
    expect(findings[0]?.advice).toContain('AS DOUBLE)');
    expect(fixed).toContain("postal_code > 9000 AND postal_code = '8000'");
  });

  test('a dialect that does not say what it does is not said to compare letters, and is advised its own cast', async () => {
    const own = { ...mysqlDialect, comparisons: undefined };
    const { findings } = await types(own, 'SELECT 1 FROM addresses WHERE postal_code > 9000');
    expect(findings[0]?.message).toContain('may be compared letter by letter');
    expect(findings[0]?.advice).toContain('AS DOUBLE)');
  });

  test('Snowflake reads cells as numbers, and dates in several formats', async () => {
    const { lines } = await types(
      snowflakeDialect,
      "SELECT name FROM products WHERE stock = 'many' AND category = 7 AND stock / 3 > product_id / stock",
    );
    expect(lines).toEqual(["type-mismatch error: 'many'", 'type-mismatch note: 7']);
    const dates = await types(snowflakeDialect, "SELECT 1 FROM customers WHERE signed_up > '12/31/2024'");
    expect(dates.lines).toEqual(["date-format note: '12/31/2024'"]);
  });
});
