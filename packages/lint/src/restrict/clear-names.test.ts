import { createSqlParser } from '@askema/sql-parser';
import { afterAll, expect, test } from 'vitest';
import { otherCases } from './clear-names.ts';
import { restrict } from './restrict.ts';
import { fakeShop } from './test-support/fake-shop.ts';

const parser = createSqlParser();
afterAll(() => parser.close());

/** Orders have an id as well, and it is shown. The engine says nothing of what it reads. */
const run = (sql: string) => restrict(fakeShop(), { hide: ['users.id'], mask: ['users.email'], parser }).query(sql);

test.each([
  'SELECT id FROM orders',
  'SELECT id FROM orders UNION ALL SELECT COUNT(email) FROM users',
  'SELECT name, (SELECT MAX(total) FROM orders) FROM users WHERE name IN (SELECT total FROM orders)',
  'SELECT u.name, o.id FROM users u JOIN orders o ON o.total > 0',
  'SELECT name FROM users WHERE EXISTS (SELECT 1 FROM orders WHERE orders.id > 1)',
  "SELECT name AS 'id of somebody', COUNT(email) FROM users WHERE name LIKE 'id' GROUP BY name",
])('%s means the same to every engine', async (sql) => {
  await expect(run(sql)).resolves.toBeDefined();
});

test.each([
  // Aliases that differ in case are two for MariaDB, also across CTEs and sub-queries.
  'SELECT S.id FROM orders s JOIN users S ON s.total > 0',
  'SELECT B.id FROM (SELECT 5 AS id) b JOIN users B ON 1 = 1',
  'WITH S AS (SELECT id FROM orders) SELECT s.id FROM S JOIN users s ON 1 = 1',
  'SELECT name FROM users s WHERE EXISTS (SELECT 1 FROM orders S WHERE s.id = 1)',
  // HAVING and ON look past FROM.
  'SELECT name FROM users WHERE EXISTS (SELECT total FROM orders GROUP BY total HAVING id > 1)',
  'SELECT name, (SELECT 1 FROM (SELECT 5 AS id) x HAVING x.id > 1) FROM users x',
  'SELECT name, (SELECT 1 FROM orders a JOIN orders b ON id > 1 LIMIT 1) FROM users',
  // An alias with a database in front.
  'SELECT total FROM orders WHERE EXISTS (SELECT 1 FROM users AS orders WHERE main.orders.id = 1)',
  // A qualifier that is a column with fields as well.
  'SELECT name, total.id FROM users JOIN orders total ON total.total > 0',
  // Names in quotes of texts.
  "SELECT 'users'.'email' FROM users WHERE email IS NOT NULL",
  "SELECT name FROM users WHERE 'users'.rowid > 1",
  "SELECT orders.id FROM users AS 'orders', orders",
  'SELECT name FROM users a JOIN users b ON a.email = b.email',
])('%s is refused', async (sql) => {
  await expect(run(sql)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
});

test('tells names that differ in the case of letters beyond ASCII alone', () => {
  const isOtherCase = otherCases(['privé', 'μισθοσ', 'ssn']);
  for (const name of ['privÉ', 'PRIVÉ', 'ΜΙΣΘΟΣ', 'μισθος']) expect(isOtherCase(name)).toBe(true);
  for (const name of ['privé', 'PRIVé', 'prive', 'SSN', 'ssn', 'é']) expect(isOtherCase(name)).toBe(false);
});
