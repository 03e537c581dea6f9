import { expect, test, vi } from 'vitest';
import { caseOf, designFixture, given, planOf, runOnSqlite, summary } from './run-fixture.ts';
import { SHOP, SHOP_PLAN } from './shop-fixture.ts';

// Each run starts a worker process; a loaded machine takes its time.
vi.setConfig({ testTimeout: 60_000 });

test('a plan in the words of the report passes on a right schema: joins, foreign keys by name, relationships that are foreign keys', async () => {
  const run = await runOnSqlite(SHOP_PLAN, designFixture(SHOP));
  expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(run).toMatchObject({ dialect: 'sqlite', counts: { passed: 17, failed: 0, notCompiled: 0, notRun: 0 } });
  const [first] = run.results;
  expect(first?.sql).toEqual(['INSERT INTO Contains ("Order ID", SKU, Quantity) VALUES (?, ?, ?) -- 10, "A", 3']);
  for (const { sql } of run.results) expect(sql).not.toEqual([]);
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
