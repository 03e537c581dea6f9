import { Readable } from 'node:stream';
import type { Row } from '@askema/core';

/** So many rows wait for their consumer before the driver is paused. */
const HIGH_WATER_ROWS = 64;
const BATCH_ROWS = 1_000;

/** How long the end of a result may take to come when nobody wants more of its rows. */
const LEAVE_MS = 50;

/** Rows that a driver pushes, for a consumer that asks for them. */
export interface RowStream {
  /** The rows in their order; rejects with what {@link RowStream.fail} was given. */
  readonly batches: AsyncIterable<readonly Row[]>;
  /** Settles when nothing more will come. */
  readonly ended: Promise<void>;
  push(row: Row): void;
  /** The result is whole, or all of it that will come: what the driver still holds is handed over. */
  end(): void;
  fail(error: Error): void;
  /** Drops what still comes. False when that is more than a moment's worth: tell the server to stop. */
  leave(): Promise<boolean>;
}

/** @param driver stops and goes on reading; `resume` hands over what it holds before it returns. */
export function createRowStream(driver: { pause(): void; resume(): void }): RowStream {
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  ended.catch(() => undefined);
  const rows = new Readable({ objectMode: true, highWaterMark: HIGH_WATER_ROWS, read: () => driver.resume() });
  rows.on('error', () => undefined);
  let state: 'open' | 'ending' | 'ended' = 'open';
  return {
    batches: inBatches(rows),
    ended,
    push(row) {
      if (!rows.destroyed && state !== 'ended' && !rows.push(row) && state === 'open') driver.pause();
    },
    end() {
      if (state !== 'open') return;
      state = 'ending';
      driver.resume();
      state = 'ended';
      rows.push(null);
      resolve();
    },
    fail(error) {
      if (state !== 'open') return;
      state = 'ended';
      reject(error);
      rows.destroy(error);
    },
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
