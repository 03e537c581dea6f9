import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { bestAssignment } from './best-assignment.ts';

const total = (weights: readonly (readonly number[])[], columns: readonly (number | undefined)[]): number =>
  columns.reduce<number>((sum, column, row) => sum + (column === undefined ? 0 : (weights[row]?.[column] ?? 0)), 0);

/** Tries everything. */
function largestSum(weights: readonly (readonly number[])[], row = 0, taken: ReadonlySet<number> = new Set()): number {
  const own = weights[row];
  if (own === undefined) return 0;
  const without = largestSum(weights, row + 1, taken);
  return Math.max(
    without,
    ...own.map((weight, column) =>
      taken.has(column) ? 0 : weight + largestSum(weights, row + 1, new Set([...taken, column])),
    ),
  );
}

it('gives up the best pair of one for the best of all', () => {
  expect(
    bestAssignment([
      [0.9, 0.8],
      [0.8, 0],
    ]),
  ).toEqual([1, 0]);
});

it('never makes a pair of weight 0, and takes no rows and no columns', () => {
  expect(bestAssignment([[0, 0], [0.5]])).toEqual([undefined, 0]);
  expect(bestAssignment([])).toEqual([]);
  expect(bestAssignment([[], []])).toEqual([undefined, undefined]);
});

it('has the largest sum of all one-to-one assignments of random weights', () => {
  const matrix = fc.tuple(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 5 })).chain(([rows, columns]) =>
    fc.array(fc.array(fc.integer({ min: 0, max: 9 }), { minLength: columns, maxLength: columns }), {
      minLength: rows,
      maxLength: rows,
    }),
  );
  fc.assert(
    fc.property(matrix, (weights) => {
      const columns = bestAssignment(weights);
      const used = columns.filter((column) => column !== undefined);
      expect(new Set(used).size).toBe(used.length);
      expect(total(weights, columns)).toBe(largestSum(weights));
    }),
    { numRuns: 500 },
  );
});

it('assigns 200 to 200 in a moment', () => {
  const weights = Array.from({ length: 200 }, (_, row) =>
    Array.from({ length: 200 }, (_, column) => ((row * 31 + column * 17) % 101) / 100),
  );
  const started = performance.now();
  bestAssignment(weights);
  expect(performance.now() - started).toBeLessThan(4_000);
});
