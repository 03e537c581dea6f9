import type { ComparableResult, DataType, Row, Value } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../../scripts/testing/processor-ms.ts';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';

import { executionMatch } from './execution-match.ts';

const unordered = { orderMatters: false };

function table(rows: readonly Row[], width = rows[0]?.length ?? 1, type?: DataType): ComparableResult {
  return { columns: Array.from({ length: width }, (_, column) => ({ name: `c${column}`, type })), rows };
}

function verdict(gold: readonly Row[], candidate: readonly Row[], options = unordered): string {
  const result = executionMatch(table(gold), table(candidate), options);
  return result.match ? 'match' : result.kind;
}

describe('executionMatch', () => {
  it('takes rows and columns in any order, and says which column is which', () => {
    const gold = table([
      ['Ann', 1, null],
      ['Bob', 2, null],
    ]);
    const candidate = table([
      [null, 2, 'Bob'],
      [null, 1, 'Ann'],
    ]);
    expect(executionMatch(gold, candidate, unordered)).toEqual({ match: true, columnOrder: [2, 1, 0] });
  });

  it('keeps the association within a row', () => {
    // Each column holds the same values on both sides; only their pairing differs.
    const gold: Row[] = [
      ['Ann', 1],
      ['Bob', 2],
    ];
    const crossed: Row[] = [
      ['Ann', 2],
      ['Bob', 1],
    ];
    expect(verdict(gold, crossed)).toBe('values');
  });

  it('counts duplicates', () => {
    expect(verdict([[1], [1], [2]], [[1], [2], [2]])).toBe('values');
    expect(verdict([[1], [1]], [[1]])).toBe('rows');
  });

  it('finds an extra and a missing column wrong, also in an empty result', () => {
    expect(verdict([[1]], [[1, 1]])).toBe('columns');
    expect(verdict([[1, 2]], [[1]])).toBe('columns');
    expect(executionMatch(table([], 1), table([], 2), unordered)).toMatchObject({ match: false, kind: 'columns' });
    expect(executionMatch(table([], 2), table([], 2), unordered)).toMatchObject({ match: true });
  });

  it('minds the row order only where it is asked for', () => {
    expect(verdict([[1], [2]], [[2], [1]])).toBe('match');
    expect(verdict([[1], [2]], [[2], [1]], { orderMatters: true })).toBe('order');
    expect(verdict([[1], [2]], [[3], [1]], { orderMatters: true })).toBe('values');
    expect(
      verdict(
        [
          [1, 'a'],
          [2, 'b'],
        ],
        [
          ['a', 1],
          ['b', 2],
        ],
        { orderMatters: true },
      ),
    ).toBe('match');
  });

  it.each<[string, Value, Value, boolean]>([
    ['the noise of a sum', 0.1 + 0.2, 0.3, true],
    ['a whole number and its float noise', 3, 2.9999999999999996, true],
    ['a rounded average', 33.333333333, 33.33, false],
    ['neighbouring large integers', 9007199254740993n, 9007199254740992n, false],
    ['a bigint and a number', 5n, 5, true],
    ['true and 1', true, 1, true],
    ['NULL and an empty text', null, '', false],
    ['NULL and 0', null, 0, false],
    ['NULL and the text null', null, 'null', false],
    ['a text and a number', '5', 5, false],
    ['texts that differ in case', 'Todd', 'todd', false],
    ['texts that differ in a blank', 'Todd', 'Todd ', false],
    ['the same bytes', new Uint8Array([1, 2]), new Uint8Array([1, 2]), true],
    ['other bytes', new Uint8Array([1, 2]), new Uint8Array([1, 3]), false],
    ['bytes and their text', new Uint8Array([65]), 'A', false],
    ['nested values with their keys in another order', { a: 1, b: [2] }, { b: [2], a: 1 }, true],
    ['nested lists in another order', [1, 2], [2, 1], false],
    ['NaN and NaN', Number.NaN, Number.NaN, true],
    ['infinities of both signs', Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, false],
  ])('%s', (_name, gold, candidate, equal) => {
    expect(verdict([[gold]], [[candidate]])).toBe(equal ? 'match' : 'values');
  });

  it('reads exact decimals of a numeric column as numbers', () => {
    const decimal = table([['12.50'], ['1e2']], 1, 'NUMERIC');
    expect(executionMatch(decimal, table([[12.5], [100]]), unordered).match).toBe(true);
    expect(executionMatch(table([['12.50']]), table([[12.5]]), unordered).match).toBe(false);
    const exact = table([['12345678901234567890']], 1, 'NUMERIC');
    expect(executionMatch(exact, table([[12345678901234567891n]]), unordered).match).toBe(false);
  });

  it('pairs fractions that chain within the tolerance, whichever comes first', () => {
    // 0 and 0.8 fit 0.4; only the pairing 0-0.4, 0.8-1.2 leaves none over.
    const options = { orderMatters: false, absoluteTolerance: 0.45 };
    expect(executionMatch(table([[0.01], [0.8]]), table([[0.4], [1.2]]), options).match).toBe(true);
    expect(executionMatch(table([[0.01], [0.02]]), table([[0.4], [1.2]]), options).match).toBe(false);
  });

  it('decides 40 columns of zeros and ones with equal counts, without trying their orders', () => {
    const size = 40;
    const ring = (step: number): Row[] =>
      Array.from({ length: size }, (_, row) =>
        Array.from({ length: size }, (_, column) => (column === row || column === (row + step) % size ? 1 : 0)),
      );
    const shuffled = ring(1).map((row) => [...row.slice(17), ...row.slice(0, 17)].reverse());
    const started = processorMs();
    // One ring of 40 against itself in another order, and against two rings of 20: every row and column has two ones.
    expect(verdict(ring(1), shuffled)).toBe('match');
    expect(verdict(ring(1), ring(2))).toBe('values');
    expect(processorMs() - started).toBeLessThan(5000);
  });
});

