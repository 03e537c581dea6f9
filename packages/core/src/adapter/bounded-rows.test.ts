import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Row } from '../values/value.ts';
import type { ResultEvent } from './adapter-spec.ts';
import { boundedRows, rowBytes } from './bounded-rows.ts';

const columns = [{ name: 'x', nativeType: '', type: 'TEXT' }] as const;
const MANY = { columns, maxRows: Number.POSITIVE_INFINITY, maxBytes: Number.POSITIVE_INFINITY };

async function collect(events: AsyncIterable<ResultEvent>) {
  const all: ResultEvent[] = [];
  for await (const event of events) all.push(event);
  const rows = all.flatMap((event) => (event.type === 'rows' ? event.rows : []));
  return { all, rows, end: all.at(-1) };
}

describe('boundedRows', () => {
  it('gives columns, rows and end, also when there is nothing', async () => {
    expect((await collect(boundedRows([], MANY))).all).toEqual([{ type: 'columns', columns }, { type: 'end' }]);
    const { all } = await collect(boundedRows([[], [['a']], []], { ...MANY, end: () => ({ queryId: 'q' }) }));
    expect(all.slice(1)).toEqual([
      { type: 'rows', rows: [['a']] },
      { type: 'end', queryId: 'q' },
    ]);
  });

  it('does not call a result cut that just fits', async () => {
    const batches = [[['a'], ['b']], [['c']]];
    expect((await collect(boundedRows(batches, { ...MANY, maxRows: 3, maxBytes: 3 }))).end).toEqual({ type: 'end' });
    expect((await collect(boundedRows(batches, { ...MANY, maxRows: 2 }))).end).toEqual({
      type: 'end',
      truncated: 'rows',
    });
    expect((await collect(boundedRows(batches, { ...MANY, maxBytes: 2 }))).end).toEqual({
      type: 'end',
      truncated: 'bytes',
    });
  });

  it('says which cap ended a source that ends by itself', async () => {
    const { rows, end } = await collect(boundedRows([[['a']]], { ...MANY, cut: () => 'bytes' }));
    expect({ rows, end }).toEqual({ rows: [['a']], end: { type: 'end', truncated: 'bytes' } });
    expect((await collect(boundedRows([[['a']]], { ...MANY, cut: () => undefined }))).end).toEqual({ type: 'end' });
  });

  it('hands over no cell that is larger than the cap, and nothing behind it', async () => {
    const { rows, end } = await collect(boundedRows([[['a'], ['b'.repeat(10)], ['c']]], { ...MANY, maxBytes: 5 }));
    expect([rows, end]).toEqual([[['a']], { type: 'end', truncated: 'bytes' }]);
  });

  it('leaves the source where it cuts, where the reader leaves, and when the source fails', async () => {
    const closed = vi.fn();
    async function* source(): AsyncGenerator<readonly Row[]> {
      try {
        for (let row = 0; ; row += 1) {
          if (row === 5) throw new Error('connection lost');
          yield [[row]];
        }
      } finally {
        closed();
      }
    }
    await collect(boundedRows(source(), { ...MANY, maxRows: 2 }));
    for await (const event of boundedRows(source(), MANY)) if (event.type === 'rows') break;
    await expect(collect(boundedRows(source(), MANY))).rejects.toThrow('connection lost');
    expect(closed).toHaveBeenCalledTimes(3);
  });

  it('asks `end` only behind the last row', async () => {
    const order: string[] = [];
    function* source(): Generator<readonly Row[]> {
      order.push('first');
      yield [[1]];
      order.push('last');
    }
    await collect(boundedRows(source(), { ...MANY, end: () => ({ affectedRows: order.push('end') }) }));
    expect(order).toEqual(['first', 'last', 'end']);
  });

  it('gives the longest beginning within both caps, however the rows are batched', async () => {
    const batches = fc.array(
      fc.array(
        fc.string({ maxLength: 6 }).map((text) => [text] as const),
        { maxLength: 5 },
      ),
      {
        maxLength: 6,
      },
    );
    await fc.assert(
      fc.asyncProperty(batches, fc.nat(12), fc.nat(30), async (given, maxRows, maxBytes) => {
        const all = given.flat();
        let bytes = 0;
        let count = 0;
        for (const row of all) {
          bytes += rowBytes(row);
          if (count >= maxRows || bytes > maxBytes) break;
          count += 1;
        }
        const { rows, end } = await collect(boundedRows(given, { columns, maxRows, maxBytes }));
        expect(rows).toEqual(all.slice(0, count));
        expect(end?.type === 'end' && end.truncated !== undefined).toBe(count < all.length);
      }),
    );
  });
});

describe('rowBytes', () => {
  it('sizes every kind of value', () => {
    expect(rowBytes([])).toBe(0);
    expect(rowBytes(['größe 🦊', new Uint8Array(3), 1, 2n, true, null])).toBe(12 + 3 + 8 + 8 + 1 + 1);
    expect(rowBytes([{ a: ['ö'] }, [1, 2]])).toBe(Buffer.byteLength('{"a":["ö"]}') + '[1,2]'.length);
    expect(rowBytes([Number.NaN, Number.POSITIVE_INFINITY])).toBe(16);
  });
});
