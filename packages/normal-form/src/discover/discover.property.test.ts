import type { Value } from '@askema/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '../../../../scripts/testing/property-runs.ts';
import { codeRows } from './coded-rows.ts';
import { discoverDependencies } from './discover-dependencies.ts';
import { minimalDependencies, minimalUniqueSets } from './test-support/row-oracle.ts';
import { findUniqueSets } from './unique-sets.ts';

const COLUMNS = 5;
const EVERYTHING = { minEvidence: 0, maxChance: Number.POSITIVE_INFINITY };

/** Few values, so that dependencies hold often; some columns follow from others, with errors. */
const rows: fc.Arbitrary<readonly (readonly Value[])[]> = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 30 }))
  .chain(([values, count]) => {
    const value = fc.oneof(
      { weight: 6, arbitrary: fc.integer({ min: 0, max: values }) },
      { weight: 1, arbitrary: fc.constant(null) },
    );
    const row = fc.tuple(value, value, value, fc.boolean());
    return fc
      .array(row, { minLength: count, maxLength: count })
      .map((base) =>
        base.map(
          ([a, b, c, isOdd]) => [a, b, c, a === null ? c : (a * 7) % 3, isOdd && a === 0 ? 9 : `${a}${b}`] as const,
        ),
      );
  });

describe('against the definitions', () => {
  it('finds the same dependencies with the same errors', async () => {
    await fc.assert(
      fc.asyncProperty(rows, fc.constantFrom(0, 0.05, 0.2), async (sample, maxError) => {
        const found = await discoverDependencies(codeRows(sample, COLUMNS), { ...EVERYTHING, maxError });
        expect(found.complete).toBe(true);
        const texts = found.dependencies.map(({ left, right, violations }) => `${left.join()}>${right}:${violations}`);
        expect(texts).toEqual(minimalDependencies(sample, COLUMNS, maxError));
      }),
      { numRuns: propertyRuns(150) },
    );
  });

  it('shows two rows that disagree wherever a dependency is not exact', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (sample) => {
        const found = await discoverDependencies(codeRows(sample, COLUMNS), { ...EVERYTHING, maxError: 0.2 });
        for (const { left, right, g3, violations, rows: read, distinctLeft, counterExample } of found.dependencies) {
          const leftOf = (row: readonly Value[] | undefined) => left.map((column) => row?.[column]);
          const filled = sample.filter((row) => !leftOf(row).includes(null));
          expect([read, g3]).toEqual([filled.length, violations / filled.length]);
          expect(distinctLeft).toBe(new Set(filled.map((row) => JSON.stringify(leftOf(row)))).size);
          expect(counterExample === undefined).toBe(g3 === 0);
          if (counterExample === undefined) continue;
          const [usual, unusual] = [sample[counterExample.usual], sample[counterExample.unusual]];
          expect(leftOf(usual)).toEqual(leftOf(unusual));
          expect(usual?.[right]).not.toEqual(unusual?.[right]);
          const alike = sample.filter((row) => JSON.stringify(leftOf(row)) === JSON.stringify(leftOf(usual)));
          expect(alike.filter((row) => row[right] === usual?.[right])).toHaveLength(counterExample.usualCount);
        }
      }),
      { numRuns: propertyRuns(80) },
    );
  });

  it('finds the same unique columns and pairs', async () => {
    await fc.assert(
      fc.asyncProperty(rows, async (sample) => {
        const { sets, complete } = await findUniqueSets(codeRows(sample, COLUMNS));
        expect(complete).toBe(true);
        const expected = minimalUniqueSets(sample, COLUMNS);
        // Of no rows every column is unique; nothing else can be.
        expect(sets.map((set) => set.join())).toEqual(expected);
      }),
      { numRuns: propertyRuns(120) },
    );
  });
});
