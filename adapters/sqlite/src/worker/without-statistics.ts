import type { Database, Driver } from './driver.ts';

const copies = new WeakMap<Database, { readonly version: unknown; readonly copy: Database }>();

/** The smallest of SQLite (https://sqlite.org/pragma.html#pragma_page_size), in bytes. */
const PAGE_SIZE = 512;

/**
 * A database with the same definitions and without rows and statistics, in memory: what ANALYZE has counted decides by
 * which indexes SQLite goes (https://sqlite.org/optoverview.html#the_skip_scan_optimization), so the columns of such a
 * plan tell of values. The database itself where it was never analyzed: its plans depend on definitions alone. Virtual
 * tables are left out.
 *
 * Nothing can be run on it but EXPLAIN: the pages of its tables are empty. The definitions are read as SQLite reads
 * those of a file, which allows more than a statement: texts in double quotes, functions and collations that are missing.
 */
export function withoutStatistics(database: Database): Database {
  const { first: isAnalyzed } = database
    .prepare("SELECT count(*) AS first FROM sqlite_schema WHERE name IN ('sqlite_stat1', 'sqlite_stat4')")
    .get() as { first: number | bigint };
  if (Number(isAnalyzed) === 0) return database;
  const version = database.pragma('schema_version', { simple: true });
  const kept = copies.get(database);
  if (kept !== undefined && kept.version === version) return kept.copy;
  kept?.copy.close();
  const copy = copyOf(database);
  copies.set(database, { version, copy });
  return copy;
}

function copyOf(database: Database): Database {
  const definitions = database
    .prepare(
      `SELECT type, name, tbl_name, sql, rootpage > 0 FROM sqlite_schema
       WHERE type IN ('table', 'index', 'view') AND name NOT LIKE 'sqlite\\_stat%' ESCAPE '\\'
         AND NOT (type = 'table' AND coalesce(rootpage, 0) = 0) ORDER BY rowid`,
    )
    .raw()
    .all() as (readonly unknown[])[];
  const copy = new (database.constructor as Driver)(':memory:');
  copy.unsafeMode(true);
  copy.pragma(`page_size = ${PAGE_SIZE}`);
  copy.pragma('trusted_schema = 0');
  // Tables need pages of their own; those of the first one are there for that.
  copy.exec(`CREATE TABLE pages (bytes); INSERT INTO pages VALUES (zeroblob(${PAGE_SIZE * (definitions.length + 8)}))`);
  copy.pragma('writable_schema = 1');
  copy.exec('DELETE FROM sqlite_schema');
  const define = copy.prepare('INSERT INTO sqlite_schema (type, name, tbl_name, sql, rootpage) VALUES (?, ?, ?, ?, ?)');
  for (const [at, [type, name, table, sql, hasPages]] of definitions.entries())
    define.run(type, name, table, sql, Number(hasPages) === 1 ? at + 3 : 0);
  copy.pragma('writable_schema = RESET');
  copy.unsafeMode(false);
  return copy;
}
