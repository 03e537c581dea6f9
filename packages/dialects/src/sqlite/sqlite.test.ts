import { classifyError, type ErrorClass, logicalType, quoteIdentifier, quoteIfNeeded, quoteString } from '@askema/core';
import Database from 'better-sqlite3';
import * as fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { itHasProbesThatRun, itIsData } from '../engine-suite.ts';
import { sqliteDialect } from './sqlite.ts';

const database = new Database(':memory:');
afterAll(() => {
  database.close();
});
database.exec(`
  CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, age INT CHECK (age > 0), up TEXT GENERATED ALWAYS AS (upper(name)));
  CREATE TABLE orders (id INTEGER PRIMARY KEY, customer INT REFERENCES customers (id), name TEXT, payload TEXT) STRICT;
  CREATE VIEW names AS SELECT name FROM customers;
  INSERT INTO customers (id, name, age) VALUES (1, 'Ada', 36), (2, 'Grace', 40);
  INSERT INTO orders VALUES (1, 1, 'first', '{"a": [1, {"b": 2}]}');
  PRAGMA foreign_keys = ON;
`);

/** The error that a statement really gets, classified. */
const classify = (sql: string, on = database): { errorClass: ErrorClass; name?: string | undefined } => {
  try {
    const statement = on.prepare(sql);
    if (statement.reader) statement.all();
    else statement.run();
  } catch (error) {
    const { code, message } = error as { code: string; message: string };
    return classifyError(sqliteDialect, { vendorCode: code, message });
  }
  throw new Error(`SQLite accepts: ${sql}`);
};

describe('errors of SQLite', () => {
  it.each<[ErrorClass, string | undefined, string]>([
    ['identifier', 'custmers', 'SELECT * FROM custmers'],
    ['identifier', 'main.custmers', 'SELECT * FROM main.custmers'],
    ['identifier', 'nam', 'SELECT nam FROM customers'],
    ['identifier', 'c.nam', 'SELECT c.nam FROM customers AS c'],
    ['identifier', 'open', 'SELECT * FROM orders WHERE name = "open"'],
    ['identifier', 'name', 'SELECT name FROM customers JOIN orders'],
    ['identifier', 'surname', 'INSERT INTO customers (surname) VALUES (1)'],
    ['identifier', 'other.t', 'SELECT * FROM other.t'],
    ['identifier', 'klingon', 'SELECT name FROM customers ORDER BY name COLLATE klingon'],
    ['identifier', 'x', 'SELECT * FROM customers JOIN orders USING (x)'],
    ['identifier', 'customers', 'CREATE TABLE customers (a)'],
    ['function', 'DATE_TRUNC', "SELECT DATE_TRUNC('month', name) FROM customers"],
    ['function', 'substr', 'SELECT substr(name) FROM customers'],
    ['function', 'COUNT', 'SELECT name FROM customers WHERE COUNT(*) > 1'],
    ['function', 'SUM', 'SELECT SUM(SUM(age)) FROM customers'],
    ['function', 'row_number', 'SELECT name FROM customers WHERE row_number() OVER () = 1'],
    ['function', 'row_number', 'SELECT row_number() FROM customers'],
    ['function', 'lower', 'SELECT lower(name) OVER () FROM customers'],
    ['syntax', 'SELEC', 'SELEC * FROM customers'],
    ['syntax', 'FROM', 'SELECT name, FROM customers'],
    ['syntax', undefined, 'SELECT (1'],
    ['syntax', '"', 'SELECT "'],
    ['syntax', undefined, 'SELECT 1 UNION SELECT 1, 2'],
    ['syntax', undefined, 'SELECT (SELECT 1, 2)'],
    ['syntax', undefined, 'SELECT name FROM customers HAVING age > 1'],
    ['syntax', undefined, 'SELECT name FROM customers ORDER BY 7'],
    ['syntax', undefined, 'SELECT name FROM customers GROUP BY 7'],
    ['syntax', undefined, 'SELECT name FROM customers LIMIT 1 UNION SELECT 1'],
    ['syntax', undefined, 'SELECT *'],
    ['syntax', undefined, 'INSERT INTO customers VALUES (1)'],
    ['syntax', undefined, 'VALUES (1), (1, 2)'],
    ['type', undefined, "INSERT INTO customers (id, name) VALUES ('x', 'y')"],
    ['type', undefined, "INSERT INTO orders (customer) VALUES ('x')"],
    ['type', undefined, "SELECT json_extract('{', '$.a')"],
    ['type', undefined, "SELECT json_extract('{}', 'a')"],
    ['type', undefined, 'SELECT abs(-9223372036854775808)'],
    ['constraint', 'customers.name', "INSERT INTO customers (name) VALUES ('Ada')"],
    ['constraint', 'customers.name', 'INSERT INTO customers (age) VALUES (1)'],
    ['constraint', 'age > 0', "INSERT INTO customers (name, age) VALUES ('x', -1)"],
    ['constraint', undefined, 'INSERT INTO orders (customer) VALUES (99)'],
    ['constraint', 'up', "UPDATE customers SET up = 'x'"],
    ['permission', 'names', 'DELETE FROM names'],
    ['permission', undefined, 'DELETE FROM sqlite_schema'],
  ])('are %s, about %s: %s', (errorClass, name, sql) => {
    expect(classify(sql)).toEqual(name === undefined ? { errorClass } : { errorClass, name });
  });

  it('are permission on a database that is only read', () => {
    const readonly = new Database(':memory:');
    readonly.exec('CREATE TABLE t (x)');
    readonly.pragma('query_only = ON');
    expect(classify('INSERT INTO t VALUES (1)', readonly)).toEqual({ errorClass: 'permission' });
    readonly.close();
  });

  it('are other when nothing is known', () => {
    expect(classifyError(sqliteDialect, { vendorCode: 'SQLITE_BUSY', message: 'database is locked' })).toEqual({
      errorClass: 'other',
    });
    expect(classifyError(sqliteDialect, { vendorCode: 'SQLITE_INTERRUPT', message: 'interrupted' })).toEqual({
      errorClass: 'timeout',
    });
  });

  it('are found in time in a hostile message', () => {
    const started = performance.now();
    classifyError(sqliteDialect, { message: `no such table in ${'DISTINCT '.repeat(100_000)}` });
    classifyError(sqliteDialect, { message: `${"' ".repeat(100_000)}` });
    expect(performance.now() - started).toBeLessThan(2_500);
  });
});

