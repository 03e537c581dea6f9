import type { Dialect } from '@askema/core';
import { BIGQUERY_STATEMENTS } from './bigquery.ts';
import { DUCKDB_STATEMENTS } from './duckdb.ts';
import type { HostileStatement, HostileStatementOptions } from './hostile-statement.ts';
import { MYSQL_STATEMENTS } from './mysql.ts';
import { POSTGRES_STATEMENTS } from './postgres.ts';
import { SNOWFLAKE_STATEMENTS } from './snowflake.ts';
import { SQLITE_STATEMENTS } from './sqlite.ts';
import { STANDARD_STATEMENTS } from './standard.ts';

/** What engines of one family understand alone, by the name of a dialect or by its grammar. */
const BY_FAMILY: ReadonlyMap<string | undefined, readonly HostileStatement[]> = new Map([
  ['sqlite', SQLITE_STATEMENTS],
  ['postgres', POSTGRES_STATEMENTS],
  ['postgresql', POSTGRES_STATEMENTS],
  ['redshift', POSTGRES_STATEMENTS],
  ['mysql', MYSQL_STATEMENTS],
  ['mariadb', MYSQL_STATEMENTS],
  ['duckdb', DUCKDB_STATEMENTS],
  ['snowflake', SNOWFLAKE_STATEMENTS],
  ['bigquery', BIGQUERY_STATEMENTS],
]);

/**
 * Statements that an adapter must refuse under `access: 'read'`: those of common SQL, and those of one family of
 * engines as far as they are known here. They work on the `shop` fixture of the suite.
 *
 * @param dialect a name alone, or a dialect: then its grammar counts as well, so that libSQL has those of SQLite.
 */
export function hostileStatements(
  dialect: string | Pick<Dialect, 'name' | 'grammar'>,
  options: HostileStatementOptions = {},
): readonly HostileStatement[] {
  const folder = options.folder ?? '/tmp';
  const { name, grammar } = typeof dialect === 'string' ? { name: dialect } : dialect;
  const families = new Set([BY_FAMILY.get(name) ?? [], BY_FAMILY.get(grammar) ?? []]);
  return [STANDARD_STATEMENTS, ...families].flat().map((statement) => ({
    ...statement,
    sql: statement.sql.replaceAll('{folder}', folder),
  }));
}

/** False for a dialect of which only the attacks in common SQL are known. */
export function isFamilyKnown({ name, grammar }: Pick<Dialect, 'name' | 'grammar'>): boolean {
  return BY_FAMILY.has(name) || BY_FAMILY.has(grammar);
}
