import type { QueryResult, Row } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { resultView, VIEW_LIMITS } from './result-view.ts';

const table = (rows: readonly Row[], truncated?: QueryResult['truncated']) => ({
  columns: [
    { name: 'id', nativeType: '', type: 'NUMERIC' as const },
    { name: 'na\nme', nativeType: '', type: 'TEXT' as const },
  ],
  rows,
  truncated,
});

describe('resultView', () => {
  it('writes each kind of value so that it cannot be taken for another', () => {
    const view = resultView(
      table([
        [1, 'Ann'],
        [9007199254740993n, null],
        [0.5, 'NULL'],
        [new Uint8Array(3), { a: [1] }],
        ['1', 'a\nb | c'],
      ]),
    );
    expect(view.split('\n')).toEqual([
      'id | na me',
      '1 | "Ann"',
      '9007199254740993 | NULL',
      '0.5 | "NULL"',
      '(3 bytes) | {"a":[1]}',
      '"1" | "a\\nb | c"',
      '(5 rows)',
    ]);
  });

  it('cuts to rows and characters, and says so', () => {
    const many = resultView(table(Array.from({ length: 250 }, (_, n) => [n, 'x'])));
    expect(many.split('\n')).toHaveLength(VIEW_LIMITS.maxRows + 2);
    expect(many).toContain('(250 rows; only the first 100 are shown here)');
    const wide = resultView(table(Array.from({ length: 50 }, (_, n) => [n, 'y'.repeat(390)])));
    expect(wide.length).toBeLessThan(VIEW_LIMITS.maxCharacters + 100);
    expect(wide).toMatch(/\(50 rows; only the first 12 are shown here\)$/);
    expect(resultView(table([[1, 'z'.repeat(100_000)]])).length).toBeLessThan(600);
  });

  it('says when the result itself was cut, and when it is empty', () => {
    expect(resultView(table([[1, 'a']], 'rows'))).toContain('(more than 1 rows; only the first 1 are shown here)');
    expect(resultView(table([]))).toBe('id | na me\n(no rows)');
    expect(resultView(table([[1, 'a']]))).toContain('(1 row)');
  });

  it('is bounded whatever names and how many columns there are', () => {
    const name = 'x'.repeat(3_000);
    const columns = Array.from({ length: 2_000 }, () => ({ name, nativeType: '', type: 'TEXT' as const }));
    const rows = [columns.map(() => 'cell'), columns.map(() => 'cell')];
    const view = resultView({ columns, rows });
    expect(view.length).toBeLessThan(VIEW_LIMITS.maxCharacters + 100);
    expect(view).toContain('"cell" | "cell"');
    expect(view).toContain('only the first 1 are shown here');
  });
});
