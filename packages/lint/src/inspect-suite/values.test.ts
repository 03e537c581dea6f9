import { DatabaseSync } from 'node:sqlite';
import {
  type Adapter,
  AskemaError,
  createCallContext,
  type InspectionFinding,
  type QueryOptions,
  type Row,
  resolveAdapter,
} from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { applyFixes } from '../inspect/findings.ts';
import { type InspectValuesOptions, inspectValues } from '../values/inspect-values.ts';
import { statementResolver } from './resolve-statement.ts';
import { shopCatalog } from './shop-catalog.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const { resolve } = statementResolver(sqliteDialect);
const database = openShop();
afterAll(() => database.close());

/** The shop with a few rows; foreign keys are not enforced. */
function openShop(): DatabaseSync {
  const { schema, attributes } = shopCatalog();
  const shop = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  for (const { id, name } of schema.relations) {
    const columns = schema.attributes.filter(({ relation }) => relation === id);
    shop.exec(
      `CREATE TABLE ${name} (${columns.map((column) => `${column.name} ${attributes[column.id]?.nativeType}`)})`,
    );
  }
  shop.exec(`
    INSERT INTO customers (name, email, city, country, is_active) VALUES
      ('Todd Casey', 't@x.org', 'Chicago', 'USA', 'yes'), ('Jones, Ben', 'b@x.org', 'São Paulo', 'Brazil', 'no'),
      ('Ann Lee', '', 'Aberdeen ', 'UK', 'yes'), ('Dan Lee', NULL, 'Springfield', 'USA', 'yes');
    INSERT INTO addresses (street, city, postal_code) VALUES
      ('1 Main St', 'Boston', '02134'), ('2 Elm St', 'Bozeman', '59715'), ('3 Elm St', 'DENVER', '80201');
    INSERT INTO tags (label) VALUES ('Denver'), ('OFFICE '), ('drink');
    INSERT INTO employees (name, title) VALUES ('Michael Chang', 'Ph.D.'), ('Casey, Todd', 'Clerk');
    INSERT INTO products (name, category) VALUES ('Tea', 'DRINK'), ('Jet Blue Ink', 'Office');
    INSERT INTO orders (order_id, status) VALUES (1, 'shipped'), (2, 'open'), (3, 'cancelled'), (4, 'on hold'), (5, 'On hold');
  `);
  return shop;
}

/** The shop behind an adapter; `statements` records what is asked. */
function adapterOf(intercept: (sql: string, options: QueryOptions) => void = () => undefined) {
  const statements: string[] = [];
  const adapter: Adapter = resolveAdapter({
    contract: 1,
    dialect: sqliteDialect,
    name: 'shop',
    access: 'read',
    executor: {
      async *execute(sql, options) {
        statements.push(sql);
        expect(options.access).toBe('read');
        intercept(sql, options);
        const parameters = (options.parameters ?? []) as string[];
        const rows = database.prepare(sql).all(...parameters);
        yield {
          type: 'columns',
          columns: Object.keys(rows[0] ?? {}).map((name) => ({ name, nativeType: '', type: 'TEXT' })),
        };
        yield { type: 'rows', rows: rows.map((row) => Object.values(row) as Row) };
        yield { type: 'end' };
      },
    },
    introspector: { introspect: async () => shopCatalog() },
    close: async () => undefined,
  });
  return { adapter, statements };
}

async function inspect(
  sql: string,
  options: Partial<InspectValuesOptions> = {},
): Promise<readonly InspectionFinding[]> {
  return inspectValues(await resolve(sql), { adapter: adapterOf().adapter, context: createCallContext(), ...options });
}

const brief = (findings: readonly InspectionFinding[]): string[] =>
  findings.map(({ severity, column, value }) => `${severity} ${column} ${value}`);

