import { expect, test } from 'vitest';
import { shapeOf } from './statement-memory.ts';

const isSame = (one: string, other: string): boolean => shapeOf(one) === shapeOf(other);

test('statements that differ in their numbers have one shape', () => {
  expect(isSame('SELECT a FROM t WHERE b > 1.5 LIMIT 3', 'SELECT a FROM t WHERE b > 20 LIMIT 100')).toBe(true);
  expect(isSame('SELECT x[1:2] FROM t', 'SELECT x[3:4] FROM t')).toBe(true);
});

test.each([
  ['words', 'SELECT log2(a) FROM t1', 'SELECT log10(a) FROM t1'],
  ['schemas', 'SELECT * FROM s1.t', 'SELECT * FROM s2.t'],
  ['behind a dot', 'SELECT * FROM t.1', 'SELECT * FROM t.2'],
  ['names in quotes', 'SELECT "a 1"()', 'SELECT "a 2"()'],
  ['strings, which may be files', "FROM 'a 1.csv'", "FROM 'a 2.csv'"],
  ['a quote in a string', "SELECT 'it''s', f1(1)", "SELECT 'it''s', f2(1)"],
  ['what a dollar quotes', "SELECT $$'$$, f(1), 'x 1'", "SELECT $$'$$, f(1), 'x 2'"],
  ['escapes', String.raw`SELECT e'\'', 1, '`, String.raw`SELECT e'\'', 2, '`],
  ['comments', "SELECT 1 -- '\n, 1 --", "SELECT 1 -- '\n, 2 --"],
  ['block comments', "SELECT /* ' */ 1", "SELECT /* ' */ 2"],
  ['parameters', 'SELECT $1', 'SELECT $2'],
  ['positions', 'SELECT #1 FROM t', 'SELECT #2 FROM t'],
  ['names beyond ASCII', 'SELECT ü1()', 'SELECT ü2()'],
  ['numbers in other forms', 'SELECT 0x11', 'SELECT 0x12'],
])('but not where the digits may be something else: %s', (_what, one, other) => {
  expect(isSame(one, other)).toBe(false);
});
