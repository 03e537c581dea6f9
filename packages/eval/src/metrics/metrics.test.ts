import { expect, it } from 'vitest';
import { executionMatchMetric } from './execution-match-metric.ts';
import { inputOf } from './fixtures/metric-input.ts';
import { findMetric, METRICS } from './metrics.ts';
import { validSql } from './valid-sql.ts';

it('finds a metric by its id, and names the nearest to one that is not there', () => {
  for (const metric of METRICS) expect(findMetric(metric.id)).toBe(metric);
  expect(new Set(METRICS.map(({ id }) => id)).size).toBe(METRICS.length);
  expect(() => findMetric('bird-xe')).toThrow(/no metric `bird-xe`\. Did you mean `bird-ex`\?/);
});

it('takes a result as right when it matches any gold, with the row order where the question asks for it', () => {
  const swapped = { gold: [[[9]], [[1], [2]]], rows: [[2], [1]] };
  expect(executionMatchMetric.score(inputOf(swapped))).toBe(1);
  expect(executionMatchMetric.score(inputOf({ ...swapped, question: { orderMatters: true } }))).toBe(0);
  expect(executionMatchMetric.score(inputOf({ gold: [[[1]]] }))).toBe(0);
  expect(executionMatchMetric.score(inputOf({ rows: [[1]] }))).toBeUndefined();
});

it('counts a statement as valid when it ran', () => {
  expect(validSql.score(inputOf({ sql: 'SELECT 1', rows: [[1]] }))).toBe(1);
  expect(validSql.score(inputOf({ sql: 'SELECT' }))).toBe(0);
  expect(validSql.score(inputOf({}))).toBeUndefined();
});