describe('names in SQLite', () => {
  const accepts = (sql: string): boolean => {
    try {
      database.prepare(sql);
      return true;
    } catch {
      return false;
    }
  };

  it('are quoted where SQLite refuses them bare, as a column, a table and an alias', () => {
    const words = [
      ...sqliteDialect.identifiers.reservedWords,
      'NAME',
      'DATE',
      'VALUE',
      'TYPE',
      'USER',
      'YEAR',
      'TRUE',
      'ROWID',
      'MONTH',
      'TIME',
      'LEVEL',
      'STATUS',
    ];
    const refused = words.filter(
      (word) => !accepts(`SELECT 1 AS ${word}`) || !accepts(`WITH ${word} AS (SELECT 1 AS x) SELECT x FROM ${word}`),
    );
    expect(refused.length).toBeGreaterThan(50);
    expect(refused.filter((word) => quoteIfNeeded(word.toLowerCase(), sqliteDialect) === word.toLowerCase())).toEqual(
      [],
    );
    expect(
      words.filter(
        (word) =>
          !accepts(
            `WITH ${quoteIfNeeded(word, sqliteDialect)} AS (SELECT 1 AS ${quoteIfNeeded(word, sqliteDialect)}) SELECT 1 FROM ${quoteIfNeeded(word, sqliteDialect)}`,
          ),
      ),
    ).toEqual([]);
    expect(quoteIfNeeded('customer_name', sqliteDialect)).toBe('customer_name');
  });

  it('and texts come back from SQLite as they went in', () => {
    const text = fc
      .string({
        unit: fc.oneof(
          fc.constantFrom('"', "'", '`', '[', ']', '\\', '\n', ';', '-'),
          fc.string({ unit: 'grapheme', minLength: 1, maxLength: 1 }),
        ),
        minLength: 1,
        maxLength: 12,
      })
      .filter((value) => !/\0|\p{Surrogate}/u.test(value));
    fc.assert(
      fc.property(text, (value) => {
        const statement = database.prepare(
          `SELECT ${quoteString(value, sqliteDialect)} AS ${quoteIdentifier(value, sqliteDialect)}`,
        );
        expect(statement.columns()[0]?.name).toBe(value);
        expect(statement.pluck().get()).toBe(value);
      }),
      { numRuns: 300 },
    );
  });
});

