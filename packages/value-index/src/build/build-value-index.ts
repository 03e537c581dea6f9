import { rmSync, statSync } from 'node:fs';
import { AskemaError, throwIfAborted } from '@askema/core';
import { type BuildStats, indexStats, type ValueIndexStats } from '../index-stats.ts';
import { attributeRows, deleteAttributeRow, hasVectors } from '../store/attribute-rows.ts';
import { checkCatalog, identityOf, noteCatalog } from '../store/check-catalog.ts';
import { compactIndex, isCompactionDue, noteRemoved } from '../store/compact-index.ts';
import { type Database, type Driver, loadDriver, loadVectorExtension } from '../store/driver.ts';
import { mergeChunks } from '../store/form-buffer.ts';
import { closeAfterBuilding, fileError, guardFile, makeLockFile, openForBuilding } from '../store/index-file.ts';
import { ID_RANGE } from '../store/index-schema.ts';
import { planWork } from './attribute-work.ts';
import { type BuildSettings, type BuildValueIndexOptions, buildSettings } from './build-options.ts';
import { embedCells } from './embed-cells.ts';
import { planAttributes } from './plan-attributes.ts';
import { readAttributes } from './read-attributes.ts';

/**
 * Reads the distinct cells of the text attributes of a database, through its adapter and with bounded statements that
 * read, into a SQLite file in which {@link openValueIndex} finds them. A second build reads only what has changed. A
 * build that is stopped, killed included, leaves a file that is whole: it can be opened, and the next build goes on
 * with the attributes that are missing. An attribute that cannot be read is noted and does not end the build. The file
 * is readable by its owner only.
 *
 * Rejects with `DEPENDENCY_MISSING` (better-sqlite3, sqlite-vec), `CONFIG_INVALID` (limits; the file is the index of
 * another database), `DATABASE_LOCKED` (another build is going on), `DATABASE_INVALID` (the file is something else),
 * `DATABASE_CORRUPT`, `DATABASE_UNAVAILABLE`, `ABORTED`, and with what the embedding model rejects with.
 */
export async function buildValueIndex(options: BuildValueIndexOptions): Promise<ValueIndexStats> {
  const { catalog, path } = options;
  const started = performance.now();
  const settings = buildSettings(options);
  throwIfAborted(settings.context.signal, 'Building the value index');
  const driver = await loadDriver();
  const lock = takeBuilderLock(driver, path);
  try {
    const database = openForBuilding(driver, path);
    try {
      const identity = identityOf(catalog);
      checkCatalog(database, identity, path);
      if (options.embeddings !== undefined || hasVectors(database)) await loadVectorExtension(database);
      const built = await build(database, options, settings);
      const elapsedMs = Math.round(performance.now() - started);
      return { ...indexStats(database, path, identity.entries), build: { ...built, elapsedMs } };
    } finally {
      closeAfterBuilding(database);
    }
  } catch (thrown) {
    throw fileError(path, thrown);
  } finally {
    lock.release();
  }
}

async function build(
  database: Database,
  options: BuildValueIndexOptions,
  settings: BuildSettings,
): Promise<Omit<BuildStats, 'elapsedMs'>> {
  const { adapter, catalog, embeddings, onProgress } = options;
  const { context } = settings;
  await forgetUnfinished(database);
  const planned = planAttributes(catalog, options);
  const refresh = options.refresh === true;
  const { read, unchanged, drop } = await planWork(database, planned, { adapter, settings, refresh });
  await inTransaction(database, async () => {
    for (const { number, count } of drop) {
      await deleteAttributeRow(database, number);
      noteRemoved(database, count);
    }
    noteCatalog(database, catalog);
  });
  await readAttributes(read, { database, adapter, settings, unchanged, onProgress });
  // What was dropped may be what must not be in the file: no trace of it stays.
  const mustClear = drop.some(({ count }) => count > 0);
  if (mustClear || isCompactionDue(database)) await compactIndex(database, context.signal);
  await mergeChunks(database);
  if (embeddings === undefined) return { read: read.length, unchanged };
  const ready = attributeRows(database).filter(({ state }) => state === 'ready');
  const values = ready.reduce((sum, { count }) => sum + count, 0);
  const { cells, usage } = await embedCells(database, embeddings, {
    maxVectors: settings.maxEmbeddedValues,
    context,
    onProgress: (attribute, embedded) =>
      onProgress?.({ attribute, done: ready.length, total: ready.length, values, etaMs: undefined, embedded }),
  });
  return { read: read.length, unchanged, embedded: cells, usage };
}

/** What a build that was killed had begun to read. */
async function forgetUnfinished(database: Database): Promise<void> {
  const unfinished = attributeRows(database).filter(({ state }) => state === 'reading');
  await inTransaction(database, async () => {
    for (const { number } of unfinished) {
      const removed = database.prepare('SELECT count(*) FROM value WHERE id >= ? AND id < ?').pluck();
      noteRemoved(database, Number(removed.get(number * ID_RANGE, (number + 1) * ID_RANGE)));
      await deleteAttributeRow(database, number);
    }
  });
}

async function inTransaction(database: Database, work: () => Promise<void>): Promise<void> {
  database.exec('BEGIN IMMEDIATE');
  try {
    await work();
    database.exec('COMMIT');
  } catch (thrown) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw thrown;
  }
}

/** Held by the one process that builds an index. */
interface BuilderLock {
  release(): void;
}

/**
 * Takes the lock of an index: an exclusive lock of SQLite on a file beside it, which the system gives back when its
 * holder dies, however it dies.
 *
 * @throws AskemaError `DATABASE_LOCKED` while another build holds it.
 */
export function takeBuilderLock(driver: Driver, path: string): BuilderLock {
  const file = `${path}.lock`;
  for (;;) {
    const before = guardFile(file, () => {
      makeLockFile(file);
      return identify(file);
    });
    const held = lockFile(driver, file, path);
    // The last holder may have deleted the file between our look and our lock.
    if (before !== undefined && before === identify(file)) return { release: () => release(held, file) };
    held.close();
  }
}

function lockFile(driver: Driver, file: string, path: string): Database {
  const database = guardFile(file, () => new driver(file, { timeout: 0 }));
  try {
    database.pragma('journal_mode = MEMORY');
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (thrown) {
    database.close();
    const code = thrown instanceof Error ? String((thrown as { readonly code?: unknown }).code) : '';
    if (!code.startsWith('SQLITE_BUSY')) throw thrown;
    throw new AskemaError(
      'DATABASE_LOCKED',
      `Another build of the value index ${JSON.stringify(path)} is going on; wait for its end.`,
      { retryable: true },
    );
  }
}

function release(database: Database, file: string): void {
  // While the lock is still held, so that nobody else's file is deleted.
  rmSync(file, { force: true });
  database.close();
}

function identify(file: string): string | undefined {
  const stats = statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? undefined : `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`;
}
