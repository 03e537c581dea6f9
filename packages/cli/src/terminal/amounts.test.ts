import { expect, it } from 'vitest';
import { formatTimeLeft, formatUsd } from './amounts.ts';

it.each([
  [0, '$0.00'],
  [0.0042, '$0.0042'],
  [0.123, '$0.12'],
  [12.3, '$12.30'],
])('writes %d dollars as %s', (dollars, text) => {
  expect(formatUsd(dollars)).toBe(text);
});

it.each([
  [1, '1 s'],
  [59_000, '59 s'],
  [61_000, '1 min'],
  [3_540_000, '59 min'],
  [3_599_000, '1 h 00 min'],
  [11_100_000, '3 h 05 min'],
])('writes %i ms as %s', (milliseconds, text) => {
  expect(formatTimeLeft(milliseconds)).toBe(text);
});
