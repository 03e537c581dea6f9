import { closeSync, openSync, readdirSync, readSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Endings by which SQLite files are usually known. */
const SQLITE_ENDING = /\.(sqlite3?|db3?|s3db|sl3)$/i;
const DUCKDB_ENDING = /\.(duckdb|ddb)$/i;
/** What DuckDB reads as tables: https://duckdb.org/docs/stable/data/overview. */
const DATA_ENDING = /\.(parquet|parq|pq|(csv|tsv|json|jsonl|ndjson)(\.(gz|zst))?)$/i;

/** Who opens a file: an adapter. */
export type FileKind = 'sqlite' | 'duckdb';

/** True for what looks like a database or a table by its name. */
export function isDatabaseName(name: string): boolean {
  return [SQLITE_ENDING, DUCKDB_ENDING, DATA_ENDING].some((ending) => ending.test(name));
}

/** True for what looks like a database by its name. */
export function isDatabaseFileName(name: string): boolean {
  return SQLITE_ENDING.test(name) || DUCKDB_ENDING.test(name);
}

/** True for what looks like a table and, unlike JSON, is hardly ever anything else. */
export function isTableName(name: string): boolean {
  return DATA_ENDING.test(name) && !/\.(json|jsonl|ndjson)(\.|$)/i.test(name);
}

/**
 * Who opens a file, by its first bytes, which no renaming changes, and else by its ending; undefined for what nobody
 * knows. SQLite: https://sqlite.org/fileformat.html, section 1.3; DuckDB:
 * https://duckdb.org/docs/stable/internals/storage, `DUCK` behind a checksum of 8 bytes; Parquet:
 * https://parquet.apache.org/docs/file-format/.
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
interface FolderContent {
  /** Database files, by name: each is a database of its own. */
  readonly databases: readonly string[];
  /** Whether there are files of data, each a table of one database; folders within are looked into, a few deep. */
  readonly hasData: boolean;
}

/** Looks at names only; a folder that cannot be read is empty. */
export function contentOfFolder(folder: string): FolderContent {
  const names = listFolder(folder);
  const databases = names.filter(isDatabaseFileName);
  return { databases, hasData: holdsData(folder, names) };
}

/** The names in a folder; none where it cannot be read. */
export function listFolder(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/**
 * How far folders within folders are followed, and how many names are looked at: enough to tell a folder of data from
 * another one.
 */
const MAX_DEPTH = 3;
const MAX_NAMES = 5_000;

/**
 * Level by level, so that what is near is found first. Hidden folders and installed packages hold no data of the
 * user's.
 */
function holdsData(folder: string, names: readonly string[]): boolean {
  let level = names.map((name) => join(folder, name));
  let left = MAX_NAMES;
  for (let depth = 0; depth <= MAX_DEPTH && level.length > 0; depth += 1) {
    if (level.some((path) => DATA_ENDING.test(path))) return true;
    const inner: string[] = [];
    for (const path of level) {
      if (/^[._]|^node_modules$/.test(basename(path)) || !isFolder(path)) continue;
      if (left <= 0) return false;
      const found = listFolder(path);
      left -= found.length;
      for (const name of found) inner.push(join(path, name));
    }
    level = inner;
  }
  return false;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** Opening a named pipe waits for whoever writes into it, perhaps for ever. */
function readHead(path: string, length: number): string {
  if (statusOf(path)?.isFile() === false) return '';
  const file = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(length);
    const read = readSync(file, buffer, 0, length, 0);
    return buffer.toString('latin1', 0, read);
  } finally {
    closeSync(file);
  }
}

/**
 * The status of a path. After a look at a pipe, Node does not follow the links of the next package that it loads; a look
 * at a folder puts that right.
 */
export function statusOf(path: string): Stats | undefined {
  const status = statSync(path, { throwIfNoEntry: false });
  if (status !== undefined && !status.isFile()) statSync(dirname(path));
  return status;
}
