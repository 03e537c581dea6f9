import { bigqueryDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { describe, expect, test, vi } from 'vitest';
import { ruleRunner } from './rule-findings.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { run } = ruleRunner(sqliteDialect);

const linesOf = async (code: string, sql: string): Promise<readonly string[]> => (await run([code], sql)).lines;

describe('ungrouped-column', () => {
  test.each([
    ['no GROUP BY at all', 'SELECT city, COUNT(*) FROM customers', 'error: city'],
    ['an aggregate in ORDER BY only', 'SELECT city FROM customers ORDER BY COUNT(*) DESC LIMIT 1', 'error: city'],
    ['an aggregate in HAVING only', 'SELECT city FROM customers HAVING COUNT(*) > 2', 'error: city'],
    ['two extremes, of which no row is both', 'SELECT name, MIN(price), MAX(price) FROM products', 'error: name'],
    ['one extreme, whose row SQLite takes', 'SELECT name, MAX(price) FROM products', 'note: name'],
    [
      'another relation than the grouped one',
      'SELECT o.status, SUM(o.total) FROM orders o JOIN customers c ON c.customer_id = o.customer_id GROUP BY c.customer_id',
      'warning: o.status',
    ],
    [
      'a column beside a grouped one',
      'SELECT city, country, COUNT(*) FROM customers GROUP BY country',
      'warning: city',
    ],
    [
      'in an expression',
      "SELECT o.status || '!', SUM(o.total) FROM orders o JOIN customers c ON c.customer_id = o.customer_id GROUP BY c.customer_id",
      'warning: o.status',
    ],
    [
      'in HAVING',
      'SELECT c.city, COUNT(*) FROM orders o JOIN customers c ON c.customer_id = o.customer_id GROUP BY c.city HAVING o.total > 5',
      'warning: o.total',
    ],
  ])('%s', async (_, sql, line) => {
    expect(await linesOf('ungrouped-column', sql)).toEqual([`ungrouped-column ${line}`]);
  });

  test.each([
    ['a grouped column', 'SELECT city, COUNT(*) FROM customers GROUP BY city'],
    ['its position', 'SELECT city, COUNT(*) FROM customers GROUP BY 1'],
    ['its alias', 'SELECT city AS place, COUNT(*) FROM customers GROUP BY place'],
    ['the same column written otherwise', 'SELECT c.city, COUNT(*) FROM customers c GROUP BY city'],
    [
      'what a grouped key determines',
      'SELECT c.name, c.city, COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.customer_id GROUP BY c.customer_id',
    ],
    [
      'what a grouped reference determines',
      'SELECT c.name, COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.customer_id GROUP BY o.customer_id',
    ],
    [
      'what a composite key determines',
      'SELECT i.quantity, COUNT(*) FROM order_items i JOIN returns r ON r.order_id = i.order_id AND r.line_number = i.line_number GROUP BY i.order_id, i.line_number',
    ],
    [
      'what a unique attribute determines',
      'SELECT c.name, COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.customer_id GROUP BY c.email',
    ],
    ['a column fixed by a literal', "SELECT city, COUNT(*) FROM customers WHERE city = 'Rome'"],
    [
      'a column of a one-row sub-query',
      'SELECT x.top, COUNT(*) FROM customers, (SELECT MAX(total) AS top FROM orders) x',
    ],
    ['an aggregated column', 'SELECT MAX(city), COUNT(*) FROM customers'],
    [
      'a grouped expression',
      "SELECT strftime('%Y', ordered_at), COUNT(*) FROM orders GROUP BY strftime( '%Y',ordered_at )",
    ],
    ['a window over groups', 'SELECT city, RANK() OVER (ORDER BY COUNT(*) DESC) FROM customers GROUP BY city'],
    ['no aggregate at all', 'SELECT city FROM customers ORDER BY name'],
    [
      'a correlated column',
      'SELECT c.name, (SELECT COUNT(*) + c.credit FROM orders o WHERE o.customer_id = c.customer_id) FROM customers c',
    ],
  ])('not for %s', async (_, sql) => {
    expect(await linesOf('ungrouped-column', sql)).toEqual([]);
  });

  test('is an error where the engine refuses it, even if a key determines it', async () => {
    const sql =
      'SELECT c.name, COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.customer_id GROUP BY c.customer_id';
    for (const dialect of [snowflakeDialect, bigqueryDialect]) {
      const { lines, fixed } = await run(['ungrouped-column'], sql, { dialect });
      expect(lines).toEqual(['ungrouped-column error: c.name']);
      expect(fixed).toBe(`${sql}, c.name`);
    }
  });

  test('takes the name of an item for its column', async () => {
    const sql =
      'SELECT c.city, COUNT(*) FROM customers c JOIN addresses a ON a.customer_id = c.customer_id GROUP BY city';
    expect((await run(['ungrouped-column'], sql, { dialect: bigqueryDialect })).lines).toEqual([]);
  });
});

describe('missing-group-by', () => {
  const asked = async (question: string, sql: string): Promise<readonly string[]> =>
    (await run(['missing-group-by'], sql, { question })).lines;

  test.each([
    ['How many orders are there for each customer?', 'SELECT COUNT(*) FROM orders'],
    ['What is the average price per category?', 'SELECT category, AVG(price) FROM products'],
    ['Total stock in each category?', 'SELECT SUM(stock) FROM products'],
    ['Count the orders of every customer.', 'SELECT COUNT(*) FROM orders'],
    ['Average order value per month', 'SELECT SUM(total) / COUNT(*) FROM orders'],
    ['Total orders in each month', 'SELECT COUNT(*) / COUNT(DISTINCT customer_id) FROM orders'],
  ])('%s', async (question, sql) => {
    expect(await asked(question, sql)).toHaveLength(1);
  });

  test.each([
    ['How many orders are there for each customer?', 'SELECT customer_id, COUNT(*) FROM orders GROUP BY customer_id'],
    [
      'How many orders are there for each customer?',
      'SELECT name, (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.customer_id) FROM customers c',
    ],
    [
      'Rank the products within each category.',
      'SELECT name, RANK() OVER (PARTITION BY category ORDER BY price) FROM products',
    ],
    ['What is the highest income per capita?', 'SELECT MAX(credit) FROM customers'],
    ['How many orders are there?', 'SELECT COUNT(*) FROM orders'],
    [
      'What is the average number of orders per month?',
      "SELECT COUNT(*) * 1.0 / NULLIF(COUNT(DISTINCT strftime('%Y-%m', placed_at)), 0) FROM orders",
    ],
    ['Average number of orders for each customer', 'SELECT 1.0 * COUNT(*) / COUNT(DISTINCT customer_id) FROM orders'],
    ['What is the revenue per order?', 'SELECT SUM(total) / COUNT(*) FROM orders'],
    ['What is the average stock per product?', 'SELECT AVG(stock) FROM products'],
    ['Name each customer.', 'SELECT name FROM customers'],
  ])('not for: %s %s', async (question, sql) => {
    expect(await asked(question, sql)).toEqual([]);
  });
});

describe('needless-group-by', () => {
  test.each([
    ['nothing is aggregated', 'SELECT city FROM customers GROUP BY city', 'note: GROUP BY city'],
    [
      'groups of one row',
      'SELECT customer_id, COUNT(*) FROM customers GROUP BY customer_id',
      'warning: GROUP BY customer_id',
    ],
    [
      'groups of one row of a join',
      'SELECT o.order_id, SUM(c.credit) FROM orders o JOIN customers c ON c.customer_id = o.customer_id GROUP BY o.order_id',
      'warning: GROUP BY o.order_id',
    ],
  ])('%s', async (_, sql, line) => {
    expect(await linesOf('needless-group-by', sql)).toEqual([`needless-group-by ${line}`]);
  });

  test.each([
    ['counts', 'SELECT city, COUNT(*) FROM customers GROUP BY city'],
    ['HAVING', 'SELECT city FROM customers GROUP BY city HAVING COUNT(*) > 2'],
    ['an aggregate in ORDER BY', 'SELECT city FROM customers GROUP BY city ORDER BY COUNT(*)'],
    ['half of a composite key', 'SELECT order_id, SUM(quantity) FROM order_items GROUP BY order_id'],
    [
      'the one side of a join',
      'SELECT c.customer_id, COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.customer_id GROUP BY c.customer_id',
    ],
  ])('not for %s', async (_, sql) => {
    expect(await linesOf('needless-group-by', sql)).toEqual([]);
  });

  test('becomes DISTINCT where exactly the groups are shown', async () => {
    const fixed = async (sql: string): Promise<string> => (await run(['needless-group-by'], sql)).fixed.trim();
    expect(await fixed('SELECT city, country FROM customers GROUP BY country, city')).toBe(
      'SELECT DISTINCT city, country FROM customers',
    );
    expect(await fixed('SELECT city FROM customers GROUP BY country, city')).not.toContain('DISTINCT');
    expect(await fixed('SELECT city FROM customers GROUP BY city ORDER BY name')).not.toContain('DISTINCT');
  });
});

describe('aggregate-in-where', () => {
  test.each([
    ['WHERE', 'SELECT city FROM customers WHERE COUNT(*) > 2', 'COUNT(*)'],
    [
      'ON',
      'SELECT 1 FROM customers c JOIN orders o ON o.customer_id = c.customer_id AND SUM(o.total) > 2',
      'SUM(o.total)',
    ],
  ])('%s', async (_, sql, slice) => {
    expect(await linesOf('aggregate-in-where', sql)).toEqual([`aggregate-in-where error: ${slice}`]);
  });

  test.each([
    ['a sub-query', 'SELECT name FROM products WHERE price > (SELECT AVG(price) FROM products)'],
    ['the larger of two', 'SELECT name FROM products WHERE MAX(price, stock) > 5'],
    ['HAVING', 'SELECT city FROM customers GROUP BY city HAVING COUNT(*) > 2'],
  ])('not for %s', async (_, sql) => {
    expect(await linesOf('aggregate-in-where', sql)).toEqual([]);
  });
});

describe('having-without-group', () => {
  test.each([
    [
      'neither groups nor aggregates',
      "SELECT name FROM customers HAVING city = 'Rome'",
      "warning: HAVING city = 'Rome'",
    ],
    [
      'a condition on rows',
      "SELECT city, COUNT(*) FROM customers GROUP BY city HAVING city <> 'Rome'",
      "note: city <> 'Rome'",
    ],
  ])('%s', async (_, sql, line) => {
    expect(await linesOf('having-without-group', sql)).toEqual([`having-without-group ${line}`]);
  });

  test.each([
    ['an aggregate', 'SELECT city FROM customers GROUP BY city HAVING COUNT(*) > 2'],
    ['one group of everything', 'SELECT SUM(total) FROM orders HAVING SUM(total) > 5'],
    ['the alias of an aggregate', 'SELECT city, COUNT(*) AS n FROM customers GROUP BY city HAVING n > 2'],
    ['a sub-query', 'SELECT city, COUNT(*) FROM customers GROUP BY city HAVING city IN (SELECT city FROM addresses)'],
  ])('not for %s', async (_, sql) => {
    expect(await linesOf('having-without-group', sql)).toEqual([]);
  });
});
