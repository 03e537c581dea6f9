import { bigqueryLexer, mysqlLexer, postgresLexer, sqliteLexer } from '@askema/dialects';
import { expect, test } from 'vitest';
import { redactSql } from './redact-sql.ts';

test('keeps what the statement does and nothing of what it asks for', () => {
  const sql = "SELECT a.name /* Ada */ FROM people AS a WHERE a.name = 'Ada''s' AND a.age > 36.5 -- Ada\nLIMIT 10";
  expect(redactSql(sql, postgresLexer)).toBe('SELECT a.name FROM people AS a WHERE a.name = ? AND a.age > ? LIMIT ?');
  expect(redactSql("SELECT $tag$Ada$tag$, E'A\\'da', $1", postgresLexer)).toBe('SELECT ?, ?, $1');
  expect(redactSql('SELECT "Ada", r"""A"da""", b\'x\' FROM `t`', bigqueryLexer)).toBe('SELECT ?, ?, ? FROM `t`');
  expect(redactSql('SELECT "Ada", 0x41 FROM t', mysqlLexer)).toBe('SELECT ?, ? FROM t');
});

test('what is opened and never closed is gone to its end', () => {
  expect(redactSql("SELECT 1 FROM t WHERE name = 'Ada AND x = 1", postgresLexer)).toBe(
    'SELECT ? FROM t WHERE name = ?',
  );
});

test('names in quotes stay', () => {
  const sql = 'SELECT o."unit price" AS "who" FROM "order items" o';
  expect(redactSql(sql, sqliteLexer)).toBe(sql);
});
