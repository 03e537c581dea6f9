import { chmodSync, closeSync, constants, lstatSync, openSync, statSync } from 'node:fs';
import { findStrangeCompanion, strangeness } from '@askema/adapter-kit/process';
import { AskemaError, oneLine } from '@askema/core';
import type { Database, Driver } from './driver.ts';
import {
  APPLICATION_ID,
  FORMAT_VERSION,
  INDEX_OBJECTS,
  INDEX_SCHEMA,
  isExpected,
  type StoredObject,
} from './index-schema.ts';

/** How long a reader waits for a builder that is about to close the file. */
const BUSY_TIMEOUT_MS = 5_000;

/**
 * Opens an index for its one builder, and makes it where there is none. The file is readable by its owner only: it
 * holds cells. Writing goes through a write-ahead log, so that readers go on and a killed builder leaves the last
 * committed state.
 *
 * @throws AskemaError `DATABASE_INVALID`, `DATABASE_CORRUPT`, `CONTRACT_MISMATCH`, `DATABASE_UNAVAILABLE`.
 */
export function openForBuilding(driver: Driver, path: string): Database {
  return guardFile(path, () => {
    makePrivateFile(path);
    refuseStrange(path);
    const database = new driver(path, { timeout: BUSY_TIMEOUT_MS });
    try {
      const isNew = database.prepare('SELECT count(*) FROM sqlite_schema').pluck().get() === 0;
      if (!isNew) checkFormat(database, path);
      chmodSync(path, 0o600);
      database.pragma('journal_mode = WAL');
      database.pragma('synchronous = NORMAL');
      database.pragma('cache_size = -131072');
      database.pragma('temp_store = MEMORY');
      database.pragma('secure_delete = ON');
      if (isNew) database.transaction(() => database.exec(INDEX_SCHEMA))();
      return database;
    } catch (thrown) {
      database.close();
      throw thrown;
    }
  });
}

/** Folds the log back into the one file, where no reader holds it. */
export function closeAfterBuilding(database: Database): void {
  try {
    if (database.inTransaction) database.exec('ROLLBACK');
    database.pragma('wal_checkpoint(TRUNCATE)');
    database.pragma('journal_mode = DELETE');
  } catch {
    // A reader has the file open, or the disk is full: the log stays beside the file and belongs to it.
  }
  database.close();
}

/**
 * Opens an index for reading only.
 *
 * @throws AskemaError `DATABASE_NOT_FOUND`, `DATABASE_INVALID`, `DATABASE_CORRUPT`, `CONTRACT_MISMATCH`,
 * `DATABASE_UNAVAILABLE`.
 */
export function openForReading(driver: Driver, path: string): Database {
  if (statSync(path, { throwIfNoEntry: false })?.isFile() !== true) throw missingIndex(path);
  return guardFile(path, () => {
    refuseStrange(path);
    const database = new driver(path, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
    try {
      database.pragma('query_only = 1');
      database.pragma('cell_size_check = 1');
      database.pragma('cache_size = -65536');
      database.pragma('temp_store = MEMORY');
      checkFormat(database, path);
      return database;
    } catch (thrown) {
      database.close();
      throw thrown;
    }
  });
}

export function missingIndex(path: string): AskemaError {
  return new AskemaError(
    'DATABASE_NOT_FOUND',
    `There is no value index at ${JSON.stringify(path)}; build one with buildValueIndex.`,
  );
}

/** What SQLite says of a file, as an error of ours. Its messages speak of pages and tables, never of cells. */
export function guardFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (thrown) {
    throw fileError(path, thrown);
  }
}

