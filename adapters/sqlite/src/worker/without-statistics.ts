import type { Database, Driver } from './driver.ts';

const copies = new WeakMap<Database, { readonly version: unknown; readonly copy: Database }>();

/** A statement that makes something; nothing else is run of what a file says of its schema. */
const MAKES = /^CREATE\s+(?:UNIQUE\s+INDEX|INDEX|TABLE|VIEW|VIRTUAL\s+TABLE)\b/i;

/**
 * A database with the same definitions and without rows and statistics, in memory: what ANALYZE has counted decides by
 * which indexes SQLite goes (https://sqlite.org/optoverview.html#the_skip_scan_optimization), so the columns of such a
 * plan tell of values. The database itself where it was never analyzed: its plans depend on definitions alone.
 */
export function withoutStatistics(database: Database): Database {
  const all = (sql: string): unknown[] => database.prepare(sql).pluck().all();
  if (all("SELECT 1 FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4')").length === 0) return database;
  const version = database.pragma('schema_version', { simple: true });
  const kept = copies.get(database);
  if (kept !== undefined && kept.version === version) return kept.copy;
  kept?.copy.close();
  const copy = new (database.constructor as Driver)(':memory:');
  copy.pragma('trusted_schema = 0');
  for (const sql of all(
    "SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid",
  ))
    if (typeof sql === 'string' && MAKES.test(sql))
      try {
        copy.prepare(sql).run();
      } catch {
        // What names it cannot be planned, and says so.
      }
  copies.set(database, { version, copy });
  return copy;
}