describe('executionMatch, as properties', () => {
  const cell = fc.constantFrom<Value>(0, 1, 1n, 0.5, 'a', 'b', null);
  const rows = (maxWidth: number) =>
    fc
      .integer({ min: 1, max: maxWidth })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      );
  const random = fc.infiniteStream(fc.nat());

  it('matches any shuffle of rows and columns', () => {
    fc.assert(
      fc.property(rows(6), random, (gold, stream) => {
        const columns = shuffle([...(gold[0] ?? []).keys()], stream);
        const candidate = shuffle(gold, stream).map((row) => columns.map((column) => row[column] ?? null));
        expect(verdict(gold, candidate)).toBe('match');
      }),
    );
  });

  it('agrees with trying every order of the columns, and is symmetric', () => {
    const near = rows(4).chain((gold) =>
      fc.tuple(fc.constant(gold), fc.array(fc.tuple(fc.nat(5), fc.nat(3), cell), { maxLength: 3 }), random),
    );
    let matches = 0;
    fc.assert(
      fc.property(near, ([gold, edits, stream]) => {
        const changed = gold.map((row) => [...row]);
        for (const [row, column, value] of edits) {
          const target = changed[row % changed.length];
          if (target !== undefined) target[column % target.length] = value;
        }
        const columns = shuffle([...(gold[0] ?? []).keys()], stream);
        const candidate = changed.map((row) => columns.map((column) => row[column] ?? null));
        const expected = bruteForce(gold, candidate);
        matches += expected ? 1 : 0;
        expect(verdict(gold, candidate) === 'match').toBe(expected);
        expect(verdict(candidate, gold) === 'match').toBe(expected);
      }),
      { numRuns: propertyRuns(200) },
    );
    expect(matches).toBeGreaterThan(50);
    expect(matches).toBeLessThan(450);
  });

  it('never depends on the row order unless it is asked for, and then only on the row order', () => {
    fc.assert(
      fc.property(rows(4), random, (gold, stream) => {
        const candidate = shuffle(gold, stream);
        const sameSequence = permutations([...(gold[0] ?? []).keys()]).some((order) =>
          gold.every((row, position) =>
            row.every((value, column) => same(value, candidate[position]?.[order[column]!])),
          ),
        );
        expect(verdict(gold, candidate)).toBe('match');
        expect(verdict(gold, candidate, { orderMatters: true })).toBe(sameSequence ? 'match' : 'order');
      }),
    );
  });
});

function shuffle<T>(items: readonly T[], stream: IterableIterator<number>): T[] {
  const rest = [...items];
  const shuffled: T[] = [];
  while (rest.length > 0) shuffled.push(...rest.splice((stream.next().value as number) % rest.length, 1));
  return shuffled;
}

function bruteForce(gold: readonly Row[], candidate: readonly Row[]): boolean {
  const key = (row: readonly Value[]): string => row.map((value) => `${typeof value === 'string'}${value}`).join('|');
  const wanted = gold.map(key).sort().join('\n');
  return permutations([...(gold[0] ?? []).keys()]).some(
    (order) =>
      wanted ===
      candidate
        .map((row) => key(order.map((column) => row[column] ?? null)))
        .sort()
        .join('\n'),
  );
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

function same(a: Value, b: Value | undefined): boolean {
  return String(a) === String(b) && (typeof a === 'string') === (typeof b === 'string');
}
