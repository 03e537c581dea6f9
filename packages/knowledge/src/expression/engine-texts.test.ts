import { bigqueryDialect, mysqlDialect } from '@askema/dialects';
import { expect, it } from 'vitest';
import { parseExpression } from './parse-expression.ts';

it.each([
  [String.raw`'it\'s'`, "it's"],
  [String.raw`'a\\b\n'`, 'a\\b\n'],
  [`'it''s ""'`, `it's ""`],
  [`"a""b''c"`, `a"b''c`],
])('reads %s of MySQL as the engine does', (text, value) => {
  expect(parseExpression(text, mysqlDialect.lexer)).toMatchObject({ kind: 'literal', value });
});

it.each([
  [String.raw`a LIKE '10\%'`, mysqlDialect],
  [String.raw`'\x41'`, bigqueryDialect],
  [String.raw`'\0'`, mysqlDialect],
])('refuses %s, which engines read in several ways', (text, { lexer }) => {
  expect(() => parseExpression(text, lexer)).toThrow(/write the character itself/);
});
