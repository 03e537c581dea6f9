import { type Stats, statSync } from 'node:fs';
import { findStrangeCompanion, RequestFailure } from '@askema/adapter-kit/process';
import type { WorkerSettings } from '../protocol.ts';
import type { Database, Driver } from './driver.ts';
import { sqliteCode } from './sqlite-code.ts';

/** Opens the file as the request needs it. */
export interface Handles {
  /** The handle that cannot write; the same one for every request, until the file is replaced. */
  reader(): Database;
  /** A fresh handle that can write; the caller closes it. */
  openWriter(): Database;
  /**
   * Takes a first step with the reader. When a killed writer has left behind what a reader may not finish, and this
   * adapter may write, SQLite rolls it back first, and the step is taken again.
   */
  read<T>(step: (reader: Database) => T): T;
  close(): void;
}

export function createHandles(driver: Driver, settings: WorkerSettings): Handles {
  let open: { readonly database: Database; readonly identity: string } | undefined;
  const close = (): void => {
    open?.database.close();
    open = undefined;
  };
  const reader = (): Database => {
    const identity = identify(settings);
    if (open !== undefined && open.identity !== identity) close();
    open ??= { database: openReader(driver, settings), identity };
    return open.database;
  };
  return {
    reader,
    read(step) {
      try {
        return step(reader());
      } catch (thrown) {
        if (settings.access !== 'write' || !needsRecovery(thrown)) throw thrown;
        close();
        recover(driver, settings);
        return step(reader());
      }
    },
    openWriter() {
      identify(settings);
      return openWriter(driver, settings);
    },
    close,
  };
}

/** Device and inode: a file that was put in the place of another one is opened anew. */
function identify({ file, access }: WorkerSettings): string {
  let stats: Stats | undefined;
  try {
    stats = statSync(file, { throwIfNoEntry: false });
  } catch {
    // No permission on the folder, a loop of links: opening the file says so with SQLite's own code.
    return '';
  }
  if (stats === undefined) throw new RequestFailure({ kind: 'missing' });
  if (stats.isDirectory()) throw new RequestFailure({ kind: 'directory' });
  const why = stats.isFile() ? findStrangeCompanion(file) : `${file} is no regular file. Name a file`;
  if (why !== undefined) throw new RequestFailure({ kind: 'strange', why });
  // SQLite takes a file of no byte or of one for a database without tables, and deletes the log that lies beside it, even
  // for a reader, for whom it is a mistake.
  if (stats.size < 2 && access === 'read') throw new RequestFailure({ kind: 'empty' });
  return `${stats.dev}:${stats.ino}`;
}

/**
 * A handle that cannot write, set up against hostile files as https://sqlite.org/security.html advises. Temporary
 * structures stay in memory, so that a query leaves nothing on the disk and its memory is bounded by the watchdog.
 * better-sqlite3 itself turns on the defensive mode and leaves load_extension() off.
 */
function openReader(driver: Driver, { file, busyTimeoutMs }: WorkerSettings): Database {
  const database = new driver(file, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  return setUp(database, [
    'trusted_schema = 0',
    'cell_size_check = 1',
    'mmap_size = 0',
    'temp_store = MEMORY',
    'query_only = 1',
  ]);
}

function openWriter(driver: Driver, { file, busyTimeoutMs }: WorkerSettings): Database {
  const database = new driver(file, { readonly: false, fileMustExist: true, timeout: busyTimeoutMs });
  return setUp(database, ['trusted_schema = 0', 'cell_size_check = 1', 'mmap_size = 0', 'foreign_keys = 1']);
}

function setUp(database: Database, pragmas: readonly string[]): Database {
  try {
    for (const pragma of pragmas) database.pragma(pragma);
    refuseTokenizers(database);
    hidePath(database);
    // The first statement that names it would open it, and the next one could see that.
    database.prepare('SELECT 1 FROM sqlite_temp_schema').all();
    return database;
  } catch (thrown) {
    database.close();
    throw thrown;
  }
}

/**
 * `fts3_tokenizer` gives the address of code, and takes one that SQLite then runs. SQLite turns it off for values in the
 * text, never for parameters (https://sqlite.org/fts3.html#custom_application_defined_tokenizers), so it is replaced.
 */
function refuseTokenizers(database: Database): void {
  const refuse = (): never => {
    throw new RequestFailure({
      kind: 'refused',
      code: 'QUERY_REFUSED',
      message:
        'fts3_tokenizer() is refused: it gives and takes addresses of code. Write the query without it; tokenizers of FTS3 and FTS4 are named in CREATE VIRTUAL TABLE.',
    });
  };
  // SQLite keeps a function for each number of arguments, which the driver takes from the length of this one.
  database.function('fts3_tokenizer', (_name: unknown) => refuse());
  database.function('fts3_tokenizer', (_name: unknown, _pointer: unknown) => refuse());
}

/** Where the file lies is nobody's business but of those who opened it: a module of this name comes before the pragma's. */
function hidePath(database: Database): void {
  database.table('pragma_database_list', {
    columns: ['seq', 'name', 'file'],
    *rows() {
      yield [0, 'main', ''];
    },
  });
}

function recover(driver: Driver, settings: WorkerSettings): void {
  const writer = openWriter(driver, settings);
  try {
    writer.prepare('SELECT count(*) FROM sqlite_schema').get();
  } finally {
    writer.close();
  }
}

/**
 * True for the codes that a read-only handle gives when a writer died in the middle of a change
 * (https://sqlite.org/rescode.html).
 */
function needsRecovery(thrown: unknown): boolean {
  const code = sqliteCode(thrown);
  return code === 'SQLITE_READONLY_ROLLBACK' || code === 'SQLITE_READONLY_RECOVERY';
}
