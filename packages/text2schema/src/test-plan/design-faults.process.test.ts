import { expect, test, vi } from 'vitest';
import { caseOf, designFixture, given, planOf, runOnSqlite, summary } from './run-fixture.ts';
import { ANN, ORDER, SHOP, SHOP_PLAN } from './shop-fixture.ts';

// Each run starts a worker process; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

test('a missing foreign key: what it must refuse is accepted, taken back, and named', async () => {
  const { references: _, ...contains } = SHOP.Contains;
  const run = await runOnSqlite(
    SHOP_PLAN,
    designFixture({ ...SHOP, Contains: { ...contains, references: ['SKU > Product: SKU'] } }),
  );
  const wrong = run.results.filter(({ status }) => status !== 'passed');
  expect(wrong[0]).toMatchObject({ set: 1, case: 1, status: 'not compiled', role: 'conceptual-designer' });
  const loose = await runOnSqlite(
    planOf({
      given: [given('Order', ['Order ID', 1])],
      cases: [
        caseOf(
          'insert',
          'Order',
          {
            values: [
              ['Order ID', 2],
              ['Customer ID', 77],
            ],
          },
          'referential integrity',
        ),
        caseOf('query', 'Order', { values: [['Order ID', null]] }, [[['Order ID', 1]]]),
      ],
    }),
    designFixture({ ...SHOP, Order: { ...SHOP.Order, references: [] } }),
  );
  expect(summary(loose)).toEqual(['1.1 failed (conceptual-designer)', '1.2 passed']);
  expect(loose.results[0]?.actual).toContain('No constraint of the schema refuses it');
});

test('a missing unique key and a missing key fail the cases that need them, and blame the logical designer', async () => {
  const plan = planOf({
    given: [ANN],
    cases: [
      caseOf(
        'insert',
        'Customer',
        {
          values: [
            ['Customer ID', 2],
            ['Email', 'ann@x'],
          ],
        },
        'unique',
      ),
      caseOf(
        'insert',
        'Customer',
        {
          values: [
            ['Customer ID', 1],
            ['Email', 'bob@x'],
          ],
        },
        'entity integrity',
      ),
      caseOf('update', 'Customer', { values: [['Customer ID', null]], where: [['Name', 'Ann']] }, 'entity integrity'),
    ],
  });
  const loose = { ...SHOP.Customer, attributes: ['Customer ID NUMERIC', 'Name', 'Email'] };
  expect(summary(await runOnSqlite(plan, designFixture({ Customer: loose })))).toEqual([
    '1.1 failed (logical-designer)',
    '1.2 passed',
    '1.3 passed',
  ]);
  expect(summary(await runOnSqlite(plan, designFixture({ Customer: { ...loose, key: ['Email'] } })))).toEqual([
    '1.1 passed',
    '1.2 failed (logical-designer)',
    '1.3 failed (logical-designer)',
  ]);
});

test('a rejection by another constraint is a failure with both named', async () => {
  const plan = planOf({
    given: [ANN],
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
        'entity integrity',
      ),
    ],
  });
  const [result] = (await runOnSqlite(plan, designFixture(SHOP))).results;
  expect(result).toMatchObject({ status: 'failed', expected: 'rejected by entity integrity' });
  expect(result?.actual).toContain('Rejected by referential integrity, not by entity integrity');
});

test('a missing attribute and an unknown target do not compile, name the nearest, and never pass', async () => {
  const report = {
    language: 'en',
    title: 'Shop',
    summary: '',
    functions: [],
    subjects: [
      { name: 'Customer', attributes: ['Customer ID', 'Name', 'Phone'], description: '' },
      { name: 'Supplier', attributes: ['Supplier ID'], description: '' },
    ],
    relationships: ['An invoice belongs to an order.'],
    rules: [],
    clarifications: [],
  };
  const plan = planOf({
    cases: [
      caseOf(
        'insert',
        'Customer',
        {
          values: [
            ['Customer ID', 1],
            ['Phone', '1'],
          ],
        },
        'not null',
      ),
      caseOf(
        'insert',
        'Customer',
        {
          values: [
            ['Customer ID', 1],
            ['Shoe Size', 1],
          ],
        },
        'not null',
      ),
      caseOf('insert', 'Supplier', { values: [['Supplier ID', 1]] }, 'not null'),
      caseOf('insert', 'Custommer', { values: [['Customer ID', 1]] }, 'not null'),
      caseOf('query', 'Invoice', { values: [['Number', null]] }, []),
      caseOf('query', 'Customer', { values: [['Name', null]] }, 'unique'),
      caseOf(
        'insert',
        'Customer',
        {
          values: [
            ['Customer ID', 1],
            ['customer_id', 2],
          ],
        },
        'not null',
      ),
    ],
  });
  const run = await runOnSqlite(plan, designFixture(SHOP), { report });
  expect(summary(run)).toEqual([
    '1.1 not compiled (conceptual-designer)',
    '1.2 not compiled (qa-engineer)',
    '1.3 not compiled (conceptual-designer)',
    '1.4 not compiled (qa-engineer)',
    '1.5 not compiled (conceptual-designer)',
    '1.6 not compiled (qa-engineer)',
    '1.7 not compiled (qa-engineer)',
  ]);
  expect(run.results[3]?.actual).toContain('Did you mean `Customer`');
  expect(run.counts).toEqual({ passed: 0, failed: 0, notCompiled: 7, notRun: 0 });
});

