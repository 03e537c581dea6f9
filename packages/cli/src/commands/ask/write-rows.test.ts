import { Writable } from 'node:stream';
import type { Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createOutput } from '../../process/output.ts';
import { memoryHost } from '../../testing/memory-host.ts';
import { writeRows } from './write-rows.ts';

const columns = [{ name: 'n', nativeType: 'INTEGER', type: 'NUMERIC' as const }];

/** Batches of one row without end, which count how many were fetched and whether they were left. */
function endless() {
  const seen = { fetched: 0, left: false };
  async function* batches(): AsyncGenerator<readonly Row[]> {
    try {
      for (;;) {
        seen.fetched += 1;
        yield [[seen.fetched]];
      }
    } finally {
      seen.left = true;
    }
  }
  return { batches: batches(), seen };
}

/** A reader that takes so many writes, and answers the next one with this error, or never. */
function reader(takes: number, error?: NodeJS.ErrnoException) {
  const written: string[] = [];
  const stalled = Promise.withResolvers<void>();
  const stream = new Writable({
    write(chunk, _, done) {
      if (written.length < takes) {
        written.push(String(chunk));
        done();
      } else if (error === undefined) stalled.resolve();
      else done(error);
    },
  });
  return { out: createOutput(stream, {}), written, stalled: stalled.promise };
}

const err = () => {
  const host = memoryHost();
  return { host, err: createOutput(host.stderr, {}) };
};

describe('writeRows', () => {
  it('fetches no batch before the last one was taken over', async () => {
    const { batches, seen } = endless();
    const { out, written, stalled } = reader(4);
    void writeRows({ columns, batches }, 'csv', { out, ...err() });
    await stalled;
    expect(written).toEqual(['n\r\n', '1\r\n', '2\r\n', '3\r\n']);
    expect(seen).toEqual({ fetched: 4, left: false });
  });

  it('a reader that has gone ends the statement, and is no error', async () => {
    const { batches, seen } = endless();
    const { out, written } = reader(3, Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
    const { host, err: error } = err();
    await writeRows({ columns, batches }, 'jsonl', { out, err: error });
    expect(written).toEqual(['{"n":1}\n', '{"n":2}\n', '{"n":3}\n']);
    expect(seen.left).toBe(true);
    expect(seen.fetched).toBeLessThanOrEqual(5);
    expect(host.written.stderr).toBe('');
  });

  it('says how much was written when the statement fails on the way', async () => {
    async function* broken(): AsyncGenerator<readonly Row[]> {
      yield [[1], [2]];
      throw new Error('stopped');
    }
    const { host, err: error } = err();
    const out = createOutput(host.stdout, {});
    await expect(writeRows({ columns, batches: broken() }, 'csv', { out, err: error })).rejects.toThrow('stopped');
    expect(host.written.stdout).toBe('n\r\n1\r\n2\r\n');
    expect(host.written.stderr).toBe('The result is not whole: 2 rows of it were written.\n');
  });
});