describe('inspectValues', () => {
  test.each([
    ['a text that is there', "SELECT 1 FROM customers WHERE name = 'Todd Casey'"],
    ['a number that is there as text', "SELECT 1 FROM addresses WHERE postal_code = '59715'"],
    ['letters folded by the statement', "SELECT 1 FROM customers WHERE LOWER(name) = 'todd casey'"],
    ['blanks cut by the statement', "SELECT 1 FROM customers c WHERE TRIM(c.city) = 'Aberdeen'"],
    ['a collation', "SELECT 1 FROM customers WHERE name = 'TODD CASEY' COLLATE NOCASE"],
    ['a pattern that matches', "SELECT 1 FROM customers WHERE name LIKE '%casey%'"],
    ['no text at all', "SELECT 1 FROM customers WHERE email = '' OR email IS NULL OR name LIKE '%'"],
    [
      'other comparisons',
      "SELECT 1 FROM customers WHERE name > 'x' AND city BETWEEN 'a' AND 'b' AND signed_up = '2020-01-01'",
    ],
    ['an expression', "SELECT 1 FROM customers WHERE name || city = 'x' AND SUBSTR(name, 1, 3) = 'Xyz'"],
    ['an aggregate', "SELECT city FROM customers GROUP BY city HAVING MAX(name) = 'nobody'"],
    ['a column without cells', "SELECT 1 FROM returns WHERE reason = 'broken'"],
    ['a value that is kept out and nothing is like', "SELECT 1 FROM orders WHERE status <> 'returned'"],
  ])('says nothing of %s', async (_name, sql) => {
    expect(await inspect(sql)).toEqual([]);
  });

  test.each([
    ["SELECT 1 FROM customers c WHERE c.name = 'todd casey'", "c.name = 'Todd Casey'"],
    ["SELECT 1 FROM customers WHERE 'Ben Jones' = name", "'Jones, Ben' = name"],
    ["SELECT 1 FROM customers WHERE city = 'Sao Paulo'", "city = 'São Paulo'"],
    ["SELECT 1 FROM customers WHERE city IN ('Boston', 'chicago')", "IN ('Boston', 'Chicago')"],
    ["SELECT 1 FROM customers WHERE city = 'Aberdeen'", "city = 'Aberdeen '"],
    ["SELECT 1 FROM employees WHERE title = ('PhD')", "title = ('Ph.D.')"],
    ["SELECT 1 FROM products WHERE LOWER(category) = 'Drink'", "LOWER(category) = 'drink'"],
    ["SELECT 1 FROM customers WHERE city = 'Chciago'", "city = 'Chicago'"],
    ["WITH c AS (SELECT name AS n FROM customers) SELECT 1 FROM c WHERE c.n = 'todd casey'", "c.n = 'Todd Casey'"],
    [
      "SELECT 1 FROM orders o JOIN customers c ON o.customer_id = c.customer_id AND c.country = 'usa'",
      "c.country = 'USA'",
    ],
    ["SELECT name, COUNT(*) FROM customers GROUP BY name HAVING name = 'ann lee'", "HAVING name = 'Ann Lee'"],
    ["SELECT 1 FROM orders WHERE order_id IN (SELECT order_id FROM orders WHERE status = 'Open')", "status = 'open'"],
    ["SELECT 1 FROM customers WHERE is_active = 'Yes'", "is_active = 'yes'"],
  ])('mends %s', async (sql, expected) => {
    const findings = await inspect(sql);
    expect(applyFixes(sql, findings).sql).toContain(expected);
    for (const { severity, code } of findings)
      expect({ severity, code }).toEqual({ severity: 'error', code: 'value-not-found' });
  });

  test('says where else the value stands: relations of FROM first', async () => {
    const sql = "SELECT 1 FROM customers JOIN addresses USING (customer_id) WHERE customers.city = 'Boston'";
    const [finding, ...others] = await inspect(sql);
    expect(others).toEqual([]);
    expect(finding?.fix).toBeUndefined();
    expect(finding?.cells).toContainEqual({ column: 'addresses.city', value: 'Boston', score: 1 });
    expect(finding?.message).toContain("'Boston' in addresses.city");
    expect(finding?.advice).toContain('addresses.city');
    expect(sql.slice(finding?.span.start, finding?.span.end)).toBe("'Boston'");
  });

  test('shows some cells of the column where none is near', async () => {
    const [finding] = await inspect("SELECT 1 FROM orders WHERE status = 'xyzzy'");
    expect(finding?.message).toContain("values such as 'shipped', 'open', 'cancelled'");
    expect(finding?.fix).toBeUndefined();
  });

  test('proposes no fix where two cells are meant as likely', async () => {
    const [finding] = await inspect("SELECT 1 FROM customers WHERE name = 'Lee'");
    expect(finding?.cells?.map(({ value }) => value)).toEqual(expect.arrayContaining(['Ann Lee', 'Dan Lee']));
    expect(finding?.fix).toBeUndefined();
  });

  test('names close relations before others that are more alike', async () => {
    const [finding] = await inspect("SELECT 1 FROM customers WHERE city = 'Denver'");
    const elsewhere = finding?.cells?.filter(({ column }) => column !== 'customers.city');
    expect(elsewhere?.map(({ column, value }) => `${column} ${value}`)).toEqual([
      'addresses.city DENVER',
      'tags.label Denver',
    ]);
  });

  test('proposes no fix where two cells are the same thing spelled otherwise', async () => {
    const [finding] = await inspect("SELECT 1 FROM orders WHERE status = 'ON HOLD'");
    expect(finding?.cells?.map(({ value }) => value)).toEqual(['On hold', 'on hold']);
    expect(finding?.fix).toBeUndefined();
  });

  test('is less sure where another condition suffices, of patterns, and of values that are kept out', async () => {
    expect(brief(await inspect("SELECT 1 FROM customers WHERE country = 'USA' OR country = 'usa'"))).toEqual([
      'warning customers.country usa',
    ]);
    expect(brief(await inspect("SELECT 1 FROM customers WHERE city IN ('Chicago', 'nowhere', 'aberdeen')"))).toEqual([
      'warning customers.city nowhere',
      'warning customers.city aberdeen',
    ]);
    expect(brief(await inspect("SELECT 1 FROM customers WHERE name LIKE '%Tood Casey%'"))).toEqual([
      'warning customers.name %Tood Casey%',
    ]);
    expect(brief(await inspect("SELECT 1 FROM orders WHERE NOT (status = 'Cancelled')"))).toEqual([
      'warning orders.status Cancelled',
    ]);
  });

  describe('joins', () => {
    const joined = (sql: string) => inspect(`SELECT 1 FROM products p JOIN tags t ON ${sql}`);

    test('that rows meet, or of columns without cells, are let be', async () => {
      expect(await inspect('SELECT 1 FROM orders o JOIN order_items i ON o.order_id = i.order_id')).toEqual([]);
      expect(
        await inspect('SELECT 1 FROM employees e JOIN customers c ON c.name = e.name OR c.city = e.name'),
      ).toHaveLength(2);
      expect(await inspect('SELECT 1 FROM orders a JOIN orders b ON a.status = b.status')).toEqual([]);
    });

    test('that no row meets for blanks and case are mended', async () => {
      const [finding, ...others] = await joined('p.category = t.label');
      expect(others).toEqual([]);
      expect(finding).toMatchObject({ code: 'join-without-match', severity: 'error' });
      expect(finding?.message).toContain('differ in case');
      const sql = 'SELECT 1 FROM products p, tags t WHERE p.category = t.label';
      expect(applyFixes(sql, await inspect(sql)).sql).toBe(
        'SELECT 1 FROM products p, tags t WHERE LOWER(p.category) = LOWER(t.label)',
      );
      const [outer] = await inspect('SELECT 1 FROM products p LEFT JOIN tags t ON p.category = t.label');
      expect(outer?.severity).toBe('warning');
    });

    test('of columns with nothing in common are doubtful', async () => {
      const [finding] = await inspect(
        'WITH s AS (SELECT status AS x FROM orders) SELECT 1 FROM s JOIN tags t ON s.x = t.label',
      );
      expect(finding).toMatchObject({ code: 'join-without-match', severity: 'warning' });
      expect(finding?.message).toContain('orders.status and tags.label have no value in common');
      expect(finding?.fix).toBeUndefined();
    });

    test('are not tried beyond the limit', async () => {
      const sql = 'SELECT 1 FROM products p JOIN tags t ON p.category = t.label';
      expect(await inspect(sql, { maxJoins: 0 })).toEqual([]);
    });
  });

  test('binds values, and looks up so many conditions at most', async () => {
    const { adapter, statements } = adapterOf();
    const sql = "SELECT 1 FROM customers WHERE name = 'x''; DROP TABLE customers; --' AND city = 'Boston'";
    expect(await inspect(sql, { adapter, maxConditions: 1 })).toHaveLength(1);
    expect(statements.join()).not.toContain('DROP');
    expect(statements[0]).toBe('SELECT 1 FROM "customers" WHERE "name" = ? LIMIT 1');
  });

  test('never guesses: no finding where the lookup fails', async () => {
    const { adapter } = adapterOf((sql) => {
      if (sql.startsWith('SELECT 1')) throw new AskemaError('QUERY_TIMEOUT', 'Too slow.');
    });
    expect(await inspect("SELECT 1 FROM customers WHERE city = 'Boston'", { adapter })).toEqual([]);
  });

  test('warns only where the column was not searched whole', async () => {
    const valueIndex = { find: async () => [], close: async () => undefined };
    expect(brief(await inspect("SELECT 1 FROM customers WHERE city = 'Boston'", { valueIndex }))).toEqual([
      'warning customers.city Boston',
    ]);
  });

  test('passes the abort of its caller on', async () => {
    const gone = new AbortController();
    const { adapter } = adapterOf(() => gone.abort());
    const context = createCallContext({ signal: gone.signal });
    const inspected = inspect("SELECT 1 FROM customers WHERE city = 'Boston'", { adapter, context });
    await expect(inspected).rejects.toMatchObject({ code: 'ABORTED' });
  });
});

