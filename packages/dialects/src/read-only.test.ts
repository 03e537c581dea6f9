import type { LexerTraits } from '@askema/core';
import { isSelectOnly, readOnlyText, statementKind } from '@askema/sql';
import { describe, expect, it } from 'vitest';
import {
  ansiLexer,
  bigqueryLexer,
  duckdbLexer,
  mysqlLexer,
  postgresLexer,
  snowflakeLexer,
  sqliteDialect,
} from './index.ts';

const sqlite = sqliteDialect.lexer;
const ALL: Readonly<Record<string, LexerTraits>> = {
  ansi: ansiLexer,
  bigquery: bigqueryLexer,
  duckdb: duckdbLexer,
  mysql: mysqlLexer,
  postgres: postgresLexer,
  snowflake: snowflakeLexer,
  sqlite,
};

describe.each(Object.entries(ALL))('readOnlyText, %s', (_, traits) => {
  it.each([
    'SELECT 1',
    ' -- x\n (SELECT 1) ;; ',
    'VALUES (1), (2)',
    'WITH a AS (SELECT 1), b AS ((WITH c AS (SELECT 2) SELECT 3)) (SELECT * FROM a) UNION ALL SELECT 1 FROM b;',
    'EXPLAIN SELECT 1',
    'EXPLAIN WITH a AS (SELECT 1) SELECT 2',
    "SELECT 'DROP TABLE x; DELETE', a.update, created FROM t -- ; DROP TABLE t",
    "SELECT REPLACE(a, 'b', 'c'), INSERT('abc', 1, 2, 'z') FROM t FOR SYSTEM_TIME AS OF x",
    'SELECT * FROM (WITH a AS (SELECT 1) SELECT * FROM a) AS t',
  ])('reads: %s', (sql) => {
    expect(readOnlyText(sql, traits)).toEqual({ ok: true });
    expect(statementKind(sql, traits)).toBe('read');
  });

  it.each<[string, string, string]>([
    ['INSERT INTO t VALUES (1)', 'write', 'INSERT'],
    ['/* x */ update t SET a = 1', 'write', 'update'],
    ['WITH a AS (SELECT 1) DELETE FROM t', 'write', 'DELETE'],
    ['WITH a AS (SELECT 1) (DELETE FROM t)', 'write', 'DELETE'],
    ['WITH a AS (DELETE FROM t RETURNING *) SELECT * FROM a', 'write', 'DELETE'],
    ['SELECT * FROM (WITH a AS ((UPDATE t SET x = 1)) SELECT 1) AS b', 'write', 'UPDATE'],
    ['MERGE INTO t USING s ON 1 = 1', 'write', 'MERGE'],
    ['SELECT a INTO b FROM t', 'write', 'INTO'],
    ['EXPLAIN ANALYZE DELETE FROM t', 'write', 'DELETE'],
    ['EXPLAIN (ANALYZE, COSTS) DELETE FROM t', 'write', 'DELETE'],
    ['SELECT 1; DELETE FROM t', 'write', 'DELETE'],
    ['TRUNCATE TABLE t', 'write', 'TRUNCATE'],
    ['COPY t TO STDOUT', 'write', 'COPY'],
    ['CREATE TABLE t AS SELECT 1', 'ddl', 'CREATE'],
    ['(DROP TABLE t)', 'ddl', 'DROP'],
    ['GRANT ALL ON t TO x', 'ddl', 'GRANT'],
    ['CALL p()', 'other', 'CALL'],
    ["EXECUTE IMMEDIATE 'DROP TABLE t'", 'other', 'EXECUTE'],
    ['PRAGMA x = 1', 'other', 'PRAGMA'],
    ['BEGIN; SELECT 1; END', 'other', 'BEGIN'],
    ['ATTACH x', 'other', 'ATTACH'],
    ['GET @~/x file:///tmp', 'other', 'GET'],
    ['x', 'other', 'x'],
    ['WITH a AS (SELECT 1)', 'other', ''],
    ["WITH a AS PROCEDURE () RETURNS INT LANGUAGE SQL AS 'x' CALL a()", 'other', 'WITH'],
    ['SELECT * FROM (WITH a AS (SELECT 1), b AS PROCEDURE () CALL b()) AS c', 'other', ','],
    ['WITH', 'other', 'WITH'],
    ['1', 'other', '1'],
  ])('does not: %s', (sql, kind, at) => {
    const verdict = readOnlyText(sql, traits);
    expect(verdict).toMatchObject({ ok: false });
    if (!verdict.ok) expect(sql.slice(verdict.position).startsWith(at)).toBe(true);
    expect(statementKind(sql, traits)).toBe(kind);
  });

  it.each([
    ['', 'no statement'],
    [' ; -- x', 'no statement'],
    ['SELECT 1; SELECT 2', 'more than one'],
    ["SELECT 'a", 'never closed'],
    ['SELECT 1 /* x', 'never closed'],
    ['SELECT "a', 'never closed'],
    ['SELECT 1\0', 'NUL'],
    ['SELECT 1 FROM t FOR UPDATE', 'locks'],
    ['SELECT 1 FROM t FOR NO KEY UPDATE', 'locks'],
  ])('says why: %j', (sql, why) => {
    expect(readOnlyText(sql, traits)).toMatchObject({ ok: false, reason: expect.stringContaining(why) });
  });
});

