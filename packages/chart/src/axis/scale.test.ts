import fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberScale, placeScale, type Scale } from './scale.ts';

/** An axis that something can be drawn along. */
function expectSound(scale: Scale, values: readonly number[]): void {
  expect(scale.ticks.length).toBeGreaterThan(0);
  for (const number of [scale.low, scale.high, scale.step, ...scale.ticks]) expect(Number.isFinite(number)).toBe(true);
  for (const value of values) {
    expect(scale.of(value)).toBeGreaterThanOrEqual(0);
    expect(scale.of(value)).toBeLessThanOrEqual(1);
  }
}

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const near = fc
  .tuple(finite, fc.constantFrom(1, 1 + 2 ** -52, 1.1, -1 / 3))
  .map(([value, factor]) => [value, value * factor].filter(Number.isFinite));
const several = fc.oneof(near, fc.array(finite, { minLength: 1, maxLength: 4 }));

test('of any floats: those that no step fits between, too, and the largest', () => {
  const property = fc.property(several, fc.boolean(), fc.integer({ min: 2, max: 20 }), (values, withZero, wanted) => {
    expectSound(numberScale(values, withZero, wanted), values);
    expectSound(placeScale(values, 'number', wanted), values);
  });
  fc.assert(property, {
    numRuns: 500,
    examples: [
      [[5e-324], true, 4],
      [[2.5e-308, 2.5e-308 * (1 + 2 ** -52)], false, 2],
      [[1.089e308, -3.3e307], true, 2],
    ],
  });
});

test('bars begin at zero, and end at a round number', () => {
  expect(numberScale([3, 47], true, 5)).toMatchObject({ low: 0, high: 50, step: 10 });
  expect(numberScale([-3], true, 5)).toMatchObject({ high: 0 });
});
