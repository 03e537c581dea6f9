import { type Adapter, type AskemaError, type Row, resolveAdapter } from '@askema/core';
import { type DuckdbOptions, duckdb } from '../index.ts';

/** An adapter with all parts; to be closed by `await using`. */
export function open(options: DuckdbOptions): Adapter {
  return resolveAdapter(duckdb(options));
}

/** The rows of one statement over data files or a database that is opened for it alone. */
export async function rowsOf(options: DuckdbOptions, sql: string): Promise<readonly Row[]> {
  await using adapter = open(options);
  return (await adapter.query(sql)).rows;
}

/** What a call fails with. */
export async function failure(promise: Promise<unknown>): Promise<AskemaError> {
  try {
    await promise;
  } catch (thrown) {
    return thrown as AskemaError;
  }
  throw new Error('It did not fail.');
}
