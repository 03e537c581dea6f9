import type { DataType, Value } from '@askema/core';
import { describe, expect, it } from 'vitest';
import type { TestValue } from '../model/test-plan.ts';
import { bindValue, comparedText } from './case-value.ts';

describe('comparedText', () => {
  it.each<[DataType, Value, Value]>([
    ['NUMERIC', '1.50', 1.5],
    ['NUMERIC', '+12345678901234567890.500', '12345678901234567890.5'],
    ['NUMERIC', '12345678901234567890.', '12345678901234567890'],
    ['BOOL', 'TRUE', 1],
    ['DATETIME', '2024-01-02T00:00:00Z', '2024-01-02'],
    ['DATETIME', '2024-01-02 08:30:00.100', '2024-01-02 08:30:00.1'],
  ])('%s: %j and %j are one value', (type, one, other) => {
    expect(comparedText(one, type)).toBe(comparedText(other, type));
  });

  it.each<[DataType, Value, Value]>([
    ['NUMERIC', '12345678901234567890', '12345678901234567891'],
    ['NUMERIC', '12345678901234567000', '12345678901234567'],
    ['TEXT', '1.50', '1.5'],
    ['DATETIME', '2024-01-02T08:30Z', '2024-01-02T08:30+02:00'],
  ])('%s: %j and %j are two', (type, one, other) => {
    expect(comparedText(one, type)).not.toBe(comparedText(other, type));
  });

  it('reads endless digits in a moment', () => {
    const started = performance.now();
    const endless: TestValue[] = ['1'.repeat(200_000), `0.${'0'.repeat(200_000)}1`, `1.${'0'.repeat(200_000)}`];
    for (const digits of endless)
      for (const value of [digits, `${digits}x`]) {
        bindValue(value, 'NUMERIC');
        comparedText(value, 'NUMERIC');
      }
    expect(performance.now() - started).toBeLessThan(2_500);
  });
});
