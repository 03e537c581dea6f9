import type { ResolvedColumn, ResolvedQuery } from '@askema/core';
import { attributeName } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { statementResolver } from './resolve-statement.ts';

// A worker starts once a file; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { resolve, close } = statementResolver(sqliteDialect);
afterAll(close);

/** Each column of the statement as `text: what it means`, in the order of the blocks. */
function meanings(query: ResolvedQuery): string[] {
  return query.blocks.flatMap(({ block, columns }) =>
    block.columns.map(
      ({ span }, index) => `${query.sql.slice(span.start, span.end)}: ${meaning(query, columns[index])}`,
    ),
  );
}

function meaning(query: ResolvedQuery, column: ResolvedColumn | undefined): string {
  switch (column?.kind) {
    case 'attribute':
      return attributeName(query, column.attribute, { qualified: true });
    case 'output':
      return `output ${column.output.name}${column.output.attribute === undefined ? '' : ` of ${column.output.attribute}`}`;
    case 'alias':
      return `alias ${column.item}`;
    case 'ambiguous':
      return `ambiguous ${column.among.length}`;
    default:
      return column?.kind ?? 'nothing';
  }
}

const CASES: readonly (readonly [name: string, sql: string, expected: readonly string[]])[] = [
  [
    'an alias hides the name of its relation',
    'SELECT c.name, customers.name FROM customers c',
    ['c.name: customers.name', 'customers.name: unknown'],
  ],
  [
    'unqualified names go to the one relation that has them',
    'SELECT status, credit FROM orders JOIN customers ON orders.customer_id = customers.customer_id',
    [
      'status: orders.status',
      'credit: customers.credit',
      'orders.customer_id: orders.customer_id',
      'customers.customer_id: customers.customer_id',
    ],
  ],
  ['a name that two relations have is ambiguous', 'SELECT name FROM customers, products', ['name: ambiguous 2']],
  [
    'USING makes one column of two',
    'SELECT customer_id, status FROM orders JOIN customers USING (customer_id)',
    ['customer_id: orders.customer_id', 'status: orders.status'],
  ],
  ['NATURAL JOIN does, too', 'SELECT order_id FROM orders NATURAL JOIN order_items', ['order_id: orders.order_id']],
  [
    'a CTE comes before a relation of that name',
    'WITH orders AS (SELECT total AS sum FROM orders) SELECT sum, status FROM orders',
    ['sum: output sum of orders#total', 'status: unknown', 'total: orders.total'],
  ],
  [
    'attributes pass through CTEs and derived tables',
    'WITH a AS (SELECT name AS n FROM customers) SELECT d.m FROM (SELECT n AS m FROM a) d',
    ['d.m: output m of customers#name', 'name: customers.name', 'n: output n of customers#name'],
  ],
  [
    'stars are expanded',
    'SELECT d.email FROM (SELECT * FROM customers) d',
    ['d.email: output email of customers#email'],
  ],
  [
    'a CTE names its columns',
    'WITH a (x, y) AS (SELECT name, city FROM customers) SELECT y, name FROM a',
    ['y: output y of customers#city', 'name: unknown', 'name: customers.name', 'city: customers.city'],
  ],
  [
    'a recursive CTE sees its first operand',
    'WITH RECURSIVE up(id, boss) AS (SELECT employee_id, manager_id FROM employees UNION ALL SELECT e.employee_id, up.bos FROM employees e JOIN up ON e.employee_id = up.boss) SELECT id FROM up',
    [
      'id: output id of employees#employee_id',
      'employee_id: employees.employee_id',
      'manager_id: employees.manager_id',
      'e.employee_id: employees.employee_id',
      'up.bos: unknown',
      'e.employee_id: employees.employee_id',
      'up.boss: output boss',
    ],
  ],
  [
    'a correlated sub-query looks outwards',
    'SELECT name FROM customers c WHERE EXISTS (SELECT 1 FROM orders WHERE customer_id = c.customer_id AND credit > total)',
    [
      'name: customers.name',
      'customer_id: orders.customer_id',
      'c.customer_id: customers.customer_id',
      'credit: customers.credit',
      'total: orders.total',
    ],
  ],
  [
    'a derived table does not see what stands beside it',
    'SELECT 1 FROM customers c, (SELECT total FROM orders WHERE customer_id = c.customer_id) d',
    ['total: orders.total', 'customer_id: orders.customer_id', 'c.customer_id: unknown'],
  ],
  [
    'a sub-query in the select list sees a derived table behind it',
    'SELECT (SELECT MAX(total) FROM orders WHERE customer_id = d.k) FROM (SELECT customer_id AS k FROM customers) d',
    [
      'total: orders.total',
      'customer_id: orders.customer_id',
      'd.k: output k of customers#customer_id',
      'customer_id: customers.customer_id',
    ],
  ],
  [
    'ORDER BY of a set operation sees its outputs',
    'SELECT name AS n FROM customers UNION SELECT name FROM products ORDER BY n, price',
    ['n: opaque', 'price: unknown', 'name: customers.name', 'name: products.name'],
  ],
  [
    'aliases of the select list come first as bare names of ORDER BY only',
    'SELECT country AS city, COUNT(*) AS n FROM customers GROUP BY city HAVING n > 1 ORDER BY city, LOWER(city)',
    ['country: customers.country', 'city: customers.city', 'n: alias 1', 'city: alias 0', 'city: customers.city'],
  ],
  [
    'SQLite takes an alias in WHERE, not in the select list',
    'SELECT price * 2 AS twice, twice + 1 FROM products WHERE twice > 3',
    ['price: products.price', 'twice: unknown', 'twice: alias 0'],
  ],
  [
    'the row id and system relations are no mistakes',
    'SELECT rowid, sql FROM orders, sqlite_master',
    ['rowid: opaque', 'sql: opaque'],
  ],
  [
    'nothing is said beside a table function',
    "SELECT key, nothing FROM products, json_each('[1]')",
    ['key: opaque', 'nothing: opaque'],
  ],
  [
    'of a star of something unknown nothing is known',
    'SELECT d.x FROM (SELECT * FROM sqlite_master) d',
    ['d.x: opaque'],
  ],
  ['double quotes make a name that must be there', 'SELECT "open" FROM orders', ['"open": unknown']],
];

describe('columns', () => {
  test.each(CASES)('%s', async (_, sql, expected) => {
    expect(meanings(await resolve(sql))).toEqual(expected);
  });
});
