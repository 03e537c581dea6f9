import { expect, test } from 'vitest';
import { areBands, bandStart } from './bands.ts';

test('bands are in the order of their numbers', () => {
  const bands = ['11+', 'under 2', '6-10', '2-5', '€20 – €50', '65 and over'];
  expect(areBands(bands)).toBe(true);
  expect(bands.toSorted((a, b) => (bandStart(a) ?? 0) - (bandStart(b) ?? 0))).toEqual([
    ...['under 2', '2-5', '6-10', '11+', '€20 – €50', '65 and over'],
  ]);
});

test.each([[['1', '2']], [['a1', '2-5']], [['2-5']], [['2024-01-01', '2-5']]])('%j are none', (texts) =>
  expect(areBands(texts)).toBe(false),
);
