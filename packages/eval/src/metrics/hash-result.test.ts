import type { ComparableResult, Row, Value } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { executionMatch } from './execution-match.ts';
import { resultOf } from './fixtures/metric-input.ts';
import { hashResult } from './hash-result.ts';

const matches = (a: ComparableResult, b: ComparableResult): boolean =>
  executionMatch(a, b, { orderMatters: false }).match;

describe('hashResult', () => {
  it('is the same for rows and columns in any order', () => {
    const a = hashResult(
      resultOf([
        ['Ann', 1, null],
        ['Bob', 2, null],
      ]),
    );
    expect(
      hashResult(
        resultOf([
          [null, 2, 'Bob'],
          [null, 1, 'Ann'],
        ]),
      ),
    ).toBe(a);
    expect(a).toMatch(/^[0-9a-f]{64}$/);
    expect(
      hashResult(
        resultOf([
          ['Ann', 2, null],
          ['Bob', 1, null],
        ]),
      ),
    ).not.toBe(a);
  });

  it.each<[string, Value, Value, boolean]>([
    ['a bigint and a number', 5n, 5, true],
    ['true and 1', true, 1, true],
    ['a text and a number', '5', 5, false],
    ['NULL and an empty text', null, '', false],
    ['neighbouring large integers', 9007199254740993n, 9007199254740992n, false],
    ['fractions one bit apart', 0.1 + 0.2, 0.3, false],
    ['nested values with their keys in another order', { a: 1, b: 2 }, { b: 2, a: 1 }, true],
  ])('%s', (_name, a, b, same) => {
    expect(hashResult(resultOf([[a]])) === hashResult(resultOf([[b]]))).toBe(same);
  });

  it('tells shapes apart, empty ones too', () => {
    expect(hashResult(resultOf([], 1))).not.toBe(hashResult(resultOf([], 2)));
    expect(hashResult(resultOf([[1], [1]]))).not.toBe(hashResult(resultOf([[1]])));
    expect(hashResult(resultOf([['a', 'bc']]))).not.toBe(hashResult(resultOf([['ab', 'c']])));
  });

  it('tells one ring of 20 columns from two rings of 10, whatever their order', () => {
    const size = 20;
    const ring = (step: number): Row[] =>
      Array.from({ length: size }, (_, row) =>
        Array.from({ length: size }, (_one, column) => (column === row || column === (row + step) % size ? 1 : 0)),
      );
    const shuffled = ring(1).map((row) => [...row.slice(7), ...row.slice(0, 7)].reverse());
    expect(hashResult(resultOf(shuffled))).toBe(hashResult(resultOf(ring(1))));
    expect(hashResult(resultOf(ring(2)))).not.toBe(hashResult(resultOf(ring(1))));
  });

  it('gives up on what is too symmetric without seeing the order', () => {
    const size = 14;
    const diagonal = Array.from({ length: size }, (_, row) =>
      Array.from({ length: size }, (_one, at) => Number(at === row)),
    );
    const turned = diagonal.map((row) => [...row.slice(3), ...row.slice(0, 3)]).reverse();
    expect(hashResult(resultOf(turned))).toBe(hashResult(resultOf(diagonal)));
  });
});

describe('hashResult, as properties', () => {
  // Few values, so that ties and symmetries are common; no fractions, which execution match compares by tolerance.
  const cell = fc.constantFrom<Value>(0, 1, 1n, true, 'a', 'b', null, '0');
  const table = fc
    .integer({ min: 1, max: 5 })
    .chain((width) => fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }));

  it('is the same for any shuffle', () => {
    fc.assert(
      fc.property(table, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (rows, keys) => {
        const order = shuffled([...(rows[0] ?? []).keys()], keys);
        const other = shuffled(rows, keys).map((row) => order.map((column) => row[column] ?? null));
        expect(hashResult(resultOf(other))).toBe(hashResult(resultOf(rows)));
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('is equal exactly when execution match is', () => {
    let equal = 0;
    const edit = fc.array(fc.tuple(fc.nat(5), fc.nat(4), cell), { maxLength: 2 });
    fc.assert(
      fc.property(table, edit, fc.array(fc.nat(), { minLength: 12, maxLength: 12 }), (rows, edits, keys) => {
        const changed = rows.map((row) => [...row]);
        for (const [row, column, value] of edits) {
          const target = changed[row % changed.length];
          if (target !== undefined) target[column % target.length] = value;
        }
        const [a, b] = [resultOf(rows), resultOf(shuffled(changed, keys))];
        equal += matches(a, b) ? 1 : 0;
        expect(hashResult(a) === hashResult(b)).toBe(matches(a, b));
      }),
      { numRuns: propertyRuns(300) },
    );
    expect(equal).toBeGreaterThan(50);
    expect(equal).toBeLessThan(900);
  });
});

function shuffled<T>(items: readonly T[], keys: readonly number[]): T[] {
  return [...items.keys()]
    .sort((a, b) => (keys[a] ?? 0) - (keys[b] ?? 0) || a - b)
    .flatMap((at) => items.slice(at, at + 1));
}
