import { AskemaError, createCallContext } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { caseOf, designFixture, planOf, runOnSqlite, scratchFolder, summary } from './run-fixture.ts';
import { runTestPlan } from './run-test-plan.ts';
import { ANN, SHOP, SHOP_PLAN } from './shop-fixture.ts';

// Each run starts a worker process; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

test('a scratch database with anything in it, or opened for reading, is refused, closed and unchanged', async () => {
  using used = scratchFolder('CREATE TABLE precious (id)');
  const options = { plan: SHOP_PLAN, design: designFixture(SHOP), context: createCallContext() };
  await expect(runTestPlan({ ...options, scratch: used.scratch })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('precious'),
  });
  using empty = scratchFolder();
  const scratch = () => ({ ...empty.scratch(), access: 'read' as const });
  await expect(runTestPlan({ ...options, scratch })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  for (const { executor } of [...used.opened, ...empty.opened]) {
    const rest = executor.execute('SELECT 1', {
      maxRows: 1,
      maxBytes: 1,
      timeoutMs: 1000,
      access: 'read',
      context: options.context,
    });
    await expect(rest[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
  }
});

test('an abort ends the run and closes the database; a schema without DDL runs nothing', async () => {
  using folder = scratchFolder();
  const controller = new AbortController();
  let closed = 0;
  const scratch = () => {
    const spec = folder.scratch();
    return {
      ...spec,
      executor: {
        execute: (...[sql, execute]: Parameters<typeof spec.executor.execute>) => {
          if (sql.startsWith('INSERT INTO Customer')) controller.abort();
          return spec.executor.execute(sql, execute);
        },
      },
      close: () => {
        closed += 1;
        return spec.close();
      },
    };
  };
  const options = { plan: SHOP_PLAN, design: designFixture(SHOP), context: createCallContext(), scratch };
  await expect(runTestPlan({ ...options, signal: controller.signal })).rejects.toMatchObject({ code: 'ABORTED' });
  expect(closed).toBe(1);
  const run = await runOnSqlite(SHOP_PLAN, designFixture({ ...SHOP, Product: { attributes: [], key: [] } }));
  expect(run.counts).toEqual({ passed: 0, failed: 0, notCompiled: 0, notRun: 17 });
  expect(run.results[0]?.actual).toContain('The schema could not be created');
});

test('what the database does not enforce is not passed and not held against the schema', async () => {
  using folder = scratchFolder();
  const scratch = () => {
    const spec = folder.scratch();
    const execute: typeof spec.executor.execute = (sql, options) =>
      spec.executor.execute(sql.replace(/,\s*FOREIGN KEY \([^)]*\) REFERENCES "?\w+"? \([^)]*\)/g, ''), options);
    return { ...spec, executor: { execute } };
  };
  const plan = planOf({
    cases: [
      caseOf(
        'insert',
        'Order',
        {
          values: [
            ['Order ID', 1],
            ['Customer', 5],
          ],
        },
        'referential integrity',
      ),
      caseOf('insert', 'Order', { values: [['Order ID', null]] }, 'entity integrity'),
    ],
  });
  const run = await runTestPlan({ plan, design: designFixture(SHOP), scratch, context: createCallContext() });
  expect(summary(run)).toEqual(['1.1 not run', '1.2 passed']);
  expect(run.results[0]?.actual).toContain('does not enforce');
});

test('a statement over its time limit fails its case; a name that no SQL can carry runs nothing', async () => {
  using folder = scratchFolder();
  const limits = new Set<number>();
  const scratch = () => {
    const spec = folder.scratch();
    const execute: typeof spec.executor.execute = (sql, options) => {
      limits.add(options.timeoutMs);
      if (sql.startsWith('UPDATE')) throw new AskemaError('QUERY_TIMEOUT', 'The statement did not end within 5000 ms.');
      return spec.executor.execute(sql, options);
    };
    return { ...spec, executor: { execute } };
  };
  const plan = planOf({
    given: [ANN],
    cases: [
      caseOf('update', 'Customer', { values: [['Name', 'x']], where: [['Customer', 1]] }, 'unique'),
      caseOf('query', 'Customer', { values: [['Name', null]] }, [[['Name', 'Ann']]]),
    ],
  });
  const options = { plan, design: designFixture(SHOP), scratch, context: createCallContext(), timeoutMs: 5_000 };
  const run = await runTestPlan(options);
  expect(summary(run)).toEqual(['1.1 failed', '1.2 passed']);
  expect(run.results[0]?.actual).toContain('did not end within 5000 ms');
  expect([...limits]).toEqual([5_000]);
  const odd = await runTestPlan({
    ...options,
    design: designFixture({ 'a\u0000b': { attributes: ['x'], key: ['x'] } }),
  });
  expect(odd.counts).toMatchObject({ notRun: 2 });
});
