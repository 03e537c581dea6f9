import { type Adapter, type AskemaError, resolveAdapter } from '@askema/core';
import { mysql } from '../mysql.ts';
import type { MysqlOptions } from '../options.ts';
import type { StartedMariadb } from './start-mariadb.ts';

/** Works with an adapter of the server, and closes it. */
export async function openAdapter<T>(
  { host, port, user, password }: StartedMariadb,
  options: MysqlOptions,
  work: (adapter: Adapter) => Promise<T>,
): Promise<T> {
  const adapter = resolveAdapter(mysql({ product: 'mariadb', host, port, user, password, ...options }));
  try {
    return await work(adapter);
  } finally {
    await adapter.close();
  }
}

/** The error of a call that has to fail. */
export const failure = (promise: Promise<unknown>): Promise<AskemaError> =>
  promise.then(
    () => Promise.reject(new Error('It ran.')),
    (error: AskemaError) => error,
  );
