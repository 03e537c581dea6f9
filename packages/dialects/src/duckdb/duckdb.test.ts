import { classifyError, type ErrorClass, quoteIdentifier, quoteIfNeeded, quoteString } from '@askema/core';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { itHasProbesThatRun, itIsData } from '../engine-suite.ts';
import { duckdbDialect } from './duckdb.ts';

vi.setConfig({ testTimeout: 60_000 });

let instance: DuckDBInstance;
let database: DuckDBConnection;
beforeAll(async () => {
  instance = await DuckDBInstance.create(':memory:');
  database = await instance.connect();
  await database.run(`
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, age INT CHECK (age > 0), born TIMESTAMP);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INT REFERENCES customers (id), name TEXT, placed DATE, payload TEXT);
    CREATE VIEW totals AS SELECT COUNT(*) AS n FROM customers;
    INSERT INTO customers (id, name, age) VALUES (1, 'Ada', 36), (2, 'Grace', 40);
    INSERT INTO orders VALUES (1, 1, 'first', '2024-01-02', '["a", {"b": 2}]');
  `);
}, 60_000);
afterAll(() => {
  database.closeSync();
  instance.closeSync();
});

async function messageOf(sql: string): Promise<string> {
  try {
    await database.runAndReadAll(sql);
  } catch (error) {
    return (error as Error).message;
  }
  throw new Error(`DuckDB accepts: ${sql}`);
}

const one = async (sql: string): Promise<unknown> => (await database.runAndReadAll(sql)).getRowsJson()[0]?.[0];

describe('errors of DuckDB', () => {
  it.each<[ErrorClass, string | undefined, string]>([
    ['identifier', 'custmers', 'SELECT * FROM custmers'],
    ['identifier', 'other.t', 'SELECT * FROM other.t'],
    ['identifier', 'nam', 'SELECT nam FROM customers'],
    ['identifier', 'nam', 'SELECT c.nam FROM customers AS c'],
    ['identifier', 'x', 'SELECT x.nam FROM customers AS c'],
    ['identifier', 'name', 'SELECT name FROM customers JOIN orders ON TRUE'],
    ['identifier', 'surname', 'INSERT INTO customers (surname) VALUES (1)'],
    ['identifier', 'klingon', 'SELECT name FROM customers ORDER BY name COLLATE klingon'],
    ['identifier', 'klingon', 'SELECT CAST(1 AS klingon)'],
    ['identifier', 'x', 'SELECT * FROM customers JOIN orders USING (x)'],
    ['identifier', 'customers', 'CREATE TABLE customers (a INT)'],
    ['identifier', 'a', 'CREATE TABLE d (a INT, a INT)'],
    ['identifier', 'c', 'SELECT * FROM customers AS c, customers AS c'],
    ['function', 'date_format', "SELECT DATE_FORMAT(name, 'x') FROM customers"],
    ['function', 'strftime', "SELECT strftime('%Y', name) FROM customers"],
    ['function', 'sum', 'SELECT SUM(name) FROM customers'],
    ['function', undefined, 'SELECT name FROM customers WHERE COUNT(*) > 1'],
    ['function', undefined, 'SELECT SUM(SUM(age)) FROM customers'],
    ['function', undefined, 'SELECT name FROM customers WHERE row_number() OVER () = 1'],
    ['function', 'lower', 'SELECT lower(name) OVER () FROM customers'],
    ['syntax', 'SELEC', 'SELEC * FROM customers'],
    ['syntax', undefined, 'SELECT (1'],
    ['syntax', undefined, 'SELECT 1 UNION SELECT 1, 2'],
    ['syntax', undefined, 'SELECT (SELECT name FROM customers)'],
    ['syntax', undefined, 'SELECT name, COUNT(*) FROM customers'],
    ['syntax', undefined, 'SELECT name FROM customers ORDER BY 7'],
    ['type', undefined, "SELECT * FROM customers WHERE id = 'x'"],
    ['type', undefined, 'SELECT * FROM customers WHERE name = 5'],
    ['type', undefined, "SELECT * FROM customers WHERE id LIKE '1%'"],
    ['type', undefined, "SELECT 'a' + 1"],
    ['type', undefined, "SELECT * FROM orders WHERE placed = '02/01/2024'"],
    ['type', undefined, 'SELECT 9223372036854775807 + 1'],
    ['constraint', undefined, "INSERT INTO customers (id, name) VALUES (3, 'Ada')"],
    ['constraint', 'customers.name', 'INSERT INTO customers (id) VALUES (3)'],
    ['constraint', undefined, "INSERT INTO customers (id, name, age) VALUES (3, 'x', -1)"],
    ['constraint', undefined, 'INSERT INTO orders (id, customer) VALUES (7, 99)'],
    ['permission', undefined, 'DELETE FROM totals'],
  ])('are %s, about %s: %s', async (errorClass, name, sql) => {
    const message = await messageOf(sql);
    const expected = name === undefined ? { errorClass } : { errorClass, name };
    expect(classifyError(duckdbDialect, { message })).toEqual(expected);
    // Some drivers give the kind apart.
    const [, vendorCode, rest = ''] = /^(.+?) Error: (.*)$/s.exec(message) ?? [];
    expect(classifyError(duckdbDialect, { vendorCode, message: rest })).toEqual(expected);
  });

  it('are permission in a database that is only read, and timeout where a statement is interrupted', () => {
    const message =
      'Invalid Input Error: Cannot execute statement of type "CREATE" on database "x" which is attached in read-only mode!';
    expect(classifyError(duckdbDialect, { message })).toEqual({ errorClass: 'permission' });
    expect(classifyError(duckdbDialect, { message: 'INTERRUPT Error: Interrupted!' })).toEqual({
      errorClass: 'timeout',
    });
    expect(classifyError(duckdbDialect, { message: 'IO Error: No files found' })).toEqual({ errorClass: 'other' });
  });
});

