import { sqliteDialect } from '@askema/dialects';
import { expect, test, vi } from 'vitest';
import { ruleRunner } from './rule-findings.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { run } = ruleRunner(sqliteDialect);

const CODES = ['order-asked', 'limit-asked', 'limit-without-order', 'distinct-asked', 'column-asked'];

test.each([
  ['List all products in alphabetical order.', 'SELECT name FROM products', 'order-asked warning: '],
  ['Show products sorted by price.', 'SELECT name FROM products', 'order-asked warning: '],
  ['Products ordered by price, please', 'SELECT name FROM products', 'order-asked warning: '],
  [
    'Names of products from the most to the least stock',
    'SELECT name FROM (SELECT name, stock FROM products ORDER BY stock DESC) t',
    'order-asked warning: ',
  ],
  [
    'Names of products in descending order of stock',
    'SELECT name FROM products ORDER BY stock',
    'order-asked warning: stock',
  ],
  ['What are the top 5 products by price?', 'SELECT name FROM products ORDER BY price DESC', 'limit-asked warning: '],
  [
    'What are the top 5 products by price?',
    'SELECT name FROM products ORDER BY price DESC LIMIT 10',
    'limit-asked warning: LIMIT 10',
  ],
  [
    'List the three cheapest of the first three products',
    'SELECT name FROM products ORDER BY price',
    'limit-asked warning: ',
  ],
  ['Which product has the highest price?', 'SELECT name FROM products ORDER BY price DESC', 'limit-asked warning: '],
  [
    'Which city has the most customers?',
    'SELECT city FROM customers GROUP BY city ORDER BY COUNT(*) DESC',
    'limit-asked warning: ',
  ],
  ['Names of products', 'SELECT name FROM products LIMIT 3', 'limit-without-order warning: LIMIT 3'],
  ['Show some products', 'SELECT name FROM products LIMIT 3', 'limit-without-order note: LIMIT 3'],
  [
    'Names of products',
    'SELECT name FROM products WHERE price = (SELECT price FROM products LIMIT 1)',
    'limit-without-order note: LIMIT 1',
  ],
  ['What are the different cities of customers?', 'SELECT city FROM customers', 'distinct-asked warning: SELECT city'],
  ['How many different cities are there?', 'SELECT COUNT(city) FROM customers', 'distinct-asked warning: COUNT(city)'],
  [
    'Distinct names of customers with orders',
    'SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
    'distinct-asked warning: SELECT c.name',
  ],
  ['Give the street of each address.', 'SELECT postal_code FROM addresses', 'column-asked warning: postal_code'],
  ['List the names of all products.', 'SELECT product_id FROM products', 'column-asked warning: product_id'],
  [
    'How many different categories are there?',
    'SELECT COUNT(DISTINCT price) FROM products',
    'column-asked warning: price',
  ],
  ['Products with a price above 30', 'SELECT name FROM products WHERE stock > 30', 'column-asked warning: stock'],
  [
    'Which product is it? Order by price, please.',
    'SELECT name FROM products ORDER BY product_id LIMIT 1',
    'column-asked warning: product_id',
  ],
  ['Which city is it?', "SELECT city FROM customers WHERE city = 'Rome'", 'column-asked warning: city'],
  ['City and country of customers', 'SELECT city, city FROM customers', 'column-asked warning: city'],
  ['List the names of all products.', 'SELECT product_id FROM products', 'column-asked warning: product_id'],
  [
    'How many different categories are there?',
    'SELECT COUNT(DISTINCT price) FROM products',
    'column-asked warning: price',
  ],
  ['Products with a stock above 30', 'SELECT name FROM products WHERE price > 30', 'column-asked warning: price'],
  [
    'Which product is it? Order by price, please.',
    'SELECT name FROM products ORDER BY product_id',
    'column-asked warning: product_id',
  ],
  ['Which city is it?', "SELECT city FROM customers WHERE city = 'Rome'", 'column-asked warning: city'],
  ['City and country of customers', 'SELECT city, city FROM customers', 'column-asked warning: city'],
  ['What is the average price of all products?', 'SELECT AVG(stock) FROM products', 'column-asked warning: stock'],
  ['Which products are there?', 'SELECT product_id, price + 1 FROM products', 'column-asked warning: product_id'],
])('%s %s', async (question, sql, expected) => {
  expect((await run(CODES, sql, { question })).lines).toEqual([expected]);
});

