import { createHash } from 'node:crypto';
import type { Database } from './driver.ts';

/**
 * All that a catalog is made of beside statistics: names, statements, and the version of SQLite, which works out the columns
 * of views. The schema cookie of the file does not do: another file may have the same one, put in the place of this one.
 */
const STRUCTURE = 'SELECT type, name, tbl_name, sql, sqlite_version() FROM sqlite_schema ORDER BY rowid';

/** SHA-256 of the structure, in hexadecimal. */
export function readStructure(database: Database): string {
  const hash = createHash('sha256');
  let piece = '';
  for (const row of database.prepare(STRUCTURE).raw().iterate()) {
    piece += JSON.stringify(row);
    if (piece.length < 64 * 1024) continue;
    hash.update(piece);
    piece = '';
  }
  return hash.update(piece).digest('hex');
}