describe('types of SQLite', () => {
  it.each([
    ['INTEGER', 'NUMERIC'],
    ['bigint', 'NUMERIC'],
    ['DECIMAL(10,2)', 'NUMERIC'],
    ['double precision', 'NUMERIC'],
    ['REAL', 'NUMERIC'],
    ['NUMERIC', 'NUMERIC'],
    ['NUM', 'NUMERIC'],
    ['YEAR', 'NUMERIC'],
    ['VARCHAR(20)', 'TEXT'],
    ['TEXT', 'TEXT'],
    ['', 'TEXT'],
    ['JSON', 'TEXT'],
    ['uuid', 'TEXT'],
    ["enum('a','b')", 'TEXT'],
    ['SOMETHING', 'TEXT'],
    ['STRING', 'TEXT'],
    ['DATE', 'DATETIME'],
    ['timestamp with time zone', 'DATETIME'],
    ['TIME', 'DATETIME'],
    ['BLOB', 'BINARY'],
    ['VARBINARY(16)', 'BINARY'],
    ['BOOLEAN', 'BOOL'],
    ['bool', 'BOOL'],
    ['BIT', 'BOOL'],
  ])('%j is %s', (native, type) => {
    expect(logicalType(native, sqliteDialect)).toBe(type);
  });
});

describe('the dialect as data', () => {
  itIsData(sqliteDialect);

  itHasProbesThatRun(sqliteDialect, (sql) => database.prepare(sql).all());

  it('says nothing in its hints that SQLite does not do', () => {
    const one = (sql: string): unknown => database.prepare(sql).pluck().get();
    expect(one('SELECT 1 / 2')).toBe(0);
    expect(one('SELECT 1.0 * 1 / 2')).toBe(0.5);
    expect(one("SELECT 'a' || NULL")).toBeNull();
    expect(one("SELECT 'ÄA' LIKE 'Äa'")).toBe(1);
    expect(one("SELECT 'Ä' LIKE 'ä'")).toBe(0);
    expect(one("SELECT date('2024-01-31', '+1 month')")).toBe('2024-03-02');
    expect(one("SELECT strftime('%Y-%m', '2024-03-09')")).toBe('2024-03');
    expect(one('SELECT TRUE')).toBe(1);
    expect(one('SELECT x FROM (SELECT 1 AS x UNION SELECT NULL) ORDER BY x LIMIT 1')).toBeNull();
    expect(one('SELECT COUNT(*) FILTER (WHERE age > 36) FROM customers FULL JOIN orders ON FALSE')).toBe(1);
    expect(one('SELECT TOTAL(age), GROUP_CONCAT(name) FROM customers')).toBe(76);
    expect(one('SELECT MEDIAN(age) FROM customers')).toBe(38);
    expect(one('SELECT PERCENTILE(age, 50) FROM customers')).toBe(38);
    for (const wrong of [
      "SELECT 'a' ILIKE 'a'",
      "SELECT 'a' REGEXP 'a'",
      'SELECT STDDEV(age) FROM customers',
      'SELECT VARIANCE(age) FROM customers',
      "SELECT EXTRACT(YEAR FROM '2024-01-01')",
      "SELECT YEAR('2024-01-01')",
      "SELECT DATEDIFF('2024-01-01', '2024-01-02')",
      "SELECT date('2024-01-01') + INTERVAL 1 DAY",
      'SELECT TOP 1 name FROM customers',
      'SELECT 1 WHERE 1 > ANY (SELECT 2)',
      'SELECT name FROM customers QUALIFY 1',
      'SELECT * FROM customers, LATERAL (SELECT 1)',
    ])
      expect(() => database.prepare(wrong).all(), wrong).toThrow();
  });
});
