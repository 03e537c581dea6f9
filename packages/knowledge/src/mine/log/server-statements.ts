import { type Adapter, AskemaError, isAskemaError, quoteIdentifier } from '@askema/core';
import type { LoggedStatement } from '../logged-statement.ts';

export interface ServerStatementsOptions {
  /** Also statements of the role that is connected, which Askema itself has run. Default: false. */
  readonly ownRole?: boolean | undefined;
}

const WHERE_IT_IS = `SELECT n.nspname FROM pg_catalog.pg_extension e
JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'`;
const ADVICE =
  "Set shared_preload_libraries = 'pg_stat_statements', start the server again, and run CREATE EXTENSION pg_stat_statements there; or name a log in a file.";
/** The most used first. */
const MAX_ROWS = 20_000;

/**
 * What a PostgreSQL server counts in pg_stat_statements, of the database that is connected: texts without literals, with
 * the number of their runs. The server does not keep the name of the application, so what the connected role ran is taken
 * for Askema's own. Texts of others are hidden from roles without `pg_read_all_stats`.
 *
 * @throws AskemaError `INPUT_INVALID` for other engines and where the extension is not there, and what reading throws.
 */
export async function serverStatements(
  adapter: Adapter,
  { ownRole = false }: ServerStatementsOptions = {},
): Promise<readonly LoggedStatement[]> {
  if (adapter.dialect.name !== 'postgres')
    throw new AskemaError(
      'INPUT_INVALID',
      `${adapter.dialect.displayName} keeps no statements that are read here; PostgreSQL does, in pg_stat_statements. Name a log in a file.`,
    );
  const found = await adapter.query(WHERE_IT_IS);
  const schema = found.rows[0]?.[0];
  if (typeof schema !== 'string')
    throw new AskemaError('INPUT_INVALID', `${adapter.name} has no extension pg_stat_statements. ${ADVICE}`);
  const view = `${quoteIdentifier(schema, adapter.dialect)}.pg_stat_statements`;
  const { rows } = await read(adapter, view);
  return rows.map((row): LoggedStatement => {
    const [sql, calls, user, isOwn] = row;
    return {
      sql: String(sql ?? ''),
      calls: Math.max(1, Number(calls)),
      user: typeof user === 'string' ? user : undefined,
      isOwn: !ownRole && isOwn === true,
    };
  });
}

async function read(adapter: Adapter, view: string) {
  try {
    return await adapter.query(
      `SELECT s.query, s.calls, r.rolname, r.rolname = current_user FROM ${view} s
LEFT JOIN pg_catalog.pg_roles r ON r.oid = s.userid
WHERE s.dbid = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
ORDER BY s.calls DESC`,
      { maxRows: MAX_ROWS },
    );
  } catch (thrown) {
    if (!isAskemaError(thrown) || thrown.code !== 'QUERY_FAILED') throw thrown;
    throw new AskemaError(
      'INPUT_INVALID',
      `pg_stat_statements of ${adapter.name} cannot be read: ${thrown.message} ${ADVICE}`,
      { cause: thrown },
    );
  }
}
