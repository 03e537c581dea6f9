import { duckdbDialect, mysqlDialect } from '@askema/dialects';
import { expect, test } from 'vitest';
import { fillParameters } from './fill-parameters.ts';

test('each placeholder has a text in its place, and nothing else has', () => {
  const fill = { value: 'RAND()', count: '1' };
  expect(fillParameters("SELECT ?, '?' FROM t -- ?\nWHERE a = ? LIMIT ?, ?", mysqlDialect.lexer, fill)).toBe(
    "SELECT RAND(), '?' FROM t -- ?\nWHERE a = RAND() LIMIT 1, 1",
  );
  expect(fillParameters('SELECT $1 + $least FROM t OFFSET $2', duckdbDialect.lexer, { value: 'NULL' })).toBe(
    'SELECT NULL + NULL FROM t OFFSET NULL',
  );
});
