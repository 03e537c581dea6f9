import { EventEmitter } from 'node:events';
import { PassThrough } from 'node:stream';
import type { CallLimits, Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createRowStream } from './row-stream.ts';

const noLimits: Pick<CallLimits, 'race'> = { race: (running) => running };

/** A driver that holds rows back while it is paused. */
function makeDriver(count: number, maxRowBytes = 1_000) {
  let paused = false;
  let next = 1;
  const flow = (): void => {
    while (!paused && next <= count) {
      stream.push([next]);
      next += 1;
    }
  };
  const socket = new PassThrough();
  const driver = Object.assign(new EventEmitter(), {
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      flow();
    },
  });
  const stream = createRowStream<readonly string[]>(driver, socket, maxRowBytes);
  return { stream, driver, socket, flow, sent: () => next - 1 };
}

async function collect(batches: AsyncIterable<readonly Row[]>): Promise<unknown[]> {
  const rows: unknown[] = [];
  for await (const batch of batches) rows.push(...batch.map(([cell]) => cell));
  return rows;
}

const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('a stream of rows', () => {
  it('pauses the driver while nobody asks, and goes on when somebody does', async () => {
    const { stream, flow, sent } = makeDriver(1_000);
    flow();
    expect(sent()).toBeLessThan(100);
    const rows = collect(stream.batches(noLimits));
    while (sent() < 1_000) await new Promise((resolve) => setImmediate(resolve));
    stream.end();
    expect(await rows).toEqual(numbers(1_000));
    await stream.ended;
  });

  it('hands over what the driver still holds when it ends', async () => {
    const { stream, flow } = makeDriver(500);
    flow();
    stream.end();
    expect(await collect(stream.batches(noLimits))).toEqual(numbers(500));
  });

  it('rejects with the failure, and nothing comes behind it', async () => {
    const { stream, flow } = makeDriver(10);
    flow();
    stream.fail(new Error('broken'));
    stream.push([99]);
    stream.end();
    await expect(collect(stream.batches(noLimits))).rejects.toThrow('broken');
    await expect(stream.ended).rejects.toThrow('broken');
    await expect(stream.columns).rejects.toThrow('broken');
  });

  it('fails with the connection, and leaves nothing on driver and socket', async () => {
    const { stream, driver, socket, flow } = makeDriver(3);
    flow();
    driver.emit('end');
    await expect(collect(stream.batches(noLimits))).rejects.toThrow('The connection was closed.');
    expect([driver.listenerCount('end'), driver.listenerCount('error'), socket.listenerCount('data')]).toEqual([
      0, 0, 0,
    ]);
  });

  it('ends the connection at a row that is too large, and hands over the rows before it', async () => {
    const { stream, socket } = makeDriver(0, 100);
    socket.emit('data', Buffer.alloc(500));
    stream.begin(['id']);
    for (const id of [1, 2]) {
      socket.emit('data', Buffer.alloc(80));
      stream.push([id]);
    }
    expect([stream.exceeded(), socket.destroyed]).toEqual([false, false]);
    for (let sent = 0; sent < 2; sent += 1) socket.emit('data', Buffer.alloc(80));
    expect([stream.exceeded(), socket.destroyed]).toEqual([true, true]);
    expect(await collect(stream.batches(noLimits))).toEqual([1, 2]);
    expect(await stream.columns).toEqual(['id']);
  });

  it('drops what nobody wants, and says whether the end has come', async () => {
    const short = makeDriver(5);
    short.flow();
    short.stream.end();
    expect(await short.stream.leave()).toBe(true);
    const long = makeDriver(200);
    long.flow();
    expect(await long.stream.leave()).toBe(false);
    expect(long.sent()).toBe(200);
  });
});
