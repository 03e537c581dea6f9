import { BIGQUERY_STATEMENTS } from './bigquery.ts';
import { DUCKDB_STATEMENTS } from './duckdb.ts';
import type { HostileStatement, HostileStatementOptions } from './hostile-statement.ts';
import { MYSQL_STATEMENTS } from './mysql.ts';
import { POSTGRES_STATEMENTS } from './postgres.ts';
import { SNOWFLAKE_STATEMENTS } from './snowflake.ts';
import { SQLITE_STATEMENTS } from './sqlite.ts';
import { STANDARD_STATEMENTS } from './standard.ts';

/** What only one dialect understands, by its name. */
const BY_DIALECT: ReadonlyMap<string, readonly HostileStatement[]> = new Map([
  ['sqlite', SQLITE_STATEMENTS],
  ['postgres', POSTGRES_STATEMENTS],
  ['mysql', MYSQL_STATEMENTS],
  ['mariadb', MYSQL_STATEMENTS],
  ['duckdb', DUCKDB_STATEMENTS],
  ['snowflake', SNOWFLAKE_STATEMENTS],
  ['bigquery', BIGQUERY_STATEMENTS],
]);

/**
 * Statements that an adapter must refuse under `access: 'read'`: those of common SQL, and those of one dialect as far
 * as they are known here. They work on the `shop` fixture of the suite.
 */
export function hostileStatements(dialect: string, options: HostileStatementOptions = {}): readonly HostileStatement[] {
  const folder = options.folder ?? '/tmp';
  return [...STANDARD_STATEMENTS, ...(BY_DIALECT.get(dialect) ?? [])].map((statement) => ({
    ...statement,
    sql: statement.sql.replaceAll('{folder}', folder),
  }));
}
