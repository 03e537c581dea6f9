import type { Session } from './session.ts';

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

/**
 * Names of relations, attributes and functions, for "did you mean". They are read after a statement has failed, so its
 * transaction is ended.
 */
export async function readNames(session: Session): Promise<readonly string[]> {
  session.maxMessageBytes = Number.POSITIVE_INFINITY;
  const rows = await session.command(
    `ROLLBACK; BEGIN READ ONLY; SET LOCAL search_path = pg_catalog, pg_temp; ${NAMES}; ROLLBACK`,
  );
  return rows.map(([name]) => name ?? '');
}
