import { expect, it } from 'vitest';
import { groupDigits } from './group-digits.ts';

it.each([
  0, 7, 999, 1_000, 12_345, 999_999, 1_000_000, 9_007_199_254_740_991, -1, -999, -1_000, -123_456, 0.5, 1_234.5, 1e21,
])('%d is written as the locale writes it', (amount) => {
  expect(groupDigits(amount)).toBe(amount.toLocaleString('en'));
});