test.each([
  ['List all products in alphabetical order.', 'SELECT name FROM products ORDER BY name'],
  ['How many products are sorted by price?', 'SELECT COUNT(*) FROM products'],
  ['Products that were ordered by Bob', 'SELECT name FROM products'],
  ['Which customers are older, in descending order of age?', 'SELECT name FROM customers ORDER BY signed_up'],
  ['What are the top 5 products by price?', 'SELECT name FROM products ORDER BY price DESC LIMIT 5'],
  [
    'What are the top 5 products by price?',
    'SELECT name FROM (SELECT name, RANK() OVER (ORDER BY price DESC) AS r FROM products) t WHERE r <= 5',
  ],
  [
    'What is the status of orders of the first three months?',
    "SELECT status FROM orders WHERE ordered_at < '2024-04-01'",
  ],
  ['Products with the first 3 letters "abc"', "SELECT name FROM products WHERE name LIKE 'abc%'"],
  ['Which product has the highest price?', 'SELECT name FROM products WHERE price = (SELECT MAX(price) FROM products)'],
  [
    'Which product has the highest price?',
    'SELECT name FROM products p WHERE NOT EXISTS (SELECT 1 FROM products q WHERE q.price > p.price)',
  ],
  ['List products from the highest to the lowest price', 'SELECT name FROM products ORDER BY price DESC'],
  [
    'Status of orders that came at the latest in May and most of the rest',
    "SELECT status FROM orders WHERE ordered_at < '2024-06-01'",
  ],
  ['Products ranked by the highest price', 'SELECT name FROM products ORDER BY price DESC'],
  ['Products, starting with the most expensive', 'SELECT name FROM products ORDER BY price DESC'],
  ['Price of products called "the oldest"', "SELECT price FROM products WHERE name = 'the oldest'"],
  ['Names of products', 'SELECT COUNT(*) FROM products LIMIT 1'],
  ['Names of products', 'SELECT name FROM products WHERE product_id = 7 LIMIT 1'],
  ['Is there a product?', 'SELECT EXISTS (SELECT 1 FROM products LIMIT 1)'],
  ['What are the different cities of customers?', 'SELECT DISTINCT city FROM customers'],
  ['How many customers are there in each different city?', 'SELECT city, COUNT(*) FROM customers GROUP BY city'],
  ['How many different customers are there?', 'SELECT COUNT(*) FROM customers'],
  ['How do prices vary across different products?', 'SELECT name, price FROM products'],
  ['Compare the cities among the different customers.', 'SELECT city FROM customers'],
  ['What are the different emails of customers?', 'SELECT email FROM customers'],
  ['Customers whose city is different from Rome', "SELECT name FROM customers WHERE city <> 'Rome'"],
  ['List city and unique id of each customer', 'SELECT city, customer_id + 0 FROM customers'],
  ['Give the street of each address.', 'SELECT street FROM addresses'],
  ['Give street and city of each address.', 'SELECT street, city FROM addresses'],
  ['Give the name of each product with its price.', 'SELECT name, price FROM products'],
  ['Which customers live in Rome, Italy?', "SELECT name FROM customers WHERE city = 'Rome' AND country = 'Italy'"],
  ['How old is each product?', 'SELECT stock FROM products WHERE stock > 2 GROUP BY stock'],
  ['Which nation do customers live in?', 'SELECT country FROM customers'],
  ['What does a kettle cost?', "SELECT price FROM products WHERE name = 'kettle'"],
  ['Who lives in Rome?', "SELECT name FROM customers WHERE city = 'Rome'"],
  ['Codes of products', 'SELECT product_id FROM products'],
  ['Products of 2020', 'SELECT name FROM products WHERE price = 2020'],
  ['Which nation do customers live in?', 'SELECT country FROM customers'],
  ['Codes of products', 'SELECT product_id FROM products'],
  ['How many products were ordered?', 'SELECT COUNT(DISTINCT product_id) FROM order_items'],
  ['What are the categories of products?', 'SELECT category FROM products GROUP BY category'],
  // A name that is counted, an id beside what was worked out for each, a day whatever the verb.
  ['How many products are there in each category?', 'SELECT category, COUNT(DISTINCT name) FROM products GROUP BY 1'],
  ['What is twice the price of each product?', 'SELECT product_id, price * 2 FROM products'],
  ['On which day did employees start?', 'SELECT hired_on FROM employees'],
  ['Give the ProductIDs that are in stock.', 'SELECT product_id FROM products WHERE stock > 0'],
])('nothing is said of: %s %s', async (question, sql) => {
  expect((await run(CODES, sql, { question })).lines).toEqual([]);
});

