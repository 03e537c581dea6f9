import { type Duplex, Readable } from 'node:stream';
import type { Row } from '@askema/core';
import type { Connection as Driver, FieldPacket } from 'mysql2';

/** Reading from the socket pauses while so many rows wait for their consumer. */
const HIGH_WATER_ROWS = 64;
const BATCH_ROWS = 1_000;

/** How long the end of a result may take to come when nobody wants more of its rows. */
const LEAVE_MS = 50;

/** The result of one statement, as it comes. */
export interface ResultReader {
  /** The columns; empty for a statement that gives no rows. */
  readonly fields: Promise<readonly FieldPacket[]>;
  readonly batches: AsyncIterable<readonly Row[]>;
  /** Settles when nothing more will come. */
  readonly ended: Promise<void>;
  /** Rows that a statement without columns has changed. */
  readonly affectedRows: () => number | undefined;
  /** A row was larger than it may be: it was not collected, and the connection is gone. */
  readonly exceeded: () => boolean;
  /** Drops what still comes. False when that is more than a moment's worth. */
  leave(): Promise<boolean>;
}

/** What this file uses of the driver beyond its types. */
type RawDriver = Driver & { readonly stream: Duplex };

/** GEOMETRY and VECTOR as the bytes that are stored; the driver would make objects of them, and lose the SRID. */
function typeCast(field: { readonly type: string; buffer(): Buffer | null }, next: () => unknown): unknown {
  return field.type === 'GEOMETRY' || field.type === 'VECTOR' ? field.buffer() : next();
}

/** Executes a prepared statement. A row of more bytes than `maxRowBytes` ends the connection. */
export function readResult(driver: Driver, sql: string, values: readonly unknown[], maxRowBytes: number): ResultReader {
  const socket = (driver as RawDriver).stream;
  const fields = Promise.withResolvers<readonly FieldPacket[]>();
  const ended = Promise.withResolvers<void>();
  for (const { promise } of [fields, ended]) (promise as Promise<unknown>).catch(() => undefined);
  /** Bytes of the wire since the last row; undefined before the columns have come. */
  let unread: number | undefined;
  let affectedRows: number | undefined;
  let hasEnded = false;
  const command = driver.execute({ sql, rowsAsArray: true, values, typeCast } as never);
  const rows = new Readable({ objectMode: true, highWaterMark: HIGH_WATER_ROWS, read: () => driver.resume() });
  const exceeded = (): boolean => (unread ?? 0) > maxRowBytes;
  const finish = (error?: Error): void => {
    if (hasEnded) return;
    hasEnded = true;
    socket.off('data', count);
    driver.off('error', fail).off('end', fail);
    if (error === undefined) {
      ended.resolve();
      rows.push(null);
    } else {
      ended.reject(error);
      fields.reject(error);
      rows.destroy(error);
    }
  };
  const fail = (error = new Error('The connection was closed.')): void => finish(error);
  const count = (chunk: Buffer): void => {
    if (unread !== undefined) unread += chunk.length;
    if (!exceeded()) return;
    socket.off('data', count).destroy();
    // The rows that came before it are handed over.
    process.nextTick(() => {
      driver.resume();
      finish();
    });
  };
  rows.on('error', () => undefined);
  socket.prependListener('data', count);
  driver.on('error', fail).on('end', fail);
  command.on('fields', (found: readonly FieldPacket[] | undefined) => {
    unread = 0;
    fields.resolve(found ?? []);
  });
  command.on('result', (row: Row | { readonly affectedRows?: number }) => {
    if (!Array.isArray(row)) affectedRows = (row as { readonly affectedRows?: number }).affectedRows;
    else if (!rows.destroyed && !rows.push(row) && !exceeded()) driver.pause();
    if (!exceeded()) unread = 0;
  });
  command.on('error', fail);
  command.on('end', () => finish());
  return {
    fields: fields.promise,
    ended: ended.promise,
    batches: inBatches(rows),
    affectedRows: () => affectedRows,
    exceeded,
    async leave() {
      rows.destroy();
      driver.resume();
      const { promise: late, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, LEAVE_MS);
      await Promise.race([ended.promise.catch(() => undefined), late]);
      clearTimeout(timer);
      return hasEnded;
    },
  };
}

/** What has come, together. */
async function* inBatches(rows: Readable): AsyncGenerator<readonly Row[], void, void> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (rows.readableLength > 0 && batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
}
