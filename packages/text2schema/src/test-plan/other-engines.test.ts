import { createCallContext } from '@askema/core';
import { expect, test } from 'vitest';
import { duckdbScratch } from './duckdb-fixture.ts';
import { caseOf, designFixture, planOf, summary } from './run-fixture.ts';
import { runTestPlan } from './run-test-plan.ts';
import { SHOP, SHOP_PLAN } from './shop-fixture.ts';

test('DuckDB: the same plan passes, by its dialect alone', async () => {
  const run = await runTestPlan({
    plan: SHOP_PLAN,
    design: designFixture(SHOP),
    scratch: duckdbScratch,
    context: createCallContext(),
  });
  expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect([run.dialect, run.counts.passed]).toEqual(['duckdb', 17]);
});

test('DuckDB: what its types refuse is a rejection by none of the constraints', async () => {
  const plan = planOf({
    cases: [
      caseOf(
        'insert',
        'Product',
        {
          values: [
            ['SKU', 'A'],
            ['Price', 'cheap'],
          ],
        },
        'unique',
      ),
      caseOf(
        'insert',
        'Product',
        {
          values: [
            ['SKU', 'A'],
            ['Price', 1],
          ],
        },
        'accepted',
      ),
      caseOf(
        'insert',
        'Product',
        {
          values: [
            ['SKU', 'A'],
            ['Price', 2],
          ],
        },
        'entity integrity',
      ),
    ],
  });
  const run = await runTestPlan({
    plan,
    design: designFixture(SHOP),
    scratch: duckdbScratch,
    context: createCallContext(),
  });
  expect(summary(run)).toEqual(['1.1 failed (qa-engineer)', '1.2 passed', '1.3 passed']);
  expect(run.results[0]?.actual).toContain('its data type');
});
