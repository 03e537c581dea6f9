import { sqliteDialect } from '@askema/dialects';
import { describe, expect, test, vi } from 'vitest';
import { ruleRunner } from './rule-findings.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { run } = ruleRunner(sqliteDialect);

const linesOf = async (code: string, sql: string): Promise<readonly string[]> => (await run([code], sql)).lines;

describe('redundant-join', () => {
  test.each([
    [
      'towards the unique side',
      'SELECT o.total FROM orders o JOIN customers c ON c.customer_id = o.customer_id',
      'warning: JOIN customers c ON c.customer_id = o.customer_id',
    ],
    [
      'the first relation',
      'SELECT o.total FROM customers c JOIN orders o ON c.customer_id = o.customer_id',
      'warning: customers',
    ],
    [
      'a key that may be NULL',
      'SELECT o.total FROM orders o JOIN employees e ON e.employee_id = o.employee_id',
      'note: JOIN employees e ON e.employee_id = o.employee_id',
    ],
    [
      'a left join',
      'SELECT o.total FROM orders o LEFT JOIN employees e ON e.employee_id = o.employee_id',
      'warning: LEFT JOIN employees e ON e.employee_id = o.employee_id',
    ],
    [
      'in an aggregate',
      'SELECT COUNT(*) FROM orders o JOIN customers c USING (customer_id)',
      'warning: JOIN customers c USING (customer_id)',
    ],
    [
      'towards the many side',
      'SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
      'note: JOIN orders o ON o.customer_id = c.customer_id',
    ],
    [
      'one row joined twice',
      'SELECT a.name, b.name FROM orders o JOIN customers a ON a.customer_id = o.customer_id JOIN customers b ON b.customer_id = o.customer_id',
      'warning: JOIN customers b ON b.customer_id = o.customer_id',
    ],
  ])('%s', async (_, sql, line) => {
    expect(await linesOf('redundant-join', sql)).toEqual([`redundant-join ${line}`]);
  });

  test('a chain at whose end nothing is read goes whole', async () => {
    const sql =
      'SELECT r.reason FROM returns r JOIN order_items i ON i.order_id = r.order_id AND i.line_number = r.line_number JOIN orders o ON o.order_id = i.order_id JOIN customers c ON c.customer_id = o.customer_id';
    const { lines } = await run(['redundant-join'], sql);
    expect(lines).toHaveLength(3);
  });

  test.each([
    [
      'a column that is shown',
      'SELECT o.total, c.name FROM orders o JOIN customers c ON c.customer_id = o.customer_id',
    ],
    ['a star', 'SELECT * FROM orders o JOIN customers c ON c.customer_id = o.customer_id'],
    [
      'a condition',
      "SELECT o.total FROM orders o JOIN customers c ON c.customer_id = o.customer_id WHERE c.city = 'Rome'",
    ],
    [
      'a condition in ON',
      "SELECT o.total FROM orders o JOIN customers c ON c.customer_id = o.customer_id AND c.city = 'Rome'",
    ],
    ['an order', 'SELECT o.total FROM orders o JOIN customers c ON c.customer_id = o.customer_id ORDER BY c.name'],
    [
      'a sub-query that reads it',
      'SELECT o.total FROM orders o JOIN customers c ON c.customer_id = o.customer_id WHERE EXISTS (SELECT 1 FROM addresses a WHERE a.city = c.city)',
    ],
    [
      'a bridge',
      'SELECT p.name, t.label FROM products p JOIN product_tags x ON x.product_id = p.product_id JOIN tags t ON t.tag_id = x.tag_id',
    ],
    [
      'counted rows of the many side',
      'SELECT c.name, COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.customer_id GROUP BY c.customer_id',
    ],
    [
      'existence under DISTINCT',
      'SELECT DISTINCT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
    ],
    [
      'existence under EXCEPT',
      'SELECT name FROM customers EXCEPT SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
    ],
    [
      'a self join that counts',
      'SELECT e.name FROM employees e JOIN employees m ON e.manager_id = m.employee_id WHERE m.salary < e.salary',
    ],
    [
      'two rows of one relation',
      'SELECT o.total FROM orders o JOIN addresses a ON a.address_id = o.shipping_address_id JOIN addresses b ON b.customer_id = o.customer_id WHERE a.city <> b.city',
    ],
  ])('not for %s', async (_, sql) => {
    expect(await linesOf('redundant-join', sql)).toEqual([]);
  });

  test('leaves the join out', async () => {
    const sql = 'SELECT o.total FROM orders o JOIN customers c ON c.customer_id = o.customer_id WHERE o.total > 5';
    const { fixed } = await run(['redundant-join'], sql);
    expect(fixed.replace(/\s+/g, ' ')).toBe('SELECT o.total FROM orders o WHERE o.total > 5');
  });
});