describe('readOnlyText sees what the engine runs', () => {
  it.each<[string, LexerTraits, string]>([
    ...[bigqueryLexer, duckdbLexer, mysqlLexer, postgresLexer].map((traits): [string, LexerTraits, string] => [
      `SELECT 4//*'*/2; DELETE FROM t -- '`,
      traits,
      'DELETE',
    ]),
    [`SELECT 4//*'*/2, GET_LOCK('a', 0) -- '`, mysqlLexer, 'GET_LOCK'],
    [`SELECT 4//*'*/2, pg_sleep(1) -- '`, postgresLexer, 'PG_SLEEP'],
    [`SELECT 1 --\x01'\n, SLEEP(1) -- '`, mysqlLexer, 'SLEEP'],
    [`SELECT * FROM EXTERNAL_QUERY\u0085('a.b.c', 'SELECT 1')`, bigqueryLexer, 'EXTERNAL_QUERY'],
    [`SELECT * FROM query\u200B('SELECT 1')`, duckdbLexer, 'QUERY'],
  ])('%j', (sql, traits, name) => {
    const verdict = readOnlyText(sql, traits);
    expect(verdict.ok || verdict.reason).toMatch(new RegExp(`^(?:${name}|There is more than one statement)`));
  });
});

describe('readOnlyText by dialect', () => {
  const refuses = (sql: string, traits: LexerTraits): boolean => !readOnlyText(sql, traits).ok;

  it('BigQuery lets a script declare and define for itself, and no more', () => {
    const allowed = [
      "DECLARE a STRING DEFAULT 'x;'; SET a = 'y'; WITH b AS (SELECT a) SELECT * FROM b",
      'CREATE TEMP FUNCTION f(x INT64) AS (x + 1); SELECT f(1)',
      "CREATE TEMP FUNCTION f(x INT64) RETURNS INT64 LANGUAGE js AS '''return x; // '; DROP'''; SELECT f(1)",
      'FROM t |> WHERE a > 1 |> SET b = 2 |> DROP c',
    ];
    for (const sql of allowed)
      expect({ sql, verdict: readOnlyText(sql, bigqueryLexer) }).toEqual({ sql, verdict: { ok: true } });
    for (const sql of [
      'CREATE FUNCTION f(x INT64) AS (x + 1); SELECT f(1)',
      "SET @@dataset_id = 'x'; SELECT 1",
      'DECLARE a INT64',
      'DECLARE a INT64; DELETE FROM t WHERE TRUE',
      'DECLARE a INT64; DELETE FROM t WHERE TRUE; SELECT 1',
      'SELECT 1; DECLARE a INT64',
      "SELECT * FROM EXTERNAL_QUERY('c', 'DROP TABLE x')",
      "SELECT AI.IF(('spam?', body)) FROM mails",
      'SELECT ai . score(x) FROM t',
      "SELECT `AI`.`CLASSIFY`(x, ['a']) FROM t",
      'SELECT * FROM ML.TRANSLATE(MODEL m, TABLE t)',
      'SELECT * FROM ML.PREDICT(MODEL d.m, TABLE t)',
      "SELECT OBJ.GET_ACCESS_URL(r, 'rw')",
      'FROM t |> INSERT INTO x',
      'BEGIN SELECT 1; END',
      "EXPORT DATA OPTIONS(uri='gs://x') AS SELECT 1",
    ])
      expect({ sql, refused: refuses(sql, bigqueryLexer) }).toEqual({ sql, refused: true });
  });

  it('Snowflake: chained statements, system functions, sequences, stages', () => {
    for (const sql of [
      'SHOW TABLES',
      'DESC TABLE t',
      'SHOW TABLES ->> SELECT * FROM $1',
      'SELECT a:b.c::INT, $1 FROM t, LATERAL FLATTEN(a)',
    ])
      expect({ sql, verdict: readOnlyText(sql, snowflakeLexer) }).toEqual({ sql, verdict: { ok: true } });
    for (const sql of [
      'SELECT 1 ->> DELETE FROM t',
      "SELECT SYSTEM$CANCEL_QUERY('x')",
      'SELECT s.nextval',
      'PUT file:///x @~',
      'LIST @x; DROP TABLE t',
      "SELECT 'a\\'; DROP TABLE t; --'; DROP TABLE t",
      'SELECT 1 // x\r; DROP TABLE t',
      'SELECT {{ x }}',
      '/* /* */ SELECT 1',
    ])
      expect({ sql, refused: refuses(sql, snowflakeLexer) }).toEqual({ sql, refused: true });
  });

  it('PostgreSQL: what its own lexer reads in another way', () => {
    for (const sql of [
      "SELECT E'\\'' || $a$; DROP TABLE t; $a$, U&'x', '\\'",
      '/* a /* b */ ; DROP TABLE t; */ TABLE t',
      'SHOW server_version',
    ])
      expect({ sql, verdict: readOnlyText(sql, postgresLexer) }).toEqual({ sql, verdict: { ok: true } });
    for (const sql of [
      // A string that goes on keeps the escapes of its first part.
      "SELECT E'a'\n'\\' OR '; DROP TABLE t; --'",
      "SELECT '\\'; DROP TABLE t; --'",
      '/* a /* b */ ; DROP TABLE t; -- */',
      'SELECT 1 -- x\r; DROP TABLE t',
      'SELECT $a$ $b$; DROP TABLE t; $b$',
      'SELECT pg_catalog."pg_read_file"(\'/etc/passwd\')',
      "SELECT setval('s', 1)",
      'SELECT lo_unlink(1)',
      'SET default_transaction_read_only = off; SELECT 1',
      'DO $$ BEGIN DROP TABLE t; END $$',
      "SELECT crdb_internal.write_file('x', 'nodelocal://1/x')",
    ])
      expect({ sql, refused: refuses(sql, postgresLexer) }).toEqual({ sql, refused: true });
  });

  it('SQLite: functions of other builds that reach files, also as tables without brackets', () => {
    for (const sql of [
      'SELECT fsdir, zipfile FROM t AS window GROUP BY a, fsdir ORDER BY 1, zipfile',
      "SELECT a FROM t WHERE kind IN ('fsdir', 'zipfile') AND f(a, 'fsdir') AND a IS DISTINCT FROM 'fsdir'",
      "SELECT t.fsdir, (SELECT max(a) FROM u) FROM t JOIN u ON u.kind = 'zipfile' AND f(u.a, 'zipfile') LIMIT 2, 3",
      'SELECT * FROM json_each(t.fsdir) AS a, t',
    ])
      expect({ sql, verdict: readOnlyText(sql, sqlite) }).toEqual({ sql, verdict: { ok: true } });
    for (const sql of [
      "SELECT WriteFile('x', 'y')",
      "SELECT [readfile] ('x')",
      "SELECT * FROM fsdir WHERE path = '.'",
      "SELECT * FROM /* x */ main . 'fsdir' WHERE path = '.'",
      "SELECT * FROM 'fsdir'('.')",
      "SELECT * FROM t AS window, fsdir WHERE path = '.'",
      "SELECT * FROM t LEFT JOIN u ON f(t.a, u.a), [zipfile] WHERE file = 'x'",
      "SELECT * FROM t JOIN (u CROSS JOIN (v, `fsdir`)) USING (a) WHERE path = '.'",
      "SELECT (SELECT name FROM fsdir WHERE path = '.') FROM t",
      'SELECT 1 FROM t WHERE a IN fsdir',
      'WITH x AS (SELECT * FROM sqlite_dbpage) SELECT * FROM x',
    ])
      expect({ sql, refused: refuses(sql, sqlite) }).toEqual({ sql, refused: true });
  });

  it('DuckDB: FROM first, and no files', () => {
    for (const sql of ['FROM t SELECT a', 'SUMMARIZE t', 'PIVOT t ON a', 'SELECT t.query FROM t'])
      expect({ sql, verdict: readOnlyText(sql, duckdbLexer) }).toEqual({ sql, verdict: { ok: true } });
    for (const sql of [
      "SELECT * FROM read_csv('/etc/passwd')",
      'INSTALL httpfs',
      "COPY t TO 'x'",
      'PRAGMA x',
      'CALL x()',
      'SET x = 1',
    ])
      expect({ sql, refused: refuses(sql, duckdbLexer) }).toEqual({ sql, refused: true });
  });
});

it('isSelectOnly takes queries alone', () => {
  for (const sql of ['SELECT 1', '(VALUES (1))', 'WITH a AS (SELECT 1) SELECT 2', 'FROM t']) {
    expect({ sql, only: isSelectOnly(sql, duckdbLexer) }).toEqual({ sql, only: true });
  }
  for (const sql of ['SHOW TABLES', 'EXPLAIN SELECT 1', 'WITH a AS (SELECT 1) DELETE FROM t', '', 'SELECT 1; SELECT 2'])
    expect({ sql, only: isSelectOnly(sql, duckdbLexer) }).toEqual({ sql, only: false });
});
