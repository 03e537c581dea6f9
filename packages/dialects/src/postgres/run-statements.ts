import type { RunStatements } from '@askema/core';

/** Manual of PostgreSQL, F.32: texts of others are hidden from roles without `pg_read_all_stats`. */
export const PG_STAT_STATEMENTS: RunStatements = {
  name: 'pg_stat_statements',
  schema: `SELECT n.nspname FROM pg_catalog.pg_extension e
JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'pg_stat_statements'`,
  statements: `SELECT s.query, s.calls, r.rolname, r.rolname = current_user FROM {schema}.pg_stat_statements s
LEFT JOIN pg_catalog.pg_roles r ON r.oid = s.userid
WHERE s.dbid = (SELECT d.oid FROM pg_catalog.pg_database d WHERE d.datname = current_database())
ORDER BY s.calls DESC`,
  advice:
    "Set shared_preload_libraries = 'pg_stat_statements', start the server again, and run CREATE EXTENSION pg_stat_statements there; or name a log in a file.",
};
