import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortFloat } from './short-float.ts';

it('the shortest digits that mean a float of four bytes', () => {
  expect([0.1, 16_777_216, -3.4e38, 0, 1 / 3].map((number) => shortFloat(Math.fround(number)))).toEqual([
    0.1, 16_777_216, -3.4e38, 0, 0.33333334,
  ]);
  expect([Number.NaN, Number.POSITIVE_INFINITY].map(shortFloat)).toEqual([Number.NaN, Number.POSITIVE_INFINITY]);
  fc.assert(fc.property(fc.float(), (float) => Object.is(Math.fround(shortFloat(float)), float) || float === 0));
});
