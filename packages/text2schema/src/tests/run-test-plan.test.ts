import { AskemaError, createCallContext } from '@askema/core';
import { expect, test, vi } from 'vitest';
import { caseOf, designFixture, given, planOf, runOnSqlite, scratchFolder, summary } from './run-fixture.ts';
import { runTestPlan } from './run-test-plan.ts';

// Each run starts a worker process; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

const SHOP = {
  Customer: { attributes: ['Customer ID NUMERIC', 'Name', 'Email unique'], key: ['Customer ID'] },
  Order: {
    attributes: ['Order ID NUMERIC', 'Order Date DATETIME', 'Total NUMERIC', 'Paid BOOL', 'Customer ID NUMERIC'],
    key: ['Order ID'],
    references: ['Customer ID > Customer: Customer ID'],
    absorbed: ['Places'],
  },
  Product: { attributes: ['SKU', 'Price NUMERIC'], key: ['SKU'] },
  Contains: {
    attributes: ['Order ID NUMERIC', 'SKU', 'Quantity NUMERIC'],
    key: ['Order ID', 'SKU'],
    references: ['Order ID > Order: Order ID', 'SKU > Product: SKU'],
    kind: 'relationship' as const,
  },
};

const ANN = given('customer', ['customer_id', 1], ['name', 'Ann'], ['Email', 'ann@x']);
const ORDER = given(
  'orders',
  ['Order ID', 10],
  ['Order Date', '2024-01-02T08:30:00Z'],
  ['Total', '9.5'],
  ['Paid', 'true'],
  ['Customer', 1],
);

const SHOP_PLAN = planOf(
  {
    // The order refers to a customer that is written behind it.
    given: [ORDER, ANN, given('Product', ['SKU', 'A'], ['Price', 2])],
    cases: [
      caseOf(
        'insert',
        'Contains',
        {
          values: [
            ['Order', 10],
            ['Product', 'A'],
            ['Quantity', 3],
          ],
        },
        'accepted',
      ),
      caseOf(
        'insert',
        'Contains',
        {
          values: [
            ['Order', 10],
            ['SKU', 'A'],
            ['Quantity', 4],
          ],
        },
        'entity integrity',
      ),
      caseOf(
        'insert',
        'Contains',
        {
          values: [
            ['Order', 10],
            ['SKU', null],
            ['Quantity', 4],
          ],
        },
        'entity integrity',
      ),
      caseOf(
        'insert',
        'Contains',
        {
          values: [
            ['Order', 99],
            ['SKU', 'A'],
            ['Quantity', 4],
          ],
        },
        'referential integrity',
      ),
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
      caseOf('delete', 'Product', { where: [['SKU', 'A']] }, 'referential integrity'),
      caseOf(
        'update',
        'Contains',
        {
          values: [['Quantity', 5]],
          where: [
            ['Order Date', '2024-01-02 08:30:00'],
            ['SKU', 'A'],
          ],
        },
        'accepted',
      ),
      caseOf('query', 'Contains', { values: [['Quantity', null]], where: [['Customer Name', 'Ann']] }, [
        [
          ['Name', 'Ann'],
          ['quantity', 5.0],
          ['Order Date', '2024-01-02 08:30'],
          ['Total', 9.5],
          ['Paid', true],
        ],
      ]),
      caseOf('delete', 'Contains', { where: [['Quantity', 5]] }, 'accepted'),
      caseOf('query', 'Contains', { values: [['Quantity', null]] }, []),
    ],
  },
  {
    given: [ANN],
    cases: [
      caseOf(
        'insert',
        'Order',
        {
          values: [
            ['Order ID', 10],
            ['Order Date', '2024-01-02'],
          ],
        },
        'accepted',
      ),
      caseOf(
        'insert',
        'places',
        {
          values: [
            ['Order', 10],
            ['Customer', 1],
          ],
        },
        'accepted',
      ),
      caseOf('query', 'Places', { values: [['Order ID', null]] }, [
        [
          ['Order ID', 10],
          ['Name', 'Ann'],
          ['Order Date', '2024-01-02T00:00:00'],
        ],
      ]),
      caseOf('update', 'Order', { values: [['Total', 7]], where: [['Customer Name', 'Ann']] }, 'accepted'),
      caseOf('delete', 'Places', { where: [['Order ID', 10]] }, 'accepted'),
      caseOf('query', 'Places', { values: [['Order ID', null]] }, []),
      caseOf('query', 'Order', { values: [] }, [
        [
          ['Order ID', 10],
          ['Total', 7],
          ['Customer ID', null],
        ],
      ]),
    ],
  },
);

test('a plan in the words of the report passes on a right schema: joins, foreign keys by name, relationships that are foreign keys', async () => {
  const run = await runOnSqlite(SHOP_PLAN, designFixture(SHOP));
  expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(run).toMatchObject({ dialect: 'sqlite', counts: { passed: 17, failed: 0, notCompiled: 0, notRun: 0 } });
  const [first] = run.results;
  expect(first?.sql).toEqual(['INSERT INTO Contains ("Order ID", SKU, Quantity) VALUES (?, ?, ?) -- 10, "A", 3']);
  for (const { sql } of run.results) expect(sql).not.toEqual([]);
});

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

