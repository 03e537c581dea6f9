import type { Value } from '@askema/core';
import { expect } from 'vitest';
import { DOCUMENTS } from '../fixture/nested.ts';
import type { AdapterBench, AdapterCase } from './adapter-bench.ts';

async function cellOf(bench: AdapterBench, sql: string): Promise<{ readonly cell: Value; readonly type: string }> {
  const { adapter } = await bench.open('shop');
  const { rows, columns } = await adapter.query(sql);
  return { cell: rows[0]?.[0] ?? null, type: columns[0]?.type ?? '' };
}

/** Decimals: their digits, precision, scale. */
const FRACTIONS: readonly (readonly [digits: string, precision: number, scale: number])[] = [
  ['-0.05', 5, 2],
  ['0.1', 4, 1],
  ['-12345678901234567.89', 19, 2],
  ['99999999999999999999999999999.999999999', 38, 9],
  ['0.000000001', 38, 9],
];

/** Without a fraction they are whole numbers, as exact as those. */
const WHOLE: readonly (readonly [digits: string, precision: number, expected: number | bigint])[] = [
  ['42', 5, 42],
  ['0', 5, 0],
  ['-7', 12, -7],
  ['9007199254740993', 20, 9_007_199_254_740_993n],
  ['-12345678901234567890', 20, -12_345_678_901_234_567_890n],
];

/** ISO 8601 with a blank or a T, a fraction of at least the digits that count. */
const TIME = '23:59:58\\.1250*';

/** What has a type of its own in most engines. */
export const TYPE_CASES = {
  'values-decimal-fractions': {
    title: 'Decimals of either sign, small and large, digit by digit.',
    needs: 'decimals',
    async run(bench) {
      for (const [digits, precision, scale] of FRACTIONS) {
        const { cell, type } = await cellOf(bench, bench.statements.decimalOf(digits, precision, scale));
        const written = typeof cell === 'string' ? cell.replace(/^(-?)\./, '$10.') : cell;
        expect({ digits, cell: written, type }).toEqual({ digits, cell: digits, type: 'NUMERIC' });
      }
    },
  },

  'values-decimal-whole': {
    title: 'A decimal without a fraction is a whole number: a number while it is safe, a bigint beyond.',
    needs: 'decimals',
    async run(bench) {
      for (const [digits, precision, expected] of WHOLE) {
        const { cell } = await cellOf(bench, bench.statements.decimalOf(digits, precision, 0));
        expect({ digits, cell }).toEqual({ digits, cell: expected });
      }
    },
  },

  'values-infinity': {
    title: 'Infinite numbers of either sign.',
    needs: 'infinity',
    async run(bench) {
      const { infinity } = bench.statements;
      expect((await cellOf(bench, infinity(''))).cell).toBe(Number.POSITIVE_INFINITY);
      expect((await cellOf(bench, infinity('-'))).cell).toBe(Number.NEGATIVE_INFINITY);
    },
  },

  'values-date': {
    title: 'A day is a day: no time, no zone, and not the day before.',
    needs: 'temporal types',
    async run(bench) {
      expect(await cellOf(bench, bench.statements.date)).toEqual({ cell: '2024-02-29', type: 'DATETIME' });
    },
  },

  'values-time': {
    title: 'A time of day is ISO text with its fraction.',
    needs: 'temporal types',
    async run(bench) {
      const { cell, type } = await cellOf(bench, bench.statements.time);
      expect(type).toBe('DATETIME');
      expect(cell).toMatch(new RegExp(`^${TIME}$`));
    },
  },

  'values-timestamp': {
    title: 'Without a zone none is made up.',
    needs: 'temporal types',
    async run(bench) {
      const { cell, type } = await cellOf(bench, bench.statements.timestamp);
      expect(type).toBe('DATETIME');
      expect(cell).toMatch(new RegExp(`^2024-02-29[T ]${TIME}$`));
    },
  },

  'values-zoned-timestamp': {
    title: 'With one the text says it, and means the same instant.',
    needs: 'zoned timestamps',
    async run(bench) {
      const { cell, type } = await cellOf(bench, bench.statements.zonedTimestamp);
      expect(type).toBe('DATETIME');
      expect(cell).toMatch(/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d(:\d\d)?)$/);
      const iso = String(cell)
        .replace(' ', 'T')
        .replace(/\.(\d{3})\d*/, '.$1')
        .replace(/([+-]\d\d)$/, '$1:00');
      expect(new Date(iso).toISOString()).toBe('2024-02-29T18:29:58.125Z');
    },
  },

  'values-nested': {
    title: 'Lists and fields are JSON: arrays and objects, not their text. A list that is NULL may come back empty.',
    needs: 'nested types',
    async run(bench) {
      const { rows, table, column } = await bench.open('nested');
      const names = ['id', 'tags', 'address', 'items'].map(column);
      expect(await rows(`SELECT ${names} FROM ${table('document')} ORDER BY ${column('id')}`)).toEqual(DOCUMENTS);
    },
  },

  'values-wide-rows': {
    title: 'A thousand columns.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const items = Array.from({ length: 1_000 }, (_, index) => `${index} AS c${index}`);
      const { columns, rows } = await adapter.query(`SELECT ${items.join(', ')}`);
      expect(columns.map(({ name }) => name.toLowerCase())).toEqual(items.map((_, index) => `c${index}`));
      expect(rows).toEqual([items.map((_, index) => index)]);
    },
  },

  'values-unnamed-columns': {
    title: 'Columns without a name of their own have a name all the same, and their cells stay apart.',
    async run(bench) {
      const { adapter } = await bench.open('shop');
      const { columns, rows } = await adapter.query("SELECT 1 + 1, 1 + 2, 'a'");
      expect(rows).toEqual([[2, 3, 'a']]);
      expect(columns.map(({ name }) => typeof name)).toEqual(['string', 'string', 'string']);
    },
  },

  'values-expression-types': {
    title: 'Expressions over columns have types, too.',
    async run(bench) {
      const { adapter, table, column } = await bench.open('shop');
      const { columns } = await adapter.query(
        `SELECT COUNT(*) AS n, MAX(${column('name')}) AS t FROM ${table('customer')}`,
      );
      expect(columns.map(({ type }) => type)).toEqual(['NUMERIC', 'TEXT']);
    },
  },
} satisfies Record<string, AdapterCase>;
