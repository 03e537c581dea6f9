import {
  bigqueryDialect,
  duckdbDialect,
  mysqlDialect,
  postgresDialect,
  snowflakeDialect,
  sqliteDialect,
} from '@askema/dialects';
import { readOnlyText, statementKind } from '@askema/sql';
import { describe, expect, test } from 'vitest';
import { hostileStatements } from './hostile-statements.ts';

/**
 * What the text alone cannot tell, with the reason: the engine must refuse it.
 */
const BEYOND_TEXT: Readonly<Record<string, readonly string[]>> = {
  // A read-only transaction refuses NEXT VALUE FOR; what functions there are and what a hint says, the adapter looks
  // at.
  mysql: ['next value of a sequence in words', 'settings by a hint', 'look for the best types'],
  // A name in FROM is a table or a file; DuckDB decides, by `enable_external_access` and the files that are allowed.
  duckdb: [
    'read a file by its name',
    'read a file by its name behind SELECT',
    'read a file by a quoted name',
    'read a file in a join',
  ],
};

describe.each([postgresDialect, mysqlDialect, duckdbDialect, snowflakeDialect, bigqueryDialect, sqliteDialect])(
  '$name',
  ({ name, lexer }) => {
    const statements = hostileStatements(name, { folder: '/x/y' });

    test('is a corpus: many statements, none twice, each with a name of its own', () => {
      expect(statements.length).toBeGreaterThanOrEqual(100);
      expect(new Set(statements.map(({ sql }) => sql)).size).toBe(statements.length);
      expect(statements.filter(({ sql }) => sql.includes('{folder}'))).toEqual([]);
    });

    test('the text half of the guard refuses all but those of which the text says nothing', () => {
      const passed = statements.filter(({ sql }) => readOnlyText(sql, lexer).ok).map(({ attack }) => attack);
      expect(passed.sort()).toEqual([...(BEYOND_TEXT[name] ?? [])].sort());
    });

    test('none of those that change the database counts as a read', () => {
      const reads = statements.filter(({ sql, harm }) => harm === 'file' && statementKind(sql, lexer) === 'read');
      expect(reads.map(({ attack }) => attack)).toEqual([]);
    });
  },
);

test.each([sqliteDialect, postgresDialect, mysqlDialect, duckdbDialect, snowflakeDialect, bigqueryDialect])(
  'a dialect of another name over the grammar of $name has the attacks of $name, and each once',
  (dialect) => {
    const all = hostileStatements(dialect.name);
    expect(hostileStatements({ ...dialect, name: 'heir' })).toEqual(all);
    expect(hostileStatements(dialect)).toEqual(all);
  },
);

test('an unknown dialect has the statements of common SQL, also one with a name that objects have', () => {
  expect(hostileStatements('constructor').length).toBeGreaterThan(20);
  expect(hostileStatements('oracle')).toEqual(hostileStatements('__proto__'));
});
