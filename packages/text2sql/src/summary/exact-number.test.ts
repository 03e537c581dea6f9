import { describe, expect, it } from 'vitest';
import { exactNumber, exactText, roundedRatio, subtract } from './exact-number.ts';

const of = (value: number | bigint | string) => exactNumber(value, 'NUMERIC') ?? { digits: -999n, scale: 0 };

describe('numbers without loss', () => {
  it.each([
    [9_007_199_254_740_993n, 1, '9007199254740992'],
    ['0.30', '0.1', '0.20'],
    [0.3, 0.1, '0.2'],
    ['123456789012345678901234567890.01', '0.02', '123456789012345678901234567889.99'],
    [-5, '0.5', '-5.5'],
    [1e21, 1, '999999999999999999999'],
    [1e-7, 0, '0.0000001'],
    ['.5', '-.25', '0.75'],
  ] as const)('%s - %s', (a, b, difference) => {
    expect(exactText(subtract(of(a), of(b)))).toBe(difference);
  });

  it.each([
    [1, 3, 1n, '0.3'],
    [25, 100, 1n, '0.3'],
    [-25, 100, 1n, '-0.3'],
    [24, 100, 1n, '0.2'],
    ['7.5', '2.5', 1n, '3.0'],
    [1, -8, 100n, '-12.5'],
    [9_007_199_254_740_993n, 9_007_199_254_740_993n, 1n, '1.0'],
    [-1, 1_000_000, 100n, '0.0'],
  ] as const)('%s / %s, times %s, to one decimal', (a, b, times, ratio) => {
    expect(exactText(roundedRatio(of(a), of(b), times))).toBe(ratio);
  });

  it.each([
    ['5', 'TEXT'],
    ['five', 'NUMERIC'],
    ['', 'NUMERIC'],
    ['.', 'NUMERIC'],
    [Number.NaN, 'NUMERIC'],
    [Number.POSITIVE_INFINITY, 'NUMERIC'],
    [true, 'NUMERIC'],
    [null, 'NUMERIC'],
    ['9'.repeat(2_000), 'NUMERIC'],
  ] as const)('%s in a column of %s is none', (value, type) => {
    expect(exactNumber(value, type)).toBeUndefined();
  });
});