describe('repeated-rows', () => {
  test('the one side is listed once for each row of the many side', async () => {
    const { lines, findings } = await run(
      ['repeated-rows'],
      'SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id WHERE o.total > 100',
    );
    expect(lines).toEqual(['repeated-rows note: SELECT c.name']);
    expect(findings[0]?.message).toContain('orders (o)');
  });

  test.each([
    [
      'DISTINCT',
      'SELECT DISTINCT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id WHERE o.total > 100',
    ],
    [
      'only rows without a counterpart',
      'SELECT c.name FROM customers c LEFT JOIN orders o ON o.customer_id = c.customer_id WHERE o.order_id IS NULL',
    ],
    [
      'the many side shown',
      'SELECT c.name, o.order_id FROM customers c JOIN orders o ON o.customer_id = c.customer_id WHERE o.total > 100',
    ],
    [
      'groups',
      'SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id WHERE o.total > 100 GROUP BY c.customer_id',
    ],
    [
      'the one side in the condition',
      "SELECT o.total FROM orders o JOIN customers c ON c.customer_id = o.customer_id WHERE c.city > 'M'",
    ],
    [
      'one row of the many side',
      'SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id WHERE o.order_id = 7',
    ],
    [
      'an aggregated sub-query',
      'SELECT c.name FROM customers c JOIN (SELECT customer_id, SUM(total) AS t FROM orders GROUP BY customer_id) s ON s.customer_id = c.customer_id WHERE s.t > 100',
    ],
    [
      'a sub-query of IN',
      'SELECT name FROM employees WHERE name IN (SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id WHERE o.total > 100)',
    ],
    [
      'a merged operand',
      'SELECT name FROM employees UNION SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id WHERE o.total > 100',
    ],
    [
      'the first row',
      'SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id ORDER BY o.total DESC LIMIT 1',
    ],
  ])('not for %s', async (_, sql) => {
    expect(await linesOf('repeated-rows', sql)).toEqual([]);
  });
});

describe('aggregate-over-fan-out', () => {
  test.each([
    [
      'a sum of the one side',
      'SELECT SUM(o.total) FROM orders o JOIN order_items i ON i.order_id = o.order_id',
      'warning: SUM(o.total)',
    ],
    [
      'an average of the one side',
      'SELECT AVG(o.total) FROM orders o JOIN order_items i ON i.order_id = o.order_id',
      'note: AVG(o.total)',
    ],
    [
      'a sum of the one side of events, which may be meant for each event',
      'SELECT SUM(c.credit) FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
      'note: SUM(c.credit)',
    ],
    [
      'in groups',
      'SELECT o.status, SUM(o.total) FROM orders o JOIN order_items i ON i.order_id = o.order_id GROUP BY o.status',
      'warning: SUM(o.total)',
    ],
    [
      'two many sides: a count',
      'SELECT c.name, COUNT(o.order_id) FROM customers c JOIN orders o ON o.customer_id = c.customer_id JOIN addresses a ON a.customer_id = c.customer_id GROUP BY c.customer_id',
      'warning: COUNT(o.order_id)',
    ],
    [
      'a derived table of one row each',
      'SELECT SUM(s.t) FROM (SELECT order_id, SUM(quantity) AS t FROM order_items GROUP BY order_id) s JOIN orders o ON o.order_id = s.order_id JOIN order_items i ON i.order_id = o.order_id',
      'warning: SUM(s.t)',
    ],
  ])('%s', async (_, sql, line) => {
    expect(await linesOf('aggregate-over-fan-out', sql)).toEqual([`aggregate-over-fan-out ${line}`]);
  });

  test.each([
    ['the many side', 'SELECT SUM(i.quantity) FROM orders o JOIN order_items i ON i.order_id = o.order_id'],
    [
      'counted rows of the many side',
      'SELECT c.name, COUNT(c.customer_id) FROM customers c JOIN orders o ON o.customer_id = c.customer_id GROUP BY c.customer_id',
    ],
    ['DISTINCT', 'SELECT COUNT(DISTINCT o.order_id) FROM orders o JOIN order_items i ON i.order_id = o.order_id'],
    ['MAX', 'SELECT MAX(o.total) FROM orders o JOIN order_items i ON i.order_id = o.order_id'],
    [
      'rows that the groups tell apart',
      'SELECT i.order_id, i.line_number, SUM(o.total) FROM orders o JOIN order_items i ON i.order_id = o.order_id GROUP BY i.order_id, i.line_number',
    ],
    [
      'a counted condition',
      "SELECT SUM(CASE WHEN o.status = 'new' THEN 1 ELSE 0 END) FROM orders o JOIN order_items i ON i.order_id = o.order_id",
    ],
    [
      'an aggregated sub-query',
      'SELECT SUM(o.total) FROM orders o JOIN (SELECT order_id, COUNT(*) AS n FROM order_items GROUP BY order_id) s ON s.order_id = o.order_id',
    ],
    [
      'a bridge to one that is looked up',
      "SELECT SUM(p.price) FROM products p JOIN product_tags x ON x.product_id = p.product_id JOIN tags t ON t.tag_id = x.tag_id WHERE t.label = 'new'",
    ],
  ])('not for %s', async (_, sql) => {
    expect(await linesOf('aggregate-over-fan-out', sql)).toEqual([]);
  });
});
