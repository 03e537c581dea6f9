import { type Duplex, Readable } from 'node:stream';
import type { CallLimits, Row } from '@askema/core';

/** So many rows wait for their consumer before the driver is paused. */
const HIGH_WATER_ROWS = 64;
const BATCH_ROWS = 1_000;

/** How long the end of a result may take to come when nobody wants more of its rows. */
const LEAVE_MS = 50;

/** A connection of a driver that pushes rows. */
export interface PushingDriver {
  /** It stops to hand rows over. */
  pause(): void;
  /** It goes on, and hands over what it holds before it returns. */
  resume(): void;
  on(event: 'error' | 'end', listener: (error?: Error) => void): unknown;
  off(event: 'error' | 'end', listener: (error?: Error) => void): unknown;
}

/** The result of one statement that a driver pushes, for a consumer that asks for its rows. */
export interface RowStream<Columns> {
  /** Rejects with what {@link RowStream.fail} was given. */
  readonly columns: Promise<Columns>;
  /** Settles when nothing more will come. */
  readonly ended: Promise<void>;
  /** The rows in their order; rejects with what {@link RowStream.fail} was given, or when the limits are over. */
  batches(limits: Pick<CallLimits, 'race'>): AsyncIterable<readonly Row[]>;
  /** The columns have come, and the rows come next. */
  begin(columns: Columns): void;
  push(row: Row): void;
  /** The result is whole, or all of it that will come: what the driver still holds is handed over. */
  end(): void;
  fail(error?: Error): void;
  /** A row was larger than it may be: it was not collected, and the connection is gone. */
  exceeded(): boolean;
  /** Drops what still comes. False when that is more than a moment's worth: tell the server to stop. */
  leave(): Promise<boolean>;
}

/**
 * Watches the driver for one statement: it is paused while nobody asks for rows, and the result fails when it loses its
 * connection.
 *
 * @param maxRowBytes a row that takes more bytes of the socket ends the connection, before the driver has collected it.
 */
export function createRowStream<Columns>(
  driver: PushingDriver,
  socket: Duplex,
  maxRowBytes: number,
): RowStream<Columns> {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const columns = Promise.withResolvers<Columns>();
  columns.promise.catch(() => undefined);
  const rows = new Readable({ objectMode: true, highWaterMark: HIGH_WATER_ROWS, read: () => driver.resume() });
  rows.on('error', () => undefined);
  let state: 'open' | 'ending' | 'ended' = 'open';
  /** Bytes of the socket since the last row; undefined before the columns have come. */
  let unread: number | undefined;
  const exceeded = (): boolean => (unread ?? 0) > maxRowBytes;
  const count = (chunk: Buffer): void => {
    if (unread !== undefined) unread += chunk.length;
    if (!exceeded()) return;
    socket.off('data', count).destroy();
    // The rows that came before it are handed over.
    process.nextTick(stream.end);
  };
  const stream: RowStream<Columns> = {
    columns: columns.promise,
    ended,
    async *batches(limits) {
      const source = inBatches(rows);
      for (let next = await limits.race(source.next()); next.done !== true; next = await limits.race(source.next()))
        yield next.value;
    },
    begin(found) {
      unread = 0;
      columns.resolve(found);
    },
    push(row) {
      if (!rows.destroyed && state !== 'ended' && !rows.push(row) && state === 'open') driver.pause();
      if (!exceeded()) unread = 0;
    },
    end() {
      if (state !== 'open') return;
      state = 'ending';
      driver.resume();
      state = 'ended';
      rows.push(null);
      resolve();
    },
    fail(error = new Error('The connection was closed.')) {
      columns.reject(error);
      if (state !== 'open') return;
      state = 'ended';
      reject(error);
      rows.destroy(error);
    },
    exceeded,
    async leave() {
      rows.destroy();
      driver.resume();
      const late = Promise.withResolvers<void>();
      const timer = setTimeout(late.resolve, LEAVE_MS);
      await Promise.race([ended.catch(() => undefined), late.promise]);
      clearTimeout(timer);
      return state === 'ended';
    },
  };
  socket.prependListener('data', count);
  driver.on('error', stream.fail);
  driver.on('end', stream.fail);
  const forget = (): void => {
    socket.off('data', count);
    driver.off('error', stream.fail);
    driver.off('end', stream.fail);
  };
  ended.then(forget, forget);
  return stream;
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
