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
import { HOSTILE_GROUPS } from './hostile-statement.ts';
import { hostileStatements, plantsOf, tracesOf } from './hostile-statements.ts';

/**
 * What the text alone cannot tell, with the reason: the engine must refuse it.
 */
const BEYOND_TEXT: Readonly<Record<string, readonly string[]>> = {
  // The catalog of the server says what a function does.
  postgres: [
    'file as an attribute of a text',
    'foreign connections',
    'load code by a function',
    'lock as an attribute of a row',
    'number that is next',
    'read the secret in the words of a cast',
    'page of a table',
    'seed by a function',
    'settings of files',
    'sleep as an attribute of an expression',
    'statistics of statements',
    'who may come in',
  ],
  // A read-only transaction refuses NEXT VALUE FOR; what functions there are and what a hint says, the adapter looks
  // at.
  mysql: [
    'function of the system',
    'key of the server',
    'last value of a sequence',
    'look for the best types',
    'next value of a sequence in words',
    'old password',
    'place in the binary log',
    'settings by a hint',
  ],
  // A name in FROM is a table or a file; DuckDB decides, by `enable_external_access` and the files that are allowed.
  duckdb: [
    'columns of the secret',
    'every file of every folder',
    'every file of its kind',
    'frame of Python',
    'index of a table',
    'model of another house',
    'pivot of the secret',
    'plan over the secret',
    'read a file by a quoted name',
    'read a file in a join',
    'sample of the secret',
    'storage of a number',
    'summary of the secret',
    'the secret beside a table',
    'the secret by FROM',
    'the secret by a quoted name',
    'the secret by a way around',
    'the secret by an address',
    'the secret by its name',
    'the secret in EXISTS',
    'the secret in a CTE',
    'the secret in a lateral join',
    'the secret in a sub-query',
    'unpivot of the secret',
    'web page',
  ],
  // SQLite has no such function, no such table, and no such semicolon.
  sqlite: [
    'pragma as a table: checkpoint',
    'pragma as a table: free pages',
    'pragma as a table: journal',
    'pragma as a table: memory',
    'pragma as a table: the schema',
    'read from the network',
    'wide semicolon',
  ],
};

/** Those of which the corpora promise more than of the others. */
const WITH_PLANTS = [postgresDialect, mysqlDialect, duckdbDialect, sqliteDialect];

test.each(WITH_PLANTS)('$name has 250 statements that must be refused, and some of each group', ({ name }) => {
  const refused = HOSTILE_GROUPS.filter((group) => group !== 'harmless');
  expect(hostileStatements(name, { groups: refused }).length).toBeGreaterThanOrEqual(250);
  for (const group of HOSTILE_GROUPS) expect(hostileStatements(name, { groups: [group] }).length).toBeGreaterThan(9);
  expect(plantsOf(name).length).toBeGreaterThan(9);
  expect(tracesOf(name).length).toBeGreaterThan(5);
});

describe.each([postgresDialect, mysqlDialect, duckdbDialect, snowflakeDialect, bigqueryDialect, sqliteDialect])(
  '$name',
  ({ name, lexer }) => {
    const statements = hostileStatements(name, { folder: '/x/y' });
    const all = hostileStatements(name, { folder: '/x/y', groups: HOSTILE_GROUPS });

    test('is a corpus: many statements, none twice, each with a name of its own', () => {
      expect(statements.length).toBeGreaterThanOrEqual(100);
      expect(new Set(all.map(({ sql }) => sql)).size).toBe(all.length);
      expect(new Set(all.map(({ attack }) => attack)).size).toBe(all.length);
      expect(all.filter(({ sql }) => /\{(folder|secret|port)\}/.test(sql))).toEqual([]);
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
