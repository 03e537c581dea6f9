import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Row, Value } from '../values/value.ts';
import type { ComparableResult } from './cell-equality.ts';
import { relateResults } from './relate-results.ts';

function table(rows: readonly Row[], width = rows[0]?.length ?? 1): ComparableResult {
  return { columns: Array.from({ length: width }, (_, column) => ({ name: `c${column}` })), rows };
}

const two: Row[] = [
  ['Ann', 1.25],
  ['Bob', 2.5],
];

describe('relateResults', () => {
  it.each<[string, readonly Row[], readonly Row[], string]>([
    ['the same rows', two, [...two].reverse(), 'equal'],
    [
      'fewer decimals',
      [
        ['Ann', 1.23456],
        ['Bob', 2.5],
      ],
      [
        ['Ann', 1.23],
        ['Bob', 2.5],
      ],
      'other-form',
    ],
    ['a date and its midnight', [['2024-01-02']], [['2024-01-02T00:00:00.000Z']], 'other-form'],
    ['a date and another time', [['2024-01-02']], [['2024-01-02T01:00:00Z']], 'different'],
    ['money in two forms', [['$9,466,254.85']], [[9466254.85]], 'other-form'],
    ['negative money', [['-$1,000']], [['$ -1000']], 'other-form'],
    ['case and blanks', [['Ann ']], [['ANN']], 'other-form'],
    [
      'an extra column',
      two,
      [
        ['x', 1.25, 'Ann'],
        ['y', 2.5, 'Bob'],
      ],
      'extra-columns',
    ],
    [
      'an extra column, but rows in other pairs',
      two,
      [
        ['x', 1.25, 'Bob'],
        ['y', 2.5, 'Ann'],
      ],
      'overlap',
    ],
    ['repeated rows', two, [...two, ...two], 'repeated-rows'],
    [
      'repeated rows and an extra column',
      [['Ann'], ['Bob']],
      [
        ['Ann', 1],
        ['Ann', 2],
        ['Bob', 3],
      ],
      'repeated-rows',
    ],
    ['one row less', [...two, ['Cid', 7]], two, 'overlap'],
    [
      'nothing alike',
      two,
      [
        ['Cid', 7],
        ['Dan', 8],
      ],
      'different',
    ],
    ['an empty one', two, [], 'different'],
    ['neighbouring whole numbers', [[3]], [[4]], 'different'],
  ])('%s', (_name, a, b, type) => {
    const [first, second] = [table(a), table(b, b[0]?.length ?? 2)];
    expect(relateResults(first, second).type).toBe(type);
    expect(relateResults(second, first).type).toBe(type);
  });

  it('says which one has more columns, and how much both share', () => {
    const wide = table([
      ['Ann', 1],
      ['Bob', 2],
    ]);
    const narrow = table([['Ann'], ['Bob']]);
    expect(relateResults(wide, narrow)).toEqual({ type: 'extra-columns', wider: 'first', overlap: 1 });
    expect(relateResults(narrow, wide)).toEqual({ type: 'extra-columns', wider: 'second', overlap: 1 });
    expect(relateResults(table([['a'], ['b'], ['c'], ['d']]), table([['a'], ['b'], ['c'], ['x']])).overlap).toBe(0.75);
  });

  it('is symmetric but for `wider`', () => {
    const cell = fc.constantFrom<Value>(0, 1, 1.234, 1.23, 'a', 'A', null);
    const result = fc
      .integer({ min: 1, max: 3 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 4 }),
      )
      .map((rows) => table(rows));
    fc.assert(
      fc.property(result, result, (a, b) => {
        const [there, back] = [relateResults(a, b), relateResults(b, a)];
        expect(back.type).toBe(there.type);
        expect(back.overlap).toBeCloseTo(there.overlap, 12);
      }),
      { numRuns: 500 },
    );
  });

  it('gives up on tables made of equal columns instead of trying all orders', () => {
    const ring = (size: number, width: number): Row[] =>
      Array.from({ length: size }, (_, row) =>
        Array.from({ length: width }, (_, column) =>
          column % size === row || column % size === (row + 1) % size ? 1 : 0,
        ),
      );
    const started = performance.now();
    relateResults(table(ring(14, 13)), table(ring(14, 14)));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