test('without a question only the LIMIT without ORDER BY is reported', async () => {
  expect((await run(CODES, 'SELECT name FROM products LIMIT 3')).lines).toEqual([
    'limit-without-order warning: LIMIT 3',
  ]);
  expect((await run(CODES, 'SELECT city FROM customers')).lines).toEqual([]);
});

test('a question of any length and content is read in no time', async () => {
  const start = performance.now();
  for (const question of [
    "'".repeat(100_000),
    'from the most '.repeat(10_000),
    'sorted a '.repeat(20_000),
    'the '.repeat(50_000),
  ])
    expect((await run(CODES, 'SELECT name FROM products', { question })).lines.length).toBeLessThan(4);
  expect(performance.now() - start).toBeLessThan(5000);
});

test.each([
  ['What are the different cities of customers?', 'SELECT city FROM customers', 'SELECT DISTINCT city FROM customers'],
  [
    'How many distinct cities are there?',
    'SELECT COUNT(city) FROM customers',
    'SELECT COUNT(DISTINCT city) FROM customers',
  ],
  [
    'Names of products in descending order of stock',
    'SELECT name FROM products ORDER BY stock ASC',
    'SELECT name FROM products ORDER BY stock DESC',
  ],
  [
    'Top 5 by price',
    'SELECT name FROM products ORDER BY price DESC LIMIT 10',
    'SELECT name FROM products ORDER BY price DESC LIMIT 5',
  ],
  ['Give the street of each address.', 'SELECT a.postal_code FROM addresses a', 'SELECT a.street FROM addresses a'],
])('the fix for: %s %s', async (question, sql, expected) => {
  expect((await run(CODES, sql, { question })).fixed).toBe(expected);
});

test('column-asked reads definitions, whole rows that are asked for, and statements without steps on the way', async () => {
  const judged = async (sql: string, question: string, evidence?: string) =>
    (await run(['column-asked'], sql, evidence === undefined ? { question } : { question, evidence })).lines;
  const sql = 'SELECT name FROM products WHERE stock > 30';
  expect(await judged(sql, 'Products with a level above 30')).toEqual([]);
  expect(await judged(sql, 'Products with a price above 30')).toHaveLength(1);
  expect(await judged(sql, 'Products with a price above 30', 'price above 30 refers to stock > 30')).toEqual([]);
  expect(await judged('SELECT postal_code FROM addresses', 'Give all information of each address.')).toEqual([]);
  const steps = 'WITH few AS (SELECT postal_code FROM addresses) SELECT postal_code FROM few';
  expect(await judged(steps, 'Give the street of each address.')).toEqual([]);
});
