import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { locateError } from './locate-error.ts';
import { locateName } from './locate-name.ts';

const database = new Database(':memory:');
database.exec('CREATE TABLE customer (id INTEGER, name TEXT); CREATE TABLE "order" (id INTEGER, customer_id INTEGER)');
afterAll(() => database.close());

function complaintOf(sql: string): string | undefined {
  try {
    database.prepare(sql);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** The place of the error, marked in the statement. */
function marked(sql: string): string | undefined {
  const message = complaintOf(sql);
  if (message === undefined) return 'no error';
  const offset = locateError(sql, message, complaintOf) ?? locateName(sql, message);
  return offset === undefined ? undefined : `${sql.slice(0, offset)}»${sql.slice(offset)}`;
}

test('syntax errors: the token that the parser stumbled over, not the first of its kind', () => {
  expect(marked('SELECT name, FROM customer')).toBe('SELECT name, »FROM customer');
  expect(marked('SELECT 1 FROM customer WHERE id = 1 WHERE id = 2')).toBe(
    'SELECT 1 FROM customer WHERE id = 1 »WHERE id = 2',
  );
  expect(marked("SELECT ')' /* ) */ FROM customer)")).toBe("SELECT ')' /* ) */ FROM customer»)");
  expect(marked('SELEC 1')).toBe('»SELEC 1');
});

test('the end, and tokens that are none', () => {
  expect(marked('SELECT * FROM customer WHERE ')).toBe('SELECT * FROM customer WHERE» ');
  expect(marked("SELECT 'a' FROM customer WHERE name = 'Ada")).toBe("SELECT 'a' FROM customer WHERE name = »'Ada");
});

test('names: where they stand, when they stand there once', () => {
  expect(marked('SELECT nam FROM customer')).toBe('SELECT »nam FROM customer');
  expect(marked('SELECT c.nam, c.name FROM customer c')).toBe('SELECT »c.nam, c.name FROM customer c');
  expect(marked('SELECT * FROM custmer')).toBe('SELECT * FROM »custmer');
  expect(marked('SELECT id FROM customer, "order"')).toBe('SELECT »id FROM customer, "order"');
  expect(marked('SELECT year(id) FROM customer')).toBe('SELECT »year(id) FROM customer');
  expect(marked('SELECT "nam" FROM customer')).toBe('SELECT »"nam" FROM customer');
  expect(marked('SELECT nam FROM customer ORDER BY nam')).toBeUndefined();
});

test('a token put where none may stand is found', () => {
  const valid = [
    'SELECT',
    'c',
    '.',
    'name',
    ',',
    'COUNT',
    '(',
    '*',
    ')',
    'FROM',
    'customer',
    'AS',
    'c',
    'WHERE',
    'c',
    '.',
    'id',
    '=',
    '1',
    'GROUP',
    'BY',
    'c',
    '.',
    'name',
  ];
  fc.assert(
    fc.property(fc.nat(valid.length), fc.constantFrom(' ', '\n', ' /* FROM */ '), (place, blank) => {
      const sql = [...valid.slice(0, place), 'TABLE', ...valid.slice(place)].join(blank);
      const offset = [...valid.slice(0, place), ''].join(blank).length;
      const message = complaintOf(sql) ?? '';
      fc.pre(message.includes('near "TABLE"'));
      expect(locateError(sql, message, complaintOf)).toBe(offset);
    }),
  );
});
