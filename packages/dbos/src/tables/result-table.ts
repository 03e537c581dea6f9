import { createHash } from 'node:crypto';
import { decodeValue, encodeValue, type JsonValue } from '@askema/core';
import type { Store } from '../connection/store.ts';

/** `run` of a {@link Runner}. */
export type Remember = <T>(path: string, key: string, work: () => Promise<T>) => Promise<T>;

/**
 * Results by path and key for all processes of a runner. The first result that is stored is the one that everybody
 * gets, also who came to another one meanwhile. The same work that is going on in this process is not begun a second
 * time.
 */
export function rememberIn(store: Store, runner: string): Remember {
  const running = new Map<string, Promise<unknown>>();
  return <T>(path: string, key: string, work: () => Promise<T>): Promise<T> => {
    const hash = createHash('sha256')
      .update(JSON.stringify([path, key]))
      .digest('hex');
    const begun = running.get(hash) ?? remember(store, runner, hash, path, work).finally(() => running.delete(hash));
    running.set(hash, begun);
    return begun as Promise<T>;
  };
}

async function remember<T>(
  store: Store,
  runner: string,
  hash: string,
  path: string,
  work: () => Promise<T>,
): Promise<T> {
  const known = await read(store, runner, hash);
  if (known !== undefined) return known.value as T;
  const value = await work();
  const rows = await store.query(
    `INSERT INTO {askema}.results (runner, hash, path, value) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING RETURNING hash`,
    [runner, hash, path.replaceAll('\0', '\uFFFD'), JSON.stringify(encodeValue(value))],
  );
  if (rows.length > 0) return value;
  return ((await read(store, runner, hash)) ?? { value }).value as T;
}

async function read(store: Store, runner: string, hash: string): Promise<{ readonly value: unknown } | undefined> {
  const [row] = await store.query<{ value: string }>(
    'SELECT value FROM {askema}.results WHERE runner = $1 AND hash = $2',
    [runner, hash],
  );
  return row === undefined ? undefined : { value: decodeValue(JSON.parse(row.value) as JsonValue) };
}
