import { firstWordOf } from '@askema/adapter-kit';
import { AskemaError } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import type { AskServer } from './functions/ask-server.ts';

/** Any table of which the role does not see all rows. */
const FILTERED = 'SELECT 1 FROM pg_catalog.pg_class WHERE pg_catalog.row_security_active(oid) LIMIT 1';

/**
 * Rejects with `QUERY_REFUSED` for EXPLAIN where a row-level policy keeps rows from the role: the planner estimates by
 * the values of all rows, so whoever asks often enough reads the values of others.
 */
export async function refuseFilteredPlan(session: Pick<AskServer, 'simple'>, sql: string): Promise<void> {
  if (firstWordOf(sql, postgresDialect) !== 'EXPLAIN') return;
  const [filtered] = await session.simple(FILTERED);
  if (filtered !== undefined)
    throw new AskemaError(
      'QUERY_REFUSED',
      'EXPLAIN does not run where a row-level policy keeps rows from the role: its estimates would tell of them. Run the statement itself.',
      { details: { sql } },
    );
}