export function fileError(path: string, thrown: unknown): unknown {
  const code = thrown instanceof Error ? (thrown as { readonly code?: unknown }).code : undefined;
  if (typeof code !== 'string') return thrown;
  const details = { vendorCode: code };
  const file = `The value index ${JSON.stringify(path)}`;
  if (code === 'SQLITE_NOTADB') return new AskemaError('DATABASE_INVALID', `${notAnIndex(path)}`, { details });
  if (code.startsWith('SQLITE_CORRUPT'))
    return new AskemaError(
      'DATABASE_CORRUPT',
      `${file} is damaged, or somebody has changed it; delete it and build it again.`,
      { details },
    );
  if (code === 'SQLITE_READONLY_ROLLBACK' || code === 'SQLITE_READONLY_RECOVERY')
    return new AskemaError(
      'DATABASE_UNAVAILABLE',
      `${file} was left in the middle of a change, and reading does not end it; build it again, or delete it with what lies beside it.`,
      { details },
    );
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED'))
    return new AskemaError('DATABASE_LOCKED', `${file} is locked by another process; try again when it has ended.`, {
      details,
      retryable: true,
    });
  if (code.startsWith('SQLITE_') || /^E[A-Z]+$/.test(code))
    return new AskemaError(
      'DATABASE_UNAVAILABLE',
      `${file} could not be opened, read or written (${code}); check the folder, its permissions and the room on the disk.`,
      { details },
    );
  return thrown;
}

function makePrivateFile(path: string): void {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) touch(path);
}

/** Follows no link, which could lead anywhere, and waits for nobody at the other end of a pipe. */
function touch(path: string): void {
  const { O_WRONLY, O_CREAT, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;
  closeSync(openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600));
}

/** @throws AskemaError `DATABASE_INVALID` for what SQLite must not open. */
function refuseStrange(path: string): void {
  const why = statSync(path).isFile() ? findStrangeCompanion(path) : 'it is no regular file. Choose another path';
  if (why !== undefined) throw new AskemaError('DATABASE_INVALID', `${JSON.stringify(path)} is not opened: ${why}.`);
}

/**
 * Makes the file of a lock where there is none.
 *
 * @throws AskemaError `DATABASE_INVALID` for anything else in its place.
 */
export function makeLockFile(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  const strange = stats === undefined ? undefined : strangeness(stats);
  if (strange !== undefined)
    throw new AskemaError(
      'DATABASE_INVALID',
      `${JSON.stringify(path)} ${strange}, and no lock of an index. Find out who has put it there, and move it away.`,
    );
  touch(path);
  refuseStrange(path);
}

function checkFormat(database: Database, path: string): void {
  if (database.pragma('application_id', { simple: true }) !== APPLICATION_ID)
    throw new AskemaError('DATABASE_INVALID', notAnIndex(path));
  const version = database.pragma('user_version', { simple: true });
  if (version !== FORMAT_VERSION)
    throw new AskemaError(
      'CONTRACT_MISMATCH',
      `The value index ${JSON.stringify(path)} has format ${version}, and this version of @askema/value-index knows ${FORMAT_VERSION}; delete the file and build it again.`,
    );
  checkObjects(database, path);
}

/**
 * Nothing but the tables of an index is read. A view or a generated column in the place of a table would run what a
 * stranger wrote.
 */
function checkObjects(database: Database, path: string): void {
  const objects = database.prepare('SELECT type, name, sql FROM sqlite_schema').all() as StoredObject[];
  const other = objects.find((object) => !isExpected(object));
  const names = new Set(objects.map(({ name }) => name));
  const missing = [...INDEX_OBJECTS.keys()].find((name) => !names.has(name));
  if (other === undefined && missing === undefined) return;
  const why =
    other === undefined
      ? `it lacks \`${missing}\``
      : `it has the ${other.type} \`${oneLine(String(other.name), 80)}\`, which is none of an index`;
  throw new AskemaError(
    'DATABASE_INVALID',
    `${JSON.stringify(path)} is not read: ${why}. Somebody has changed it; delete it and build it again.`,
  );
}

function notAnIndex(path: string): string {
  return `${JSON.stringify(path)} is no value index; check the path, or choose one where there is no file yet.`;
}