describe('what the column holds where the other conditions are met', () => {
  test('goes first, and is the fix where it is one cell that is like the value', async () => {
    const [finding] = await inspect("SELECT phone FROM customers WHERE name = 'Tod Kasey' AND city = 'Chicago'");
    expect(finding?.cells?.[0]).toMatchObject({ value: 'Todd Casey', isBeside: true });
    expect(finding?.message).toContain("where the other conditions hold, it is 'Todd Casey'");
    expect(finding?.fix?.edits[0]?.text).toBe("'Todd Casey'");
  });

  test('is no fix where it is another thing', async () => {
    const [finding] = await inspect("SELECT phone FROM customers WHERE name = 'Xaver Quill' AND city = 'Chicago'");
    expect(finding?.cells?.[0]).toMatchObject({ value: 'Todd Casey', isBeside: true });
    expect(finding?.fix).toBeUndefined();
  });

  test.each([
    ['an alternative', "name = 'Tod Kasey' OR city = 'Chicago'"],
    ['a condition that keeps rows out', "name = 'Tod Kasey' AND city <> 'Chicago'"],
    ['a list', "name = 'Tod Kasey' AND city IN ('Chicago', 'Springfield')"],
    ['a condition that nothing meets', "name = 'Tod Kasey' AND city = 'Nowhere'"],
  ])('%s is no companion', async (_case, condition) => {
    const findings = await inspect(`SELECT phone FROM customers WHERE ${condition}`);
    expect(findings.flatMap(({ cells = [] }) => cells.filter(({ isBeside }) => isBeside))).toEqual([]);
  });

  test('another occurrence of the relation is no companion', async () => {
    const findings = await inspect(
      "SELECT a.phone FROM customers a JOIN customers b ON a.country = b.country WHERE a.name = 'Tod Kasey' AND b.city = 'Chicago'",
    );
    expect(findings.flatMap(({ cells = [] }) => cells.filter(({ isBeside }) => isBeside))).toEqual([]);
  });
});

describe('comparisons inside of expressions', () => {
  test.each([
    ["SELECT SUM(CASE WHEN c.name = 'todd casey' THEN 1 END) FROM customers c", 'error customers.name todd casey'],
    ["SELECT SUM(name = 'Jone''s, Ben') FROM customers", "error customers.name Jone's, Ben"],
    ["SELECT name FROM customers ORDER BY CASE WHEN city != 'chicago' THEN 1 END", 'warning customers.city chicago'],
  ])('%s', async (sql, line) => {
    const findings = await inspect(sql);
    expect(brief(findings)).toEqual([line]);
    const [finding] = findings;
    const { text } = finding?.fix?.edits[0] ?? {};
    expect(applyFixes(sql, findings).sql).toContain(text ?? 'no fix');
  });

  test('say nothing of what is there, and of numbers', async () => {
    const sql = "SELECT SUM(CASE WHEN c.city = 'Chicago' THEN 1 END), SUM(c.customer_id = 'x') FROM customers c";
    expect(await inspect(sql)).toEqual([]);
  });
});
