import Database from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { READING_PRAGMA_NAMES, refuseByText, statementKind } from './statement-rule.ts';

const codeOf = (sql: string, access: 'read' | 'write' = 'read') => refuseByText(sql, access)?.code;

test('reading statements and reading pragmas pass', () => {
  for (const sql of [
    'SELECT 1',
    '  ;; /* x */ -- y\n WITH a AS (SELECT 1) SELECT * FROM a',
    'VALUES (1)',
    'EXPLAIN QUERY PLAN SELECT 1',
    'PRAGMA table_info(customer)',
    'PRAGMA main . "table_info" ("customer") ;',
    'PRAGMA user_version',
    'pragma integrity_check(10)',
  ])
    expect({ sql, refusal: refuseByText(sql, 'read') }).toEqual({ sql, refusal: undefined });
});

test('writes are refused for a reader only; other files, transactions and settings always', () => {
  for (const sql of [
    'INSERT INTO a VALUES (1)',
    'replace into a values (1)',
    'EXPLAIN DELETE FROM a',
    '/**/DROP TABLE a',
  ]) {
    expect({ sql, code: codeOf(sql) }).toEqual({ sql, code: 'QUERY_NOT_READ_ONLY' });
    expect({ sql, code: codeOf(sql, 'write') }).toEqual({ sql, code: undefined });
  }
  for (const sql of [
    "ATTACH 'x' AS y",
    'VACUUM',
    "VACUUM INTO 'x'",
    'BEGIN',
    'END',
    'PRAGMA user_version = 1',
    'PRAGMA user_version(1)',
    'PRAGMA optimize',
    'PRAGMA',
    'SELECT 1\0',
  ])
    for (const access of ['read', 'write'] as const)
      expect({ sql, access, code: codeOf(sql, access) }).toEqual({ sql, access, code: 'QUERY_REFUSED' });
});

test('a refusal says what is allowed instead', () => {
  expect(refuseByText('PRAGMA journal_mode = WAL', 'read')?.message).toContain('table_info');
  expect(refuseByText('DELETE FROM a', 'read')?.message).toContain('Send a SELECT');
  expect(refuseByText('COMMIT', 'read')?.message).toContain('one statement');
});

test('the kind of a statement', () => {
  expect(
    ['SELECT 1', 'WITH a AS (SELECT 1) SELECT 1', ' delete from a', 'CREATE TABLE a (b)', 'EXPLAIN SELECT 1', 'x'].map(
      statementKind,
    ),
  ).toEqual(['read', 'read', 'write', 'ddl', 'read', 'other']);
});

const database = new Database(':memory:');
afterAll(() => database.close());
beforeEach(() => database.pragma('query_only = 1'));

test('no pragma of the list does anything when it is prepared and run', () => {
  for (const name of READING_PRAGMA_NAMES) {
    const statement = database.prepare(`PRAGMA ${name}`);
    expect({ name, readonly: statement.readonly, reader: statement.reader }).toEqual({
      name,
      readonly: true,
      reader: true,
    });
  }
});

/** The engine decides: whatever turns the guard off when it is merely prepared must have been refused by its text. */
test('a pragma is found behind everything that SQLite skips', () => {
  const skipped = fc.constantFrom(
    ' ',
    '\n',
    '\t',
    '\f',
    '\r',
    '\v',
    '\uFEFF',
    ';',
    '--x\n',
    '/**/',
    '/*/*/',
    '/* * */',
    '/*',
    '--',
    'EXPLAIN ',
    'explain query plan ',
    'EXPLAIN QUERY',
    "''",
    '\u00A0',
  );
  const name = fc.constantFrom(
    'query_only',
    '"query_only"',
    '[query_only]',
    '`QUERY_ONLY`',
    "'query_only'",
    'main.query_only',
    'main . "query_only"',
    'temp/**/./**/query_only',
  );
  const value = fc.constantFrom('=0', '(0)', ' = off', '/**/(/**/false/**/)', '= 0 ;', "='no'", '');
  const statement = fc
    .tuple(
      fc.array(skipped, { maxLength: 5 }),
      fc.constantFrom('PRAGMA', 'pragma', 'PrAgMa'),
      fc.array(skipped, { minLength: 1, maxLength: 3 }),
      name,
      value,
    )
    .map(([before, word, between, pragma, set]) => before.join('') + word + between.join('') + pragma + set);
  let tookEffect = 0;
  fc.assert(
    fc.property(statement, (sql) => {
      database.pragma('query_only = 1');
      try {
        database.prepare(sql);
      } catch {
        // Many of them are no statements; some of those have taken effect all the same.
      }
      if (database.pragma('query_only', { simple: true }) === 1) return;
      tookEffect += 1;
      expect({ sql, code: codeOf(sql) }).toEqual({ sql, code: 'QUERY_REFUSED' });
    }),
    { numRuns: propertyRuns(500) },
  );
  expect(tookEffect).toBeGreaterThan(20);
});
