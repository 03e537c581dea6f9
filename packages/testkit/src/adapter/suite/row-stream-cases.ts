import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createCallContext, type RowStream } from '@askema/core';
import { expect } from 'vitest';
import { type AdapterCase, errorOf, type OpenDatabase } from './adapter-bench.ts';

const MANY = 300_000;

/** Of each of those rows, so that all of them are about 90 MB. */
const WIDTH = 300;

/** What may be held of them: some batches on their way, and what the driver reads ahead. */
const HELD_BYTES = 32 * 1024 * 1024;

/** A statement that ends is gone from the engine within this time. */
const STOP_MS = 10_000;

/** Takes everything, and says how many rows there were. `onRows` is told of each batch. */
async function drain(stream: RowStream, onRows: (rows: number) => Promise<void> | void = () => undefined) {
  let rows = 0;
  for await (const batch of stream) {
    rows += batch.length;
    await onRows(rows);
  }
  return rows;
}

/** Bytes that this process holds. */
async function heldBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  await nextTurn();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The ways in which a reader leaves a stream before its end. */
const LEAVING: Readonly<Record<string, (stream: RowStream, abort: () => void) => Promise<void>>> = {
  async break(stream) {
    for await (const _ of stream) break;
  },
  async return(stream) {
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    await iterator.return?.();
  },
  async close(stream) {
    await stream[Symbol.asyncIterator]().next();
    await stream.close();
  },
  async abort(stream, abort) {
    expect(await errorOf(drain(stream, abort))).toMatchObject({ code: 'ABORTED' });
  },
};

/** Waits until the engine itself says that it runs so much; an engine that does not say is believed. */
async function expectRunning({ loaded }: OpenDatabase, isRunning: boolean): Promise<void> {
  if (loaded.running === undefined) return;
  const running = async () => ((await loaded.running?.()) ?? 0) > 0;
  await expect.poll(running, { timeout: STOP_MS }).toBe(isRunning);
}

/** `Adapter.stream`: results of any size, of which little is held. */
export const ROW_STREAM_CASES = {
  'stream-large': {
    title: 'A stream of 300,000 rows gives the first before the last is read, and little of it is held.',
    needs: 'unfinished results',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const wide = `SELECT x, '${'y'.repeat(WIDTH)}' AS y FROM (${bench.statements.rows(MANY)}) AS numbered`;
      const stream = await adapter.stream(wide, { timeoutMs: 60_000 });
      const numbers = new Uint8Array(MANY + 1);
      let count = 0;
      let before = 0;
      let held = 0;
      for await (const rows of stream) {
        for (const [x] of rows) numbers[Number(x)] = (numbers[Number(x)] ?? 0) + 1;
        const measured = Math.floor(count / 50_000);
        count += rows.length;
        if (before === 0) {
          expect(rows.length).toBeLessThan(MANY / 10);
          expect(stream.end).toBeUndefined();
          before = await heldBytes();
        } else if (Math.floor(count / 50_000) > measured) held = Math.max(held, (await heldBytes()) - before);
      }
      expect(count).toBe(MANY);
      expect(numbers.subarray(1).every((times) => times === 1)).toBe(true);
      expect(stream.end).toMatchObject({ elapsedMs: expect.any(Number) });
      expect(stream.end?.truncated).toBeUndefined();
      expect(held).toBeLessThan(HELD_BYTES);
    },
  },

  'stream-left': {
    title: 'Who leaves a stream early, in whatever way, ends its statement in the engine, and its place is free.',
    async run(bench) {
      const database = await bench.open('shop');
      const { adapter, rows } = database;
      // More often than an adapter has places.
      for (let round = 0; round < 3; round += 1)
        for (const leave of Object.values(LEAVING)) {
          const controller = new AbortController();
          const context = createCallContext({ signal: controller.signal });
          const stream = await adapter.stream(bench.statements.endlessRows, { timeoutMs: 25_000, context });
          if (round === 0) await expectRunning(database, true);
          await leave(stream, () => controller.abort());
          if (round === 0) await expectRunning(database, false);
        }
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'stream-fails': {
    title: 'An error in the middle of a stream comes after the rows before it, and the listener hears how many.',
    needs: 'unfinished results',
    async run(bench) {
      const { adapter, rows } = await bench.open('shop');
      const told: unknown[] = [];
      const context = createCallContext({ emit: ({ data }) => void told.push(data) });
      // More than an engine computes ahead.
      const wide = `SELECT x, '${'y'.repeat(WIDTH)}' AS y FROM (${bench.statements.failingRows(50_000)}) AS failing`;
      const stream = await adapter.stream(wide, { context });
      let count = 0;
      const error = await errorOf(
        drain(stream, (taken) => {
          count = taken;
        }),
      );
      expect(error).toMatchObject({ code: 'QUERY_FAILED' });
      expect(count).toBeGreaterThan(0);
      expect(count).toBeLessThanOrEqual(50_000);
      expect(stream.end).toBeUndefined();
      expect(told).toEqual([expect.objectContaining({ error: 'QUERY_FAILED', rows: count })]);
      expect(await rows('SELECT 1')).toEqual([[1]]);
    },
  },

  'stream-limits': {
    title: 'A stream keeps the caps and the deadline that it is given, as a query does.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const { statements } = bench;
      const byRows = await adapter.stream(statements.rows(5_000), { maxRows: 2_345 });
      expect(await drain(byRows)).toBe(2_345);
      expect(byRows.end).toMatchObject({ truncated: 'rows' });
      const byBytes = await adapter.stream(statements.rows(5_000), { maxBytes: 8_000 });
      const rows = await drain(byBytes);
      expect([rows > 0, rows < 5_000]).toEqual([true, true]);
      expect(byBytes.end).toMatchObject({ truncated: 'bytes' });
      const late = adapter.stream(statements.endless, { timeoutMs: 500 });
      expect(await errorOf(late.then((stream) => drain(stream)))).toMatchObject({ code: 'QUERY_TIMEOUT' });
    },
  },

  'stream-reads-only': {
    title: 'A stream only reads, also where the adapter may write, unless the call asks for it.',
    needs: 'writing',
    async run(bench) {
      const { adapter, loaded, table } = await bench.openOwn('shop', 'write');
      const before = await loaded.state();
      const change = `DELETE FROM ${table('shipment')}`;
      const error = await errorOf(adapter.stream(change).then((stream) => drain(stream)));
      expect(error.code).toMatch(/^QUERY_(NOT_READ_ONLY|REFUSED)$/);
      expect(await loaded.state()).toBe(before);
      const granted = await adapter.stream(change, { access: 'write' });
      await drain(granted);
      expect(await loaded.state()).not.toBe(before);
    },
  },
} satisfies Record<string, AdapterCase>;
