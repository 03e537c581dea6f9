import { loadPeer } from '@askema/core';
import type BetterSqlite3 from 'better-sqlite3';

export type Driver = typeof BetterSqlite3;
export type Database = BetterSqlite3.Database;

const NEEDED_BY = '@askema/value-index';

/** Loads better-sqlite3, an optional peer. Rejects with `DEPENDENCY_MISSING` and the install command. */
export async function loadDriver(): Promise<Driver> {
  return loadPeer(async () => (await import('better-sqlite3')).default, {
    peer: 'better-sqlite3',
    range: '^13',
    neededBy: NEEDED_BY,
  });
}

/** Loads sqlite-vec, an optional peer, into a connection. Rejects with `DEPENDENCY_MISSING` and the install command. */
export async function loadVectorExtension(database: Database): Promise<void> {
  const { load } = await loadPeer(() => import('sqlite-vec'), {
    peer: 'sqlite-vec',
    range: '^0.1.9',
    neededBy: `${NEEDED_BY} (for embeddings)`,
  });
  load(database);
}
