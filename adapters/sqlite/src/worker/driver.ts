import { createRequire } from 'node:module';
import type BetterSqlite3 from 'better-sqlite3';

export type Driver = typeof BetterSqlite3;
export type Database = BetterSqlite3.Database;
/** A statement whose rows come as arrays. */
export type RowStatement = BetterSqlite3.Statement<unknown[], readonly unknown[]>;

/** Loads the optional peer from where the worker's file lies; throws what `require` throws. */
export function loadDriver(): Driver {
  return createRequire(import.meta.url)('better-sqlite3') as Driver;
}
