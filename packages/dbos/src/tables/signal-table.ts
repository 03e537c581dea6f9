import { decodeValue, encodeValue, type JsonValue } from '@askema/core';
import type { Store } from '../connection/store.ts';

/** Adds a value to those of a job, behind the ones that were sent before. */
export async function sendSignal(store: Store, runner: string, job: string, value: unknown): Promise<void> {
  const encoded = JSON.stringify(encodeValue(value));
  await store.transaction(async (query) => {
    // Senders to one job come one after the other, so that numbers have no gaps.
    await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [JSON.stringify([runner, job])]);
    await query(
      `INSERT INTO {askema}.signals (runner, job, number, value)
       SELECT $1, $2, count(*), $3 FROM {askema}.signals WHERE runner = $1 AND job = $2`,
      [runner, job, encoded],
    );
  });
}

/** The value number `number` of a job, from 0, if it was sent. */
export async function readSignal(
  store: Store,
  runner: string,
  job: string,
  number: number,
): Promise<{ readonly value: unknown } | undefined> {
  const [row] = await store.query<{ value: string }>(
    'SELECT value FROM {askema}.signals WHERE runner = $1 AND job = $2 AND number = $3',
    [runner, job, number],
  );
  return row === undefined ? undefined : { value: decodeValue(JSON.parse(row.value) as JsonValue) };
}