describe('DuckDB as data', () => {
  itIsData(duckdbDialect, [
    ['BIGINT', 'NUMERIC'],
    ['DECIMAL(10,2)', 'NUMERIC'],
    ['INTEGER[]', 'TEXT'],
    ['STRUCT(a INTEGER)', 'TEXT'],
    ['MAP(VARCHAR, INTEGER)', 'TEXT'],
    ['TIMESTAMP WITH TIME ZONE', 'DATETIME'],
    ['TIMESTAMP_NS', 'DATETIME'],
    ['DATE', 'DATETIME'],
    ["ENUM('a', 'b')", 'TEXT'],
    ['UUID', 'TEXT'],
    ['BLOB', 'BINARY'],
  ]);

  it('quotes every word that DuckDB refuses bare', async () => {
    const { reservedWords } = duckdbDialect.identifiers;
    const rows = await database.runAndReadAll(
      "SELECT upper(keyword_name) FROM duckdb_keywords() WHERE keyword_category != 'unreserved'",
    );
    expect(
      rows
        .getRowsJson()
        .flat()
        .filter((word) => !reservedWords.includes(String(word))),
    ).toEqual([]);
    for (const word of reservedWords) {
      const name = quoteIfNeeded(word.toLowerCase(), duckdbDialect);
      await database.run(`WITH ${name} AS (SELECT 1 AS ${name}) SELECT ${name} FROM ${name}`);
    }
    const odd = 'a"b\\ \'é;--';
    const sql = `SELECT ${quoteString(odd, duckdbDialect)} AS ${quoteIdentifier(odd, duckdbDialect)}`;
    expect((await database.runAndReadAll(sql)).getRowObjectsJson()).toEqual([{ [odd]: odd }]);
  });

  itHasProbesThatRun(duckdbDialect, async (sql) => (await database.runAndReadAll(sql)).getRowsJson());

  it('names no function as foreign that DuckDB has', async () => {
    for (const name of Object.keys(duckdbDialect.foreignFunctions ?? {})) {
      const message = await messageOf(`SELECT ${name}(1, 2)`);
      expect(message, name).toMatch(/with name \S+ does not exist|Parser Error/);
    }
  });

  it('says nothing in its hints and traits that DuckDB does not do', async () => {
    expect(await one('SELECT 1 / 2')).toBe(0.5);
    expect(await one('SELECT 7 // 2')).toBe(3);
    expect(await one("SELECT 'a' LIKE 'A'")).toBe(false);
    expect(await one("SELECT strftime(DATE '2024-03-09', '%Y-%m')")).toBe('2024-03');
    expect(await one("SELECT date_diff('day', DATE '2024-03-01', DATE '2024-03-09')")).toBe('8');
    expect(await one('SELECT median(age) FROM customers')).toBe(38);
    expect(await one('SELECT x FROM (SELECT 1 AS x UNION SELECT NULL) AS t ORDER BY x DESC LIMIT 1')).toBe(1);
    expect(await one("SELECT TRY_CAST('x' AS INTEGER)")).toBeNull();
    expect(await one('SELECT name FROM customers QUALIFY row_number() OVER (ORDER BY name) = 1')).toBe('Ada');
    expect(await one("SELECT {'a': 5}.a")).toBe(5);
    for (const wrong of [
      'SELECT TOP 1 name FROM customers',
      "SELECT name FROM customers MINUS SELECT 'x'",
      'SELECT `name` FROM customers',
      'SELECT id, name, COUNT(*) FROM customers GROUP BY id',
    ])
      await messageOf(wrong);
  });
});
