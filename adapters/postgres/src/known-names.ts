import type { CallLimits } from '@askema/core';
import type { SessionPool } from './connection/session-pool.ts';
import type { Transaction } from './connection/transaction.ts';

/** Names are read again after this time. */
const FRESH_MS = 30_000;

/** As many as a hint needs at most. */
const MAX_NAMES = 50_000;

const NAMES = `SELECT DISTINCT name FROM (
    SELECT c.relname AS name FROM pg_catalog.pg_class AS c
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f') AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
    UNION ALL
    SELECT a.attname FROM pg_catalog.pg_attribute AS a
      JOIN pg_catalog.pg_class AS c ON c.oid = a.attrelid
      JOIN pg_catalog.pg_namespace AS n ON n.oid = c.relnamespace
      WHERE a.attnum > 0 AND NOT a.attisdropped AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
        AND n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
    UNION ALL
    SELECT p.proname FROM pg_catalog.pg_proc AS p WHERE p.prorettype <> 'internal'::regtype AND p.proname NOT LIKE 'pg\\_%'
  ) AS known (name) LIMIT ${MAX_NAMES}`;

const memo = new WeakMap<SessionPool, { readonly names: readonly string[]; readonly at: number }>();

/**
 * Names of relations, attributes and functions, for "did you mean". They are read after a statement has failed, so its
 * transaction is ended; whatever fails here leaves the hint out.
 */
export async function knownNames(
  pool: SessionPool,
  { session }: Transaction,
  limits: CallLimits,
): Promise<readonly string[] | undefined> {
  const known = memo.get(pool);
  if (known !== undefined && performance.now() - known.at < FRESH_MS) return known.names;
  try {
    session.maxMessageBytes = Number.POSITIVE_INFINITY;
    const rows = await limits.race(session.simple(`ROLLBACK; ${NAMES}`));
    const names = rows.map(([name]) => name ?? '');
    memo.set(pool, { names, at: performance.now() });
    return names;
  } catch {
    return undefined;
  }
}
