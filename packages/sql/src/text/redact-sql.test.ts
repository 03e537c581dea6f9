import { bigqueryLexer, duckdbLexer, mysqlLexer, postgresLexer, snowflakeLexer, sqliteLexer } from '@askema/dialects';
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

test('what stands in double quotes is gone where it may be a text', () => {
  const sql = 'SELECT "Ada", t."Age" FROM "t" WHERE t.name = "Ada" AND x IN ("Ada", "Bo") OR y LIKE "Ad%"';
  expect(redactSql(sql, sqliteLexer)).toBe('SELECT ?, t."Age" FROM "t" WHERE t.name = ? AND x IN (?, ?) OR y LIKE ?');
  for (const lexer of [postgresLexer, duckdbLexer, snowflakeLexer])
    expect(redactSql(sql, lexer)).toBe('SELECT "Ada", t."Age" FROM "t" WHERE t.name = ? AND x IN (?, ?) OR y LIKE ?');
  const columns = 'SELECT "Name", count(*) FROM "t" JOIN "u" ON "t"."id" = "u"."id" GROUP BY "Name" ORDER BY "Name"';
  expect(redactSql(columns, postgresLexer)).toBe(columns);
});

test('where a text ended too early, nothing stays from the first text on', () => {
  const torn = [
    "SELECT * FROM t WHERE name = 'O\\'Brien'",
    "SELECT * FROM t WHERE name = 'O\\'Brien' OR name = 'D\\'Arc'",
    "SELECT * FROM t WHERE name = 'the ''one'' of'Ada'",
    'SELECT * FROM t WHERE name = "a\\"Brien"',
  ];
  for (const sql of torn) expect(redactSql(sql, sqliteLexer)).toBe('SELECT * FROM t WHERE name = ?');
  expect(redactSql("SELECT 'a' FROM t WHERE x = ‘Ada Lovelace’", sqliteLexer)).toBe('SELECT ?');
  expect(redactSql("SELECT E'a' FROM t WHERE x = 'b'::text", postgresLexer)).toBe('SELECT ? FROM t WHERE x = ?::text');
});
