import { sqliteDialect } from '@askema/dialects';
import { describe, expect, test, vi } from 'vitest';
import { ruleRunner } from './rule-findings.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { run } = ruleRunner(sqliteDialect);

const linesOf = async (sql: string, question?: string): Promise<readonly string[]> =>
  (await run(['type-mismatch'], sql, question === undefined ? {} : { question })).lines;

describe('extremes of another column', () => {
  test.each([
    [
      'SELECT name FROM products WHERE stock > (SELECT AVG(price) FROM products)',
      'stock > (SELECT AVG(price) FROM products)',
    ],
    [
      'SELECT name FROM employees WHERE salary = (SELECT MAX(total) FROM orders)',
      'salary = (SELECT MAX(total) FROM orders)',
    ],
    [
      'SELECT o.order_id FROM orders o WHERE o.total > (SELECT avg(p.stock) FROM products p)',
      'o.total > (SELECT avg(p.stock) FROM products p)',
    ],
  ])('%s', async (sql, slice) => {
    expect(await linesOf(sql)).toEqual([`type-mismatch warning: ${slice}`]);
  });

  test.each([
    'SELECT name FROM products WHERE price = (SELECT MAX(price) FROM products)',
    // One word of both names is the same: they may measure the same.
    'SELECT 1 FROM products p WHERE p.price > (SELECT AVG(unit_price) FROM order_items)',
    'SELECT 1 FROM orders WHERE customer_id = (SELECT MAX(customer_id) FROM customers)',
    'SELECT 1 FROM employees WHERE manager_id = (SELECT MIN(employee_id) FROM employees)',
    // No column alone.
    'SELECT 1 FROM products WHERE stock > (SELECT AVG(price) * 2 FROM products)',
    'SELECT 1 FROM products WHERE stock > (SELECT COUNT(price) FROM products)',
  ])('not: %s', async (sql) => {
    expect(await linesOf(sql)).toEqual([]);
  });
});

describe('comparisons inside of expressions', () => {
  test('a number with a word', async () => {
    const sql = "SELECT SUM(CASE WHEN o.customer_id = 'Marvel' THEN 1 ELSE 0 END) FROM orders o";
    expect(await linesOf(sql)).toEqual(["type-mismatch warning: o.customer_id = 'Marvel'"]);
  });

  test.each([
    "SELECT SUM(CASE WHEN status = 'open' THEN 1 ELSE 0 END) FROM orders",
    "SELECT SUM(CASE WHEN customer_id = '7' THEN 1 ELSE 0 END) FROM orders",
    "SELECT customer_id, 'x = ''y''' FROM orders",
  ])('not: %s', async (sql) => {
    expect(await linesOf(sql)).toEqual([]);
  });
});

describe('keys as measures', () => {
  test('their sum and their average', async () => {
    expect(await linesOf('SELECT AVG(customer_id) FROM orders')).toEqual(['type-mismatch warning: AVG(customer_id)']);
    expect(await linesOf('SELECT SUM(p.product_id) FROM products p')).toEqual([
      'type-mismatch warning: SUM(p.product_id)',
    ]);
  });

  test('a range of them, unless keys are asked for or nothing is known of the question', async () => {
    const sql = 'SELECT name FROM customers WHERE customer_id > 15';
    expect(await linesOf(sql, 'Which customers are older than 15?')).toEqual([
      'type-mismatch warning: customer_id > 15',
    ]);
    expect(await linesOf(sql, 'Which customers have an id above 15?')).toEqual([]);
    expect(await linesOf(sql)).toEqual([]);
  });

  test.each([
    'SELECT AVG(stock) FROM products',
    'SELECT COUNT(customer_id), MAX(customer_id) FROM orders',
    'SELECT SUM(line_number) FROM order_items',
  ])('not: %s', async (sql) => {
    expect(await linesOf(sql, 'How many?')).toEqual([]);
  });
});

describe('letters of numbers', () => {
  test('are none', async () => {
    const sql = "SELECT name FROM products p WHERE LOWER(p.stock) LIKE '%pen%'";
    expect(await linesOf(sql)).toContain('type-mismatch warning: LOWER(p.stock)');
  });

  test('not those of texts, and not of what is made a text first', async () => {
    expect(await linesOf("SELECT UPPER(name) FROM products WHERE lower(category) = 'pens'")).toEqual([]);
    expect(await linesOf('SELECT LOWER(CAST(stock AS TEXT)) FROM products')).toEqual([]);
  });
});
