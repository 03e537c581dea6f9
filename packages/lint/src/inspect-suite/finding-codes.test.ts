import { DatabaseSync } from 'node:sqlite';
import {
  AskemaError,
  createCallContext,
  FINDING_CODES,
  type FindingCode,
  type PlanVerdict,
  type Row,
  resolveAdapter,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { inspectSql } from '../inspect/inspect-sql.ts';
import { BUILT_IN_RULES } from '../rules/built-in-rules.ts';
import { requireFormat } from '../rules/user-rules.ts';
import { inspectValues } from '../values/inspect-values.ts';
import { suiteParser } from './resolve-statement.ts';
import { shopCatalog } from './shop-catalog.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

interface Pair {
  readonly broken: string;
  /** The same statement but for the mistake. */
  readonly right: string;
  readonly question?: string;
}

/** The type asks for a pair of each code, so that no code is added without one. */
const PAIRS: Readonly<Record<FindingCode, Pair>> = {
  syntax: { broken: 'SELECT name FORM customers c WHERE', right: 'SELECT name FROM customers c' },
  'not-parsed': { broken: "UPDATE customers SET city = 'Rome'", right: 'SELECT city FROM customers' },
  'engine-error': { broken: 'SELECT not_installed(name) FROM customers', right: 'SELECT upper(name) FROM customers' },
  'dialect-function': { broken: 'SELECT NOW()', right: "SELECT datetime('now')" },
  'dialect-syntax': {
    broken: 'SELECT TOP 5 name FROM products ORDER BY price',
    right: 'SELECT name FROM products ORDER BY price LIMIT 5',
  },
  'unknown-relation': { broken: 'SELECT 1 FROM costumers', right: 'SELECT 1 FROM customers' },
  'unknown-column': { broken: 'SELECT c.total FROM customers c', right: 'SELECT c.credit FROM customers c' },
  'ambiguous-column': {
    broken: 'SELECT customer_id FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
    right: 'SELECT c.customer_id FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
  },
  'join-without-condition': {
    broken: 'SELECT c.name, o.total FROM customers c, orders o',
    right: 'SELECT c.name, o.total FROM customers c, orders o WHERE o.customer_id = c.customer_id',
  },
  'join-off-key': {
    broken: 'SELECT c.name, o.total FROM customers c JOIN orders o ON o.order_id = c.customer_id',
    right: 'SELECT c.name, o.total FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
  },
  'join-type-mismatch': {
    broken: 'SELECT c.name, o.total FROM customers c JOIN orders o ON o.customer_id = c.name',
    right: 'SELECT c.name, o.total FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
  },
  'join-without-match': {
    broken: 'SELECT t.tag_id, p.name FROM tags t JOIN products p ON p.category = t.label',
    right: 'SELECT t.tag_id, p.name FROM tags t JOIN products p ON lower(p.category) = lower(t.label)',
  },
  'redundant-join': {
    broken: 'SELECT c.name FROM customers c LEFT JOIN employees e ON e.employee_id = c.customer_id',
    right: 'SELECT c.name, e.title FROM customers c LEFT JOIN employees e ON e.employee_id = c.customer_id',
  },
  'missing-join': {
    broken: 'SELECT COUNT(*) FROM customers',
    right: 'SELECT COUNT(*) FROM orders',
    question: 'How many orders are there?',
  },
  'repeated-rows': {
    broken: 'SELECT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id WHERE o.total > 9',
    right: 'SELECT DISTINCT c.name FROM customers c JOIN orders o ON o.customer_id = c.customer_id WHERE o.total > 9',
  },
  'aggregate-over-fan-out': {
    broken: 'SELECT SUM(c.credit) FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
    right: 'SELECT SUM(o.total) FROM customers c JOIN orders o ON o.customer_id = c.customer_id',
  },
  'value-not-found': {
    broken: "SELECT name FROM products WHERE category = 'drnk'",
    right: "SELECT name FROM products WHERE category = 'DRINK'",
  },
  'range-without-match': {
    broken: 'SELECT name FROM products WHERE stock BETWEEN 50 AND 60',
    right: 'SELECT name FROM products WHERE stock BETWEEN 5 AND 60',
  },
  'type-mismatch': {
    broken: "SELECT name FROM products WHERE stock = 'many'",
    right: 'SELECT name FROM products WHERE stock = 12',
  },
  'date-format': {
    broken: "SELECT name FROM customers WHERE signed_up > '1/5/2024'",
    right: "SELECT name FROM customers WHERE signed_up > '2024-05-01'",
  },
  'equals-null': {
    broken: 'SELECT name FROM customers WHERE city = NULL',
    right: 'SELECT name FROM customers WHERE city IS NULL',
  },
  'not-in-null': {
    broken: 'SELECT name FROM employees WHERE employee_id NOT IN (SELECT manager_id FROM employees)',
    right:
      'SELECT name FROM employees WHERE employee_id NOT IN (SELECT manager_id FROM employees WHERE manager_id IS NOT NULL)',
  },
  'like-without-wildcard': {
    broken: "SELECT name FROM products WHERE name LIKE 'Tea'",
    right: "SELECT name FROM products WHERE name LIKE 'Tea%'",
  },
  contradiction: {
    broken: 'SELECT name FROM products WHERE price > 20 AND price < 10',
    right: 'SELECT name FROM products WHERE price > 10 AND price < 20',
  },
  'ungrouped-column': {
    broken: 'SELECT city, COUNT(*) FROM customers',
    right: 'SELECT city, COUNT(*) FROM customers GROUP BY city',
  },
  'missing-group-by': {
    broken: 'SELECT COUNT(*) FROM customers',
    right: 'SELECT city, COUNT(*) FROM customers GROUP BY city',
    question: 'What is the number of customers in each city?',
  },
  'needless-group-by': {
    broken: 'SELECT name FROM customers GROUP BY customer_id',
    right: 'SELECT name FROM customers',
  },
  'aggregate-in-where': {
    broken: 'SELECT city FROM customers WHERE COUNT(*) > 3 GROUP BY city',
    right: 'SELECT city FROM customers GROUP BY city HAVING COUNT(*) > 3',
  },
  'having-without-group': {
    broken: 'SELECT name FROM products HAVING price > 3',
    right: 'SELECT name FROM products WHERE price > 3',
  },
  'integer-division': {
    broken: 'SELECT SUM(stock) / COUNT(*) FROM products',
    right: 'SELECT SUM(stock) * 1.0 / COUNT(*) FROM products',
  },
  'order-asked': {
    broken: 'SELECT name FROM products',
    right: 'SELECT name FROM products ORDER BY name',
    question: 'List all products in alphabetical order.',
  },
  'limit-asked': {
    broken: 'SELECT name FROM products ORDER BY price DESC',
    right: 'SELECT name FROM products ORDER BY price DESC LIMIT 5',
    question: 'What are the top 5 products by price?',
  },
  'limit-without-order': {
    broken: 'SELECT name FROM products LIMIT 5',
    right: 'SELECT name FROM products ORDER BY price LIMIT 5',
  },
  'distinct-asked': {
    broken: 'SELECT city FROM customers',
    right: 'SELECT DISTINCT city FROM customers',
    question: 'What are the different cities of customers?',
  },
  'column-asked': {
    broken: 'SELECT product_id FROM products',
    right: 'SELECT name FROM products',
    question: 'List the names of all products.',
  },
  'value-format': {
    broken: "SELECT street FROM addresses WHERE postal_code = '5971'",
    right: "SELECT street FROM addresses WHERE postal_code = '59715'",
  },
};

const catalog = shopCatalog();
const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
for (const { id, name } of catalog.schema.relations) {
  const columns = catalog.schema.attributes.filter(({ relation }) => relation === id);
  database.exec(`CREATE TABLE ${name} (${columns.map((column) => column.name)})`);
}
database.exec(`
  INSERT INTO products (name, category, stock) VALUES ('Tea', 'DRINK', 12), ('Ink', 'OFFICE', 90);
  INSERT INTO tags (label) VALUES ('drink'), ('office');
  INSERT INTO addresses (street, postal_code) VALUES ('2 Elm St', '59715');
`);
afterAll(() => database.close());

/** The engine's own check, by preparing the statement. */
const planner = {
  async check(sql: string): Promise<PlanVerdict> {
    try {
      database.prepare(sql);
      return { verdict: 'ok' };
    } catch (error) {
      return { verdict: 'invalid', error: new AskemaError('QUERY_FAILED', String(error)) };
    }
  },
};

const adapter = resolveAdapter({
  contract: 1,
  dialect: sqliteDialect,
  name: 'shop',
  access: 'read',
  executor: {
    async *execute(sql, { parameters = [] }) {
      const rows = database.prepare(sql).all(...(parameters as string[]));
      const names = Object.keys(rows[0] ?? {});
      yield { type: 'columns', columns: names.map((name) => ({ name, nativeType: '', type: 'TEXT' })) };
      yield { type: 'rows', rows: rows.map((row) => Object.values(row) as Row) };
      yield { type: 'end' };
    },
  },
  introspector: { introspect: async () => catalog },
  close: async () => undefined,
});

const postalCode = requireFormat({
  attribute: 'addresses.postal_code',
  pattern: /\d{5}/,
  message: 'A postal code has five digits.',
});

/** Everything that all rules and the retriever find; the engine is asked where its own words are wanted. */
async function codesOf(code: FindingCode, sql: string): Promise<readonly string[]> {
  const { findings, query } = await inspectSql(sql, {
    catalog,
    dialect: sqliteDialect,
    parser: suiteParser,
    question: PAIRS[code].question,
    rules: [...BUILT_IN_RULES, postalCode],
    planner: code === 'engine-error' ? planner : undefined,
  });
  const values = query === undefined ? [] : await inspectValues(query, { adapter, context: createCallContext() });
  return [...findings, ...values].map((finding) => finding.code);
}

describe.each(FINDING_CODES)('%s', (code) => {
  const { broken, right } = PAIRS[code];

  test(`is said of: ${broken}`, async () => {
    expect(await codesOf(code, broken)).toContain(code);
  });

  test(`is not said of: ${right}`, async () => {
    expect(await codesOf(code, right)).not.toContain(code);
  });
});
