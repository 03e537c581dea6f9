import { fileURLToPath } from 'node:url';
import { createCallContext, resolveAdapter } from '@askema/core';
import { sqlite } from '@askema/sqlite';
import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { expectAnswer } from './testing/expect-answer.ts';
import { solverOn } from './testing/small-database.ts';

const file = fileURLToPath(new URL('../../../examples/store.sqlite', import.meta.url));
const spec = resolveAdapter(sqlite({ file }));
const database = new Database(file, { readonly: true });
const catalog = await spec.introspect({ context: createCallContext() });
const store = solverOn(database, catalog);

afterAll(async () => {
  database.close();
  await spec.close();
});

/** Questions on the sample store, with statements of the tests' own. */
const ANSWERS: readonly (readonly [question: string, sql: string])[] = [
  [
    'Which five customers spent the most?',
    'SELECT c.name FROM customers c JOIN "order" o USING (customer_id) GROUP BY c.customer_id ORDER BY SUM(o.total_amount) DESC LIMIT 5',
  ],
  [
    'Which customers spent more than 5000?',
    'SELECT c.name FROM customers c JOIN "order" o USING (customer_id) GROUP BY c.customer_id HAVING SUM(o.total_amount) > 5000',
  ],
  [
    'How much did Lars Haddad spend?',
    'SELECT SUM(total_amount) FROM "order" WHERE customer_id = (SELECT customer_id FROM customers WHERE name = \'Lars Haddad\')',
  ],
  ['How many customers are from France?', "SELECT COUNT(*) FROM customers WHERE country = 'France'"],
  [
    'How many orders did customers from France place?',
    'SELECT COUNT(*) FROM "order" JOIN customers USING (customer_id) WHERE country = \'France\'',
  ],
  ['How many orders were cancelled?', 'SELECT COUNT(*) FROM "order" WHERE status = \'cancelled\''],
  ['How many orders were there in 2023?', 'SELECT COUNT(*) FROM "order" WHERE ordered_at LIKE \'2023%\''],
  ['Which orders have not been shipped?', 'SELECT order_id FROM "order" WHERE shipped_at IS NULL'],
  [
    'What is the total amount of orders shipped in 2023?',
    'SELECT SUM(total_amount) FROM "order" WHERE shipped_at LIKE \'2023%\'',
  ],
  ['Show the number of orders per status', 'SELECT status, COUNT(*) FROM "order" GROUP BY status'],
  [
    'What is the average price of products in each category?',
    'SELECT c.name, AVG(p.price) FROM products p JOIN categories c USING (category_id) GROUP BY c.category_id',
  ],
  [
    'List the names and prices of the ten most expensive products',
    'SELECT name, price FROM products ORDER BY price DESC LIMIT 10',
  ],
  [
    'Which products have never been ordered?',
    'SELECT name FROM products WHERE product_id NOT IN (SELECT product_id FROM order_items)',
  ],
  ['List products without a weight', 'SELECT name FROM products WHERE weight_kg IS NULL'],
  ['List the discontinued products', 'SELECT name FROM products WHERE discontinued = 1'],
  [
    'What is the average rating of the product Willow Kettle?',
    "SELECT AVG(rating) FROM reviews JOIN products USING (product_id) WHERE name = 'Willow Kettle'",
  ],
  ['How many customers do not have a loyalty level?', 'SELECT COUNT(*) FROM customers WHERE loyalty_level IS NULL'],
  ['How many support tickets have high priority?', 'SELECT COUNT(*) FROM "Support Ticket" WHERE "Priority" = \'high\''],
  [
    'How many tickets does each employee handle?',
    'SELECT e.name, COUNT(*) FROM "Support Ticket" t JOIN employees e ON t."Handled By" = e.employee_id GROUP BY e.employee_id',
  ],
  [
    'Who is the manager of Linnea Wright?',
    "SELECT m.name FROM employees e JOIN employees m ON e.manager_id = m.employee_id WHERE e.name = 'Linnea Wright'",
  ],
  ['Who is the youngest customer?', 'SELECT name FROM customers ORDER BY birth_date DESC LIMIT 1'],
  [
    'List all products with their category and supplier',
    'SELECT p.name, c.name, s.name FROM products p JOIN categories c USING (category_id) JOIN suppliers s USING (supplier_id)',
  ],
  [
    'Show the names and countries of customers who bought Willow Kettle',
    'SELECT DISTINCT c.name, c.country FROM customers c JOIN "order" USING (customer_id) JOIN order_items USING (order_id) JOIN products p USING (product_id) WHERE p.name = \'Willow Kettle\'',
  ],
  [
    'What is the most common reason for returns?',
    'SELECT reason FROM returns WHERE reason IS NOT NULL GROUP BY reason ORDER BY COUNT(*) DESC LIMIT 1',
  ],
];

describe('the sample store', () => {
  it.each(ANSWERS)('%s', (question, sql) => expectAnswer(store, question, sql));

  it('asks back where two columns hold what is asked for', async () => {
    const answer = await store.ask('How many distinct cities are there?');
    expect(answer).toMatchObject({ outcome: 'needs_clarification', sql: '' });
    expect(answer.explanation).toMatch(/city in customers/u);
    expect(answer.explanation).toMatch(/city in suppliers/u);
  });

  it.each([
    ['How many purple unicorns are there?', ['purple', 'unicorns']],
    ['What is the weather in Paris tomorrow?', ['weather', 'tomorrow']],
  ])('declines "%s" and names the words that it does not know', async (question, words) => {
    expect(await store.ask(question)).toMatchObject({ outcome: 'unanswerable', sql: '', not_understood: words });
  });
});
