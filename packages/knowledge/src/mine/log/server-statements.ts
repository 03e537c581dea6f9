import { type Adapter, AskemaError, fillProbe, isAskemaError, type QueryResult, quoteIdentifier } from '@askema/core';
import type { LoggedStatement } from '../logged-statement.ts';

export interface ServerStatementsOptions {
  /** Also statements of the role that is connected, which Askema itself has run. Default: false. */
  readonly ownRole?: boolean | undefined;
}

/** The most used first. */
const MAX_ROWS = 20_000;

/**
 * What a server counts itself (`Dialect.runStatements`; PostgreSQL in pg_stat_statements), of the database that is
 * connected: texts without literals, with the number of their runs. The server does not keep the name of the application,
 * so what the connected role ran is taken for Askema's own.
 *
 * @throws AskemaError `INPUT_INVALID` for engines that count none and where what counts is not there, and what reading
 *   throws.
 */
export async function serverStatements(
  adapter: Adapter,
  { ownRole = false }: ServerStatementsOptions = {},
): Promise<readonly LoggedStatement[]> {
  const { dialect } = adapter;
  const counted = dialect.runStatements;
  if (counted === undefined)
    throw new AskemaError(
      'INPUT_INVALID',
      `${dialect.displayName} keeps no statements that are read here; PostgreSQL does, in pg_stat_statements. Name a log in a file.`,
    );
  const schema = (await adapter.query(counted.schema)).rows[0]?.[0];
  if (typeof schema !== 'string')
    throw new AskemaError('INPUT_INVALID', `${adapter.name} has no extension ${counted.name}. ${counted.advice}`);
  let found: QueryResult;
  try {
    const sql = fillProbe(counted.statements, { schema: quoteIdentifier(schema, dialect) });
    found = await adapter.query(sql, { maxRows: MAX_ROWS });
  } catch (thrown) {
    if (!isAskemaError(thrown) || thrown.code !== 'QUERY_FAILED') throw thrown;
    throw new AskemaError(
      'INPUT_INVALID',
      `${counted.name} of ${adapter.name} cannot be read: ${thrown.message} ${counted.advice}`,
      { cause: thrown },
    );
  }
  return found.rows.map((row): LoggedStatement => {
    const [sql, calls, user, isOwn] = row;
    return {
      sql: String(sql ?? ''),
      calls: Math.max(1, Number(calls)),
      user: typeof user === 'string' ? user : undefined,
      isOwn: !ownRole && isOwn === true,
    };
  });
}