test('a wrong cardinality: a second connection finds its place taken, or the key too narrow', async () => {
  const plan = planOf(
    {
      given: [ANN, given('Customer', ['Customer ID', 2]), given('Order', ['Order ID', 10], ['Customer', 1])],
      cases: [
        caseOf(
          'insert',
          'Places',
          {
            values: [
              ['Order ID', 10],
              ['Customer ID', 2],
            ],
          },
          'accepted',
        ),
      ],
    },
    {
      given: [ANN, given('Customer', ['Customer ID', 2]), given('Order', ['Order ID', 10])],
      cases: [
        caseOf(
          'insert',
          'Places',
          {
            values: [
              ['Order ID', 99],
              ['Customer ID', 2],
            ],
          },
          'referential integrity',
        ),
        caseOf(
          'insert',
          'Places',
          {
            values: [
              ['Order ID', 10],
              ['Customer ID', 99],
            ],
          },
          'referential integrity',
        ),
        caseOf(
          'insert',
          'Places',
          {
            values: [
              ['Order ID', 10],
              ['Customer ID', 1],
            ],
          },
          'accepted',
        ),
        caseOf(
          'insert',
          'Places',
          {
            values: [
              ['Order ID', 10],
              ['Customer ID', 1],
            ],
          },
          'entity integrity',
        ),
      ],
    },
  );
  const run = await runOnSqlite(plan, designFixture(SHOP));
  expect(summary(run)).toEqual([
    '1.1 failed (conceptual-designer)',
    '2.1 passed',
    '2.2 passed',
    '2.3 passed',
    '2.4 passed',
  ]);
  expect(run.results[0]?.actual).toContain('has room for one');
  const narrow = designFixture({ ...SHOP, Contains: { ...SHOP.Contains, key: ['Order ID'] } });
  const second = await runOnSqlite(
    planOf({
      given: [
        ORDER,
        ANN,
        given('Product', ['SKU', 'A']),
        given('Product', ['SKU', 'B']),
        given('Contains', ['Order', 10], ['Product', 'A']),
      ],
      cases: [
        caseOf(
          'insert',
          'Contains',
          {
            values: [
              ['Order', 10],
              ['Product', 'B'],
            ],
          },
          'accepted',
        ),
        caseOf('query', 'Contains', { values: [] }, []),
      ],
    }),
    narrow,
  );
  expect(summary(second)).toEqual(['1.1 failed (conceptual-designer)', '1.2 not run']);
});

test('a foreign key that refers to no key blames the design, not the rows', async () => {
  const design = designFixture({
    ...SHOP,
    Order: { ...SHOP.Order, references: ['Total > Product: Price'] },
  });
  const run = await runOnSqlite(
    planOf({
      cases: [
        caseOf(
          'insert',
          'Order',
          {
            values: [
              ['Order ID', 1],
              ['Total', 5],
            ],
          },
          'referential integrity',
        ),
        caseOf('insert', 'Customer', { values: [['Customer ID', 1]] }, 'accepted'),
      ],
    }),
    design,
  );
  expect(summary(run)).toEqual(['1.1 failed (logical-designer)', '1.2 passed']);
  expect(run.results[0]?.actual).toContain('foreign key mismatch');
});
test('a given row that cannot be written ends its set, and only its set', async () => {
  const run = await runOnSqlite(
    planOf(
      { given: [ANN, ANN], cases: [caseOf('query', 'Customer', { values: [['Name', null]] }, [[['Name', 'Ann']]])] },
      { given: [ANN], cases: [caseOf('query', 'Customer', { values: [['Name', null]] }, [[['Name', 'Ann']]])] },
    ),
    designFixture(SHOP),
  );
  expect(summary(run)).toEqual(['1.0 failed (logical-designer)', '1.1 not run', '2.1 passed']);
  expect(run.results[1]?.actual).toContain('UNIQUE constraint failed');
});
