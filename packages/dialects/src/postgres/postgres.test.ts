import { classifyError, type ErrorClass, quoteIdentifier, quoteIfNeeded, quoteString } from '@askema/core';
import type { PGlite } from '@electric-sql/pglite';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { freshPostgres } from '../../../../scripts/testing/fresh-postgres.ts';
import { itHasProbesThatRun, itIsData } from '../engine-suite.ts';
import { postgresDialect } from './postgres.ts';

vi.setConfig({ testTimeout: 60_000 });

let database: PGlite;
beforeAll(async () => {
  database = await freshPostgres();
  await database.exec(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, age INT CHECK (age > 0), born TIMESTAMP, vip BOOLEAN);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INT REFERENCES customers (id), name TEXT, placed DATE, payload TEXT);
    CREATE VIEW totals AS SELECT COUNT(*) AS n FROM customers;
    CREATE TABLE documents (payload TEXT);
    INSERT INTO documents VALUES ('{"a": 1}');
    INSERT INTO customers (id, name, age) VALUES (1, 'Ada', 36), (2, 'Grace', 40);
    INSERT INTO orders VALUES (1, 1, 'first', '2024-01-02', '["a", {"b": 2}]'), (2, 1, 'second', '2024-01-02', NULL);
  `);
}, 60_000);
afterAll(() => database.close());

/** The error that a statement really gets, classified. */
async function classify(sql: string): Promise<{ errorClass: ErrorClass; name?: string | undefined }> {
  try {
    await database.query(sql);
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return classifyError(postgresDialect, { vendorCode: code, message });
  }
  throw new Error(`PostgreSQL accepts: ${sql}`);
}

const one = async (sql: string): Promise<unknown> =>
  Object.values((await database.query<Record<string, unknown>>(sql)).rows[0] ?? {})[0];

describe('errors of PostgreSQL', () => {
  it.each<[ErrorClass, string | undefined, string]>([
    ['identifier', 'custmers', 'SELECT * FROM custmers'],
    ['identifier', 'other.t', 'SELECT * FROM other.t'],
    ['identifier', 'nam', 'SELECT nam FROM customers'],
    ['identifier', 'c.nam', 'SELECT c.nam FROM customers AS c'],
    ['identifier', 'x', 'SELECT x.nam FROM customers AS c'],
    ['identifier', 'name', 'SELECT name FROM customers JOIN orders ON TRUE'],
    ['identifier', 'surname', 'INSERT INTO customers (surname) VALUES (1)'],
    ['identifier', 'klingon', 'SELECT name FROM customers ORDER BY name COLLATE klingon'],
    ['identifier', 'klingon', 'SELECT CAST(1 AS klingon)'],
    ['identifier', 'x', 'SELECT * FROM customers JOIN orders USING (x)'],
    ['identifier', 'customers', 'CREATE TABLE customers (a INT)'],
    ['identifier', 'a', 'CREATE TABLE d (a INT, a INT)'],
    ['identifier', 'c', 'SELECT * FROM customers AS c, customers AS c'],
    ['identifier', 'nosuch', 'SELECT nosuch.f(1)'],
    ['function', 'date_format', "SELECT DATE_FORMAT(name, 'x') FROM customers"],
    ['function', 'sum', 'SELECT SUM(name) FROM customers'],
    ['function', undefined, 'SELECT name FROM customers WHERE COUNT(*) > 1'],
    ['function', undefined, 'SELECT SUM(SUM(age)) FROM customers'],
    ['function', undefined, 'SELECT name FROM customers WHERE row_number() OVER () = 1'],
    ['function', 'row_number', 'SELECT row_number() FROM customers'],
    ['syntax', 'SELEC', 'SELEC * FROM customers'],
    ['syntax', 'FROM', 'SELECT name, FROM customers'],
    ['syntax', undefined, 'SELECT 1 UNION SELECT 1, 2'],
    ['syntax', undefined, 'SELECT (SELECT name FROM customers)'],
    ['syntax', undefined, 'SELECT name, COUNT(*) FROM customers'],
    ['syntax', undefined, 'SELECT name FROM customers ORDER BY 7'],
    ['type', undefined, "SELECT * FROM customers WHERE id = 'x'"],
    ['type', undefined, 'SELECT * FROM customers WHERE name = 5'],
    ['type', undefined, "SELECT * FROM customers WHERE id LIKE '1%'"],
    ['type', undefined, "SELECT * FROM orders WHERE placed = 'x'"],
    ['type', undefined, 'SELECT 1 / 0'],
    ['type', undefined, 'SELECT 9223372036854775807 + 1'],
    ['type', undefined, "SELECT CAST('2024-13-01' AS DATE)"],
    ['type', undefined, 'SELECT * FROM customers WHERE id = 1 AND name'],
    ['type', undefined, "SELECT '{'::json"],
    ['constraint', 'customers_name_key', "INSERT INTO customers (id, name) VALUES (3, 'Ada')"],
    ['constraint', 'name', 'INSERT INTO customers (id) VALUES (3)'],
    ['constraint', 'customers_age_check', "INSERT INTO customers (id, name, age) VALUES (3, 'x', -1)"],
    ['constraint', 'orders_customer_fkey', 'INSERT INTO orders (id, customer) VALUES (7, 99)'],
    ['permission', undefined, 'DELETE FROM totals'],
  ])('are %s, about %s: %s', async (errorClass, name, sql) => {
    expect(await classify(sql)).toEqual(name === undefined ? { errorClass } : { errorClass, name });
  });

  it('are permission in a transaction that only reads, and timeout where the server stops a statement', async () => {
    await database.exec('BEGIN READ ONLY');
    expect(await classify('DELETE FROM orders')).toEqual({ errorClass: 'permission' });
    await database.exec('ROLLBACK');
    expect(
      classifyError(postgresDialect, {
        vendorCode: '57014',
        message: 'canceling statement due to statement timeout',
      }),
    ).toEqual({ errorClass: 'timeout' });
    expect(classifyError(postgresDialect, { vendorCode: '53300', message: 'too many clients already' })).toEqual({
      errorClass: 'other',
    });
  });
});

describe('PostgreSQL as data', () => {
  itIsData(postgresDialect, [
    ['numeric(10,2)', 'NUMERIC'],
    ['double precision', 'NUMERIC'],
    ['timestamp with time zone', 'DATETIME'],
    ['timestamp(3) without time zone', 'DATETIME'],
    ['date[]', 'TEXT'],
    ['integer[]', 'TEXT'],
    ['interval', 'TEXT'],
    ['character varying(20)', 'TEXT'],
    ['jsonb', 'TEXT'],
    ['bit varying(8)', 'BINARY'],
  ]);

  it('quotes at least the names that PostgreSQL quotes, and keeps them apart by case', async () => {
    const words = [...postgresDialect.identifiers.reservedWords, 'NAME', 'DATE', 'VALUE', 'TYPE', 'YEAR', 'STATUS'];
    for (const word of words.map((each) => each.toLowerCase()))
      expect(quoteIfNeeded(word, postgresDialect)).toBe(await one(`SELECT quote_ident('${word}')`));
    expect(quoteIfNeeded('Name', postgresDialect)).toBe('"Name"');
    const odd = 'a"b\\ \'é;--';
    const alias = quoteIdentifier(odd, postgresDialect);
    const { rows } = await database.query<Record<string, unknown>>(
      `SELECT ${quoteString(odd, postgresDialect)} AS ${alias}`,
    );
    expect(rows).toEqual([{ [odd]: odd }]);
  });

  itHasProbesThatRun(postgresDialect, async (sql) => (await database.query(sql)).rows, 'documents');

  it('names no function as foreign that PostgreSQL has', async () => {
    const names = Object.keys(postgresDialect.foreignFunctions ?? {}).map((name) => `'${name.toLowerCase()}'`);
    const { rows } = await database.query(`SELECT proname FROM pg_proc WHERE proname IN (${names.join(', ')})`);
    expect(rows).toEqual([]);
    for (const name of Object.keys(postgresDialect.foreignFunctions ?? {}))
      expect(['function', 'syntax'], name).toContain((await classify(`SELECT ${name}(1, 2)`)).errorClass);
  });

  it('says nothing in its hints and traits that PostgreSQL does not do', async () => {
    expect(await one('SELECT 1 / 2')).toBe(0);
    expect(await one("SELECT 'a' LIKE 'A'")).toBe(false);
    expect(await one("SELECT 'a' ILIKE 'A'")).toBe(true);
    expect(await one("SELECT TO_CHAR(DATE '2024-03-09', 'YYYY-MM')")).toBe('2024-03');
    expect(await one("SELECT DATE '2024-03-09' - DATE '2024-03-01'")).toBe(8);
    expect(await one('SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY age) FROM customers')).toBe(38);
    expect(await one('SELECT x FROM (SELECT 1 AS x UNION SELECT NULL) AS t ORDER BY x DESC LIMIT 1')).toBeNull();
    expect(await one('SELECT COUNT(*) FROM (SELECT id, name FROM customers GROUP BY id) AS t')).toBe(2);
    expect(await one("SELECT COUNT(*) FROM orders WHERE placed = '02 Jan 2024'")).toBe(2);
    for (const wrong of [
      'SELECT name FROM customers QUALIFY row_number() OVER () = 1',
      'SELECT TOP 1 name FROM customers',
      "SELECT name FROM customers MINUS SELECT 'x'",
      'SELECT `name` FROM customers',
      'SELECT [name] FROM customers',
      'SELECT * FROM customers WHERE vip = 1',
      'SELECT ROUND(1.5::float8, 2)',
    ])
      await expect(database.query(wrong), wrong).rejects.toThrow();
  });
});
