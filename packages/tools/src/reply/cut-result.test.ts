import { describe, expect, it } from 'vitest';
import { resultOf } from '../fixtures/outcomes.ts';
import { cutResult } from './cut-result.ts';

const limits = { maxRows: 50, maxCharacters: 6_000 };

describe('cutResult', () => {
  it('leaves a whole result as it is', () => {
    const result = resultOf([
      [1, 'a'],
      [2n ** 60n, null],
    ]);
    expect(cutResult(result, limits)).toEqual({
      json: {
        columns: result.columns,
        rows: [
          [1, 'a'],
          [{ $bigint: '1152921504606846976' }, null],
        ],
      },
      shown: { columns: result.columns, rows: result.rows, truncated: undefined },
    });
  });

  it('takes rows as far as there is room, and at least one', () => {
    const rows = Array.from({ length: 40 }, (_, at) => [at, 'x'.repeat(900)]);
    const { json, truncated } = cutResult(resultOf(rows), limits);
    expect(json.rows).toHaveLength(6);
    expect(json.truncated).toBe('bytes');
    expect(truncated).toMatch(/first 6 of 40 rows/);
    const wide = [Array.from({ length: 60 }, () => 'y'.repeat(5_000))];
    expect(cutResult(resultOf(wide), limits).json.rows).toHaveLength(1);
  });

  it('marks cells that it cuts, and never cuts a number of 45 digits', () => {
    const digits = '9'.repeat(45);
    const row = [
      digits,
      'long '.repeat(1_000),
      new Uint8Array(9_000),
      { deep: ['x'.repeat(3_000)] },
      BigInt(digits.slice(0, 30)),
    ];
    const { json, truncated } = cutResult(resultOf([row]), limits);
    const [number, text, bytes, nested, big] = json.rows[0] ?? [];
    expect([number, big]).toEqual([digits, { $bigint: digits.slice(0, 30) }]);
    expect([text, bytes, nested].every((cell) => typeof cell === 'string' && cell.endsWith('…'))).toBe(true);
    expect(truncated).toMatch(/^Long cells were cut: 3\./);
    const many = cutResult(resultOf([Array.from({ length: 500 }, () => digits)]), limits);
    expect(new Set(many.json.rows[0])).toEqual(new Set([digits]));
    expect(many.truncated).toMatch(/Only the first \d+ of 500 columns/);
  });

  it('stands what is nested without end, and half a character', () => {
    let nested: unknown = 1;
    for (let depth = 0; depth < 3_000; depth += 1) nested = [nested];
    const { json } = cutResult(resultOf([[nested as never, `${'a'.repeat(996)}😀😀`]]), limits);
    expect(json.rows[0]?.[0]).toBe('[too deep]…');
    expect(json.rows[0]?.[1]).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
  });
});
