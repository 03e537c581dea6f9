import { expect, test } from 'vitest';
import { checkPrices, costOfUsage, findPrice } from './token-price.ts';

const price = { input: 2, output: 8, cachedInput: 0.5, cacheWrite: 2.5 };

test('cached and written tokens are parts of the input', () => {
  const usage = {
    inputTokens: 1_000_000,
    outputTokens: 500_000,
    cachedInputTokens: 400_000,
    cacheWriteTokens: 100_000,
  };
  expect(costOfUsage(usage, price)).toBeCloseTo(0.5 * 2 + 0.4 * 0.5 + 0.1 * 2.5 + 0.5 * 8, 10);
  expect(costOfUsage(usage, { input: 2, output: 8 })).toBeCloseTo(2 + 4, 10);
});

test('what is unknown has no cost, rather than none', () => {
  expect(costOfUsage({ inputTokens: 5 }, price)).toBeUndefined();
  expect(costOfUsage({ outputTokens: 5 }, price)).toBeUndefined();
  expect(costOfUsage({ inputTokens: 0, outputTokens: 0 }, price)).toBe(0);
});

test('a vendor that reports more cached than input tokens earns us nothing', () => {
  const usage = { inputTokens: 10, outputTokens: 0, cachedInputTokens: 50, cacheWriteTokens: 50 };
  expect(costOfUsage(usage, price)).toBeCloseTo((10 * 0.5) / 1_000_000, 15);
});

test('a price is found by both names, the longer one first', () => {
  const prices = { 'a:m:8b': { input: 1, output: 1 }, 'm:8b': { input: 2, output: 2 } };
  expect(findPrice(prices, 'a:m:8b')?.input).toBe(1);
  expect(findPrice(prices, 'b:m:8b')?.input).toBe(2);
  expect(findPrice(prices, 'a:other')).toBeUndefined();
  expect(findPrice(prices, 'a:constructor')).toBeUndefined();
});

test.each([
  { input: -1, output: 1 },
  { input: 1 },
  { input: 1, output: Number.NaN },
  { input: 1, output: 1, cachedInput: -1 },
])('%o is no price', (wrong) => {
  expect(() => checkPrices('createBudget', { m: wrong as never })).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID', message: expect.stringContaining("prices['m']") }),
  );
});
