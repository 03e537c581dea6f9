import type { Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createRowStream } from './row-stream.ts';

/** A driver that holds rows back while it is paused. */
function makeDriver(count: number) {
  let paused = false;
  let next = 1;
  const flow = (): void => {
    while (!paused && next <= count) {
      stream.push([next]);
      next += 1;
    }
  };
  const stream = createRowStream({
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      flow();
    },
  });
  return { stream, flow, sent: () => next - 1 };
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
    const rows = collect(stream.batches);
    while (sent() < 1_000) await new Promise((resolve) => setImmediate(resolve));
    stream.end();
    expect(await rows).toEqual(numbers(1_000));
    await stream.ended;
  });

  it('hands over what the driver still holds when it ends', async () => {
    const { stream, flow } = makeDriver(500);
    flow();
    stream.end();
    expect(await collect(stream.batches)).toEqual(numbers(500));
  });

  it('rejects with the failure, and nothing comes behind it', async () => {
    const { stream, flow } = makeDriver(10);
    flow();
    stream.fail(new Error('broken'));
    stream.push([99]);
    stream.end();
    await expect(collect(stream.batches)).rejects.toThrow('broken');
    await expect(stream.ended).rejects.toThrow('broken');
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
