import { expect, test } from 'vitest';
import { countTokensRoughly } from './count-tokens-roughly.ts';

// The right-hand numbers are those of o200k_base.
test.each([
  ['CREATE TABLE customer (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT);\n', 18],
  ['Which five customers spent the most in the last year, and in which country do they live?', 19],
  ['SELECT "c"."name", SUM(o.total) AS spent FROM customer c JOIN orders o ON o.customer_id = c.id GROUP BY 1', 29],
  ['{"id": 12345, "name": "Ann", "tags": ["a", "b"], "at": "2024-05-17T10:00:00Z"}', 40],
])('%s', (text, tokens) => {
  expect(countTokensRoughly(text) / tokens).toBeGreaterThan(0.8);
  expect(countTokensRoughly(text) / tokens).toBeLessThan(1.4);
});

test('other scripts are not counted too low', () => {
  expect(countTokensRoughly('去年订购超过五次的客户有多少')).toBeGreaterThanOrEqual(10);
  expect(countTokensRoughly('😀😀😀')).toBeGreaterThanOrEqual(3);
  expect(countTokensRoughly('')).toBe(0);
});
