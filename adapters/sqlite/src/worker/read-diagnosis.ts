import type { RawDiagnosis } from '../protocol.ts';
import type { Database } from './driver.ts';

/** References are checked one by one; a larger database is not looked through. */
const CHECKED_BYTES = 64 * 1024 * 1024;
/** More than these are not counted. */
const COUNTED_REFERENCES = 1_000;

const TABLES = "SELECT COUNT(*) FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
const FOREIGN_KEYS =
  "SELECT COUNT(*) FROM sqlite_schema AS s JOIN temp.pragma_foreign_key_list(s.name, 'main') AS f WHERE s.type = 'table' AND f.seq = 0";
const BROKEN_REFERENCES = `SELECT COUNT(*) FROM (SELECT 1 FROM temp.pragma_foreign_key_check LIMIT ${COUNTED_REFERENCES})`;

/** Looks at a database with the handle that cannot write. */
export function readDiagnosis(database: Database): RawDiagnosis {
  const cell = (sql: string): unknown => database.prepare(sql).pluck().get();
  const byteCount = Number(cell('PRAGMA main.page_count')) * Number(cell('PRAGMA main.page_size'));
  const foreignKeys = Number(cell(FOREIGN_KEYS));
  return {
    version: String(cell('SELECT sqlite_version()')),
    journalMode: String(cell('PRAGMA journal_mode')),
    byteCount,
    tables: Number(cell(TABLES)),
    foreignKeys,
    brokenReferences: foreignKeys === 0 || byteCount > CHECKED_BYTES ? undefined : brokenReferences(cell),
    hasStatistics: cell("SELECT 1 FROM sqlite_schema WHERE name = 'sqlite_stat1'") !== undefined,
  };
}

/** A foreign key to columns that are no key is an error of the schema, and SQLite then checks none of them. */
function brokenReferences(cell: (sql: string) => unknown): number | undefined {
  try {
    return Number(cell(BROKEN_REFERENCES));
  } catch {
    return undefined;
  }
}
