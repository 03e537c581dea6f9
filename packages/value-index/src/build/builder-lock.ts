import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { AskemaError } from '@askema/core';
import type { Database, Driver } from '../store/driver.ts';
import { guardFile } from '../store/index-file.ts';

/** Held by the one process that builds an index. */
export interface BuilderLock {
  release(): void;
}

/**
 * Takes the lock of an index: an exclusive lock of SQLite on a file beside it, which the system gives back when its holder dies, however
 * it dies.
 *
 * @throws AskemaError `DATABASE_LOCKED` while another build holds it.
 */
export function takeBuilderLock(driver: Driver, path: string): BuilderLock {
  const file = `${path}.lock`;
  for (;;) {
    const before = guardFile(file, () => {
      closeSync(openSync(file, 'a', 0o600));
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
