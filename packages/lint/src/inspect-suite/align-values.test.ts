import { DatabaseSync } from 'node:sqlite';
import { type Adapter, createCallContext, type Row, resolveAdapter, type ValueIndex } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import type { SqlParser } from '@askema/sql';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { type AlignValuesOptions, alignValues } from '../values/align-values.ts';
import { suiteParser as parser } from './resolve-statement.ts';
import { shopCatalog } from './shop-catalog.ts';

// A worker starts; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const shop = openShop();
afterAll(() => shop.close());

function openShop(): DatabaseSync {
  const { schema, attributes } = shopCatalog();
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false });
  for (const { id, name } of schema.relations) {
    const columns = schema.attributes.filter(({ relation }) => relation === id);
    database.exec(
      `CREATE TABLE ${name} (${columns.map(({ id: own, name: column }) => `${column} ${attributes[own]?.nativeType}`)})`,
    );
  }
  database.exec(`
    INSERT INTO customers (name, city, country) VALUES ('Todd Casey', 'Chicago', 'USA'), ('Ann Lee', 'Aberdeen ', 'UK'),
      ('Dan Lee', 'Springfield', 'USA'), ('O''Neil', 'Chicago', 'USA');
    UPDATE customers SET email = '2020-01-05 10:00:00';
    INSERT INTO addresses (city) VALUES ('Boston');
    INSERT INTO products (name, category) VALUES ('Tea', 'DRINK'), ('Earl Grey 100', 'DRINK');
  `);
  return database;
}

const adapter: Adapter = resolveAdapter({
  contract: 1,
  dialect: sqliteDialect,
  name: 'shop',
  access: 'read',
  executor: {
    async *execute(sql, options) {
      const rows = shop.prepare(sql).all(...((options.parameters ?? []) as string[]));
      const columns = Object.keys(rows[0] ?? {}).map((name) => ({ name, nativeType: '', type: 'TEXT' as const }));
      yield { type: 'columns', columns };
      yield { type: 'rows', rows: rows.map((row) => Object.values(row) as Row) };
      yield { type: 'end' };
    },
  },
  introspector: { introspect: async () => shopCatalog() },
  close: async () => undefined,
});

const align = (sql: string, options: Partial<AlignValuesOptions> = {}) =>
  alignValues(sql, { adapter, catalog: shopCatalog(), parser, context: createCallContext(), ...options });

describe('alignValues', () => {
  it('writes a text as it is stored, and says what was read as what', async () => {
    const sql =
      "SELECT 'todd casey' AS asked FROM customers c WHERE c.name = 'todd casey' AND c.country = 'usa' -- 'usa'";
    expect(await align(sql)).toEqual({
      sql: "SELECT 'todd casey' AS asked FROM customers c WHERE c.name = 'Todd Casey' AND c.country = 'USA' -- 'usa'",
      readAs: [
        { value: 'todd casey', stored: 'Todd Casey', column: 'customers.name', literal: "'Todd Casey'" },
        { value: 'usa', stored: 'USA', column: 'customers.country', literal: "'USA'" },
      ],
    });
  });

  it('tells the cell, also where the statement compares it in small letters', async () => {
    const { sql, readAs } = await align("SELECT 1 FROM products WHERE LOWER(category) = 'drinks'");
    expect(sql).toContain("LOWER(category) = 'drink'");
    expect(readAs).toMatchObject([{ value: 'drinks', stored: 'DRINK', literal: "'drink'" }]);
  });

  it('writes texts alone otherwise, also where more could be mended', async () => {
    const { sql } = await align("SELECT 1 FROM customers WHERE name = 'todd casey' AND email = '2020-01-05'");
    expect(sql).toBe("SELECT 1 FROM customers WHERE name = 'Todd Casey' AND email = '2020-01-05'");
  });

  it('doubles quotes of a cell', async () => {
    const { sql } = await align("SELECT 1 FROM customers WHERE name = 'ONEIL'");
    expect(sql).toBe("SELECT 1 FROM customers WHERE name = 'O''Neil'");
    expect(shop.prepare(sql).all()).toHaveLength(1);
  });

  it.each([
    ['a value that is stored', "SELECT 1 FROM customers WHERE name = 'Ann Lee'"],
    ['two cells that are as near', "SELECT 1 FROM customers WHERE name = 'Lee'"],
    ['a value that stands in another column', "SELECT 1 FROM customers WHERE city = 'Boston'"],
    ['a value that nothing is like', "SELECT 1 FROM customers WHERE city = 'Reykjavik'"],
    ['another number', "SELECT 1 FROM products WHERE name = 'Earl Grey 200'"],
    ['a pattern', "SELECT 1 FROM customers WHERE name LIKE '%Tod Casey%'"],
    ['a statement that changes something', "DELETE FROM customers WHERE name = 'todd casey'"],
    ['a change behind a query', "WITH c AS (SELECT 1 FROM customers WHERE name = 'todd casey') DELETE FROM customers"],
    ['what is no SQL', "SELECT FROM WHERE name = 'todd casey'"],
    ['nothing', ''],
  ])('lets %s be', async (_name, sql) => {
    expect(await align(sql)).toEqual({ sql, readAs: [] });
  });

  it('lets a statement be that would differ in more than a text', async () => {
    const sql = "SELECT 1 FROM customers WHERE name = 'todd casey' AND 1 = 1";
    // A parser that is wrong about where the text stands.
    const wrong: SqlParser = {
      async parse(text, dialect, options) {
        const parsed = await parser.parse(text, dialect, options);
        if (!parsed.ok) return parsed;
        const json = JSON.stringify(parsed.shape);
        const end = text.indexOf("'todd casey'") + "'todd casey'".length;
        return { ok: true, shape: JSON.parse(json.replaceAll(`"end":${end}`, `"end":${text.length}`)) };
      },
    };
    expect(await align(sql, { parser: wrong })).toEqual({ sql, readAs: [] });
  });

  it('takes a cell of the given index, whatever it holds, as one text', async () => {
    const cell = "todd casey'; DROP TABLE customers; --";
    const attribute = shopCatalog().schema.attributes.find(({ name }) => name === 'name')?.id ?? '';
    const valueIndex: ValueIndex = {
      find: async ({ text, attributes }) =>
        attributes?.length === 1 ? [{ mention: text, attribute, value: cell, score: 1 }] : [],
      covers: async () => 'whole',
      close: async () => undefined,
    };
    const { sql } = await align("SELECT 1 FROM customers WHERE name = 'todd'", { valueIndex });
    expect(sql).toBe(`SELECT 1 FROM customers WHERE name = '${cell.replaceAll("'", "''")}'`);
  });
});
