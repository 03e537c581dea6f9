import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Catalog, resolveAdapter, validateSchema } from '@askema/core';
import { sqliteDialect, writeDdl } from '@askema/dialects';
import { sqlite } from '@askema/sqlite';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeStore } from './make-store.ts';

const committed = fileURLToPath(new URL('./store.sqlite', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'askema-store-'));
let store: Database.Database;

beforeAll(() => {
  store = new Database(committed, { readonly: true, fileMustExist: true });
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Everything that a user can see in a database. Not its bytes: SQLite writes its own version number into the header
 * (https://sqlite.org/fileformat.html, section 1.3.17), so that a newer better-sqlite3 would fail a comparison of
 * bytes.
 */
function dump(database: Database.Database): Record<string, unknown> {
  const schema = database.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY type, name').all() as {
    type: string;
    name: string;
  }[];
  const tables = schema.filter(({ type }) => type === 'table').map(({ name }) => name);
  const rows = tables.map((table) => [table, database.prepare(`SELECT * FROM "${table}" ORDER BY rowid`).raw().all()]);
  return { schema, rows: Object.fromEntries(rows) };
}

const column = (sql: string): unknown[] => store.prepare(sql).pluck().all();

describe('the sample store', () => {
  it('is what its script writes', () => {
    const file = join(folder, 'store.sqlite');
    makeStore(file);
    const fresh = new Database(file, { readonly: true });
    const expected = dump(fresh);
    fresh.close();
    expect(dump(store)).toEqual(expected);
  });

  it('is sound, small, and has a few thousand rows', () => {
    expect(store.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(store.pragma('foreign_key_check')).toEqual([]);
    expect(statSync(committed).size).toBeLessThan(600_000);
    const counts = Object.values(dump(store).rows as Record<string, unknown[]>).map((rows) => rows.length);
    expect(counts).toHaveLength(11);
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThan(4_000);
  });

  it('names the same five biggest spenders, with the same sums, whichever way they are added up', () => {
    const perCustomer = (amount: string, joins: string, filter = ''): unknown[] =>
      store
        .prepare(
          `SELECT customers.name, SUM(${amount}) AS spent FROM customers JOIN "order" USING (customer_id) ${joins} ${filter}
           GROUP BY customers.customer_id ORDER BY spent DESC LIMIT 6`,
        )
        .raw()
        .all();
    const byOrders = perCustomer('total_amount', '');
    const sums = byOrders.map((row) => (row as [string, number])[1]);
    expect(new Set(sums).size).toBe(6);
    for (const other of [
      perCustomer('total_amount', '', "WHERE status <> 'cancelled'"),
      perCustomer('total_amount', '', "WHERE status = 'delivered'"),
      perCustomer('line_total', 'JOIN order_items USING (order_id)'),
      perCustomer('quantity * unit_price - discount', 'JOIN order_items USING (order_id)'),
      perCustomer('amount', 'JOIN payments USING (order_id)'),
      store.prepare('SELECT name, total_spent FROM customer_totals ORDER BY total_spent DESC LIMIT 6').raw().all(),
    ])
      expect(other.slice(0, 5)).toEqual(byOrders.slice(0, 5));
  });

  it('adds up: orders are the sum of their lines, payments the sum of what was not cancelled or is pending', () => {
    const wrongTotals = `SELECT order_id FROM "order" WHERE total_amount <>
      (SELECT SUM(line_total) FROM order_items WHERE order_items.order_id = "order".order_id)`;
    const wrongPayments = `SELECT order_id FROM "order" WHERE status IN ('shipped', 'delivered') AND total_amount <>
      (SELECT SUM(amount) FROM payments WHERE payments.order_id = "order".order_id)`;
    expect(column(wrongTotals)).toEqual([]);
    expect(column(wrongPayments)).toEqual([]);
  });

  it('has the traits that examples and tests look for', () => {
    expect(column("SELECT COUNT(*) FROM customers WHERE name GLOB '*[^ -~]*'")[0]).toBeGreaterThan(20);
    expect(column('SELECT COUNT(*) FROM "Support Ticket" WHERE "Closed At" IS NULL')[0]).toBeGreaterThan(5);
    expect(
      column('SELECT COUNT(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM "order")')[0],
    ).toBeGreaterThan(5);
    const best = store
      .prepare(
        'SELECT products.name, SUM(line_total) FROM products JOIN order_items USING (product_id) GROUP BY 1 ORDER BY 2 DESC LIMIT 2',
      )
      .raw()
      .all() as [string, number][];
    expect(best[0]?.[1]).not.toBe(best[1]?.[1]);
  });

  it('is read whole by the adapter, and the DDL of what was read builds the same schema again', async () => {
    const catalog = await introspect(committed);
    expect(catalog.incomplete).toEqual([]);
    expect(validateSchema(catalog)).toEqual([]);
    const file = join(folder, 'rebuilt.sqlite');
    const rebuilt = new Database(file);
    rebuilt.exec(writeDdl(catalog, sqliteDialect));
    rebuilt.close();
    const again = await introspect(file);
    expect(again.schema).toEqual(catalog.schema);
    expect(again.uniqueKeys).toEqual(catalog.uniqueKeys);
    expect(again.checks).toEqual(catalog.checks);
    expect(again.relations.customer_totals?.definition).toBe(catalog.relations.customer_totals?.definition);
  });
});

async function introspect(file: string): Promise<Catalog> {
  const adapter = resolveAdapter(sqlite({ file }));
  try {
    return await adapter.introspect();
  } finally {
    await adapter.close();
  }
}