test('a set that was decomposed: its facts go to their parts, once each, and a refused row leaves nothing', async () => {
  const design = designFixture({
    Department: { attributes: ['Department', 'Manager'], key: ['Department'], set: 'Employee' },
    Employee: {
      attributes: ['Employee ID NUMERIC', 'Name', 'Department'],
      key: ['Employee ID'],
      references: ['Department > Department: Department'],
    },
  });
  const run = await runOnSqlite(
    planOf({
      given: [given('Employee', ['Employee ID', 1], ['Name', 'Ann'], ['Department', 'Sales'], ['Manager', 'Zoe'])],
      cases: [
        caseOf(
          'insert',
          'Employees',
          {
            values: [
              ['Employee ID', 2],
              ['Department', 'Sales'],
              ['Manager', 'Zoe'],
            ],
          },
          'accepted',
        ),
        caseOf(
          'insert',
          'Employee',
          {
            values: [
              ['Employee ID', 3],
              ['Department', 'Sales'],
              ['Manager', 'Max'],
            ],
          },
          'entity integrity',
        ),
        caseOf(
          'insert',
          'Employee',
          {
            values: [
              ['Employee ID', 2],
              ['Department', 'Legal'],
              ['Manager', 'Ida'],
            ],
          },
          'entity integrity',
        ),
        caseOf('query', 'Department', { values: [['Department', null]] }, [[['Department', 'Sales']]]),
        caseOf('update', 'Employee', { values: [['Manager', 'Kim']], where: [['Name', 'Ann']] }, 'accepted'),
        caseOf(
          'update',
          'Employee',
          {
            values: [
              ['Department', 'Ops'],
              ['Manager', 'Lee'],
            ],
            where: [['Employee ID', 2]],
          },
          'accepted',
        ),
        caseOf('query', 'Employee', { where: [] }, [
          [
            ['Employee ID', 1],
            ['Manager', 'Kim'],
          ],
          [
            ['Employee ID', 2],
            ['Manager', 'Lee'],
          ],
        ]),
        caseOf('delete', 'Employee', { where: [['Manager', 'Lee']] }, 'accepted'),
        caseOf('query', 'Employee', { values: [['Employee ID', null]] }, [[['Employee ID', 1]]]),
      ],
    }),
    design,
  );
  expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
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

test('values that do not fit their type are reported, and a change that meets no row fails', async () => {
  const run = await runOnSqlite(
    planOf({
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
          'accepted',
        ),
        caseOf('query', 'Product', { where: [['SKU', 'A']] }, [[['Price', 'cheap']]]),
        caseOf('delete', 'Product', { where: [['SKU', 'B']] }, 'referential integrity'),
      ],
    }),
    designFixture(SHOP),
  );
  expect(summary(run)).toEqual(['1.1 passed', '1.2 passed', '1.3 failed (qa-engineer)']);
  expect(run.results[0]?.actual).toContain('"cheap" is no number, but the attribute is NUMERIC');
});

test('names and values of hostile spelling stay names and values; Chinese ones too', async () => {
  const names = ['__proto__', 'x"; DROP TABLE "y', 'order', "it's; -- no", '学生 信息', 'constructor', '订单'];
  for (const name of names) {
    const design = designFixture({
      [name]: { attributes: [`${name} NUMERIC`, 'hasOwnProperty', 'va\'l"ue;'], key: [name] },
    });
    const hostile = '\'); DROP TABLE x; -- " ? $1 :a @b\n\u2028';
    const run = await runOnSqlite(
      planOf({
        given: [given(name, [name, 1], ['hasOwnProperty', hostile], ['va\'l"ue;', '__proto__'])],
        cases: [
          caseOf('insert', name, { values: [[name, 1]] }, 'entity integrity'),
          caseOf(
            'update',
            name,
            { values: [['va\'l"ue;', hostile]], where: [['hasOwnProperty', hostile]] },
            'accepted',
          ),
          caseOf('query', name, { where: [[name, 1]] }, [
            [
              ['hasOwnProperty', hostile],
              ['va\'l"ue;', hostile],
            ],
          ]),
          caseOf('delete', name, { where: [['va\'l"ue;', hostile]] }, 'accepted'),
          caseOf('query', name, { values: [[name, null]] }, []),
        ],
      }),
      design,
    );
    expect(
      run.results.filter(({ status }) => status !== 'passed'),
      name,
    ).toEqual([]);
  }
});

test('keys that only the design knows are supplied, and rows are found by what the report calls them', async () => {
  const report = {
    language: 'en',
    title: '',
    summary: '',
    functions: [],
    subjects: [
      { name: 'Author', attributes: ['Name'], description: '' },
      { name: 'Book', attributes: ['Title'], description: '' },
    ],
    relationships: [],
    rules: [],
    clarifications: [],
  };
  const design = designFixture({
    Author: { attributes: ['Author Number NUMERIC', 'Name'], key: ['Author Number'] },
    Book: {
      attributes: ['Title', 'Author Number NUMERIC'],
      key: ['Title'],
      references: ['Author Number > Author: Author Number'],
    },
  });
  const plan = planOf({
    given: [given('Author', ['Name', 'Woolf'])],
    cases: [
      caseOf(
        'insert',
        'Book',
        {
          values: [
            ['Title', 'Orlando'],
            ['Author Name', 'Woolf'],
          ],
        },
        'accepted',
      ),
      caseOf(
        'insert',
        'Book',
        {
          values: [
            ['Title', 'Ulysses'],
            ['Author Name', 'Joyce'],
          ],
        },
        'referential integrity',
      ),
      caseOf('query', 'Book', { values: [['Title', null]], where: [['Author Name', 'Woolf']] }, [
        [['Title', 'Orlando']],
      ]),
    ],
  });
  const run = await runOnSqlite(plan, design, { report });
  expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
  const unsupplied = await runOnSqlite(plan, design);
  expect(summary(unsupplied)[0]).toBe('1.0 failed (qa-engineer)');
});

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
