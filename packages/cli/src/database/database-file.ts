import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Endings by which SQLite files are usually known. */
const SQLITE_ENDING = /\.(sqlite3?|db3?|s3db|sl3)$/i;
const DUCKDB_ENDING = /\.(duckdb|ddb)$/i;
/** What DuckDB reads as tables: https://duckdb.org/docs/stable/data/overview. */
const DATA_ENDING = /\.(parquet|(csv|tsv|json|jsonl|ndjson)(\.gz)?)$/i;

/** Who opens a file: an adapter. */
export type FileKind = 'sqlite' | 'duckdb';

/** True for what looks like a database or a table by its name. */
export function isDatabaseName(name: string): boolean {
  return [SQLITE_ENDING, DUCKDB_ENDING, DATA_ENDING].some((ending) => ending.test(name));
}

/**
 * Who opens a file, by its first bytes, which no renaming changes, and else by its ending; undefined for what nobody knows. SQLite:
 * https://sqlite.org/fileformat.html, section 1.3; DuckDB: https://duckdb.org/docs/stable/internals/storage, `DUCK` behind a checksum of 8
 * bytes; Parquet: https://parquet.apache.org/docs/file-format/.
 *
 * @throws Error of the system for a file that cannot be read.
 */
export function kindOfFile(path: string): FileKind | undefined {
  const head = readHead(path, 16);
  if (head.startsWith('SQLite format 3\0')) return 'sqlite';
  if (head.slice(8, 12) === 'DUCK' || head.startsWith('PAR1')) return 'duckdb';
  if (SQLITE_ENDING.test(path)) return 'sqlite';
  return DUCKDB_ENDING.test(path) || DATA_ENDING.test(path) ? 'duckdb' : undefined;
}

/** What is in a folder that a question may be asked of. */
export interface FolderContent {
  /** Database files, by name: each is a database of its own. */
  readonly databases: readonly string[];
  /** Whether there are files of data, each a table of one database; also in folders one level below, as partitions are stored. */
  readonly hasData: boolean;
}

/** Looks at names only; a folder that cannot be read is empty. */
export function contentOfFolder(folder: string): FolderContent {
  const names = listFolder(folder);
  const databases = names.filter((name) => SQLITE_ENDING.test(name) || DUCKDB_ENDING.test(name));
  const hasData = names.some((name) => DATA_ENDING.test(name) || hasDataInside(join(folder, name)));
  return { databases, hasData };
}

/** The names in a folder; none where it cannot be read. */
export function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Only folders of partitions, `year=2024`: any other folder is no part of a table. */
function hasDataInside(folder: string): boolean {
  return (
    /=[^/\\]*$/.test(folder) &&
    statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
    listFolder(folder).some((name) => DATA_ENDING.test(name))
  );
}

function readHead(path: string, length: number): string {
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(length);
    const read = readSync(file, buffer, 0, length, 0);
    return buffer.toString('latin1', 0, read);
  } finally {
    closeSync(file);
  }
}
