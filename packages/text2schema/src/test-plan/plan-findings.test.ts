import { expect, test } from 'vitest';
import type { TestPlan } from '../model/test-plan.ts';
import { planFindings } from './plan-findings.ts';
import { caseOf, given, planOf } from './run-fixture.ts';

const WHOLE = [
  caseOf('insert', 'A', { values: [['ID', 1]] }, 'entity integrity'),
  caseOf('delete', 'A', { where: [['ID', 1]] }, 'referential integrity'),
  caseOf('update', 'A', { values: [['Name', 'x']], where: [] }, 'accepted'),
  caseOf('query', 'A', { values: [['Name', null]] }, []),
];

const codesOf = (plan: TestPlan): string[] => planFindings(plan).map(({ code, subject }) => `${code} ${subject}`);

test('a plan as it was asked for has no findings', () => {
  expect(planFindings(planOf(...Array.from({ length: 10 }, () => ({ cases: WHOLE }))))).toEqual([]);
});

test('what is missing of the whole plan and of each set is named, with a remedy for the QA engineer', () => {
  const findings = planFindings(planOf({ cases: WHOLE.slice(2) }, { cases: [] }));
  expect(findings.map(({ code, severity, subject }) => [code, severity, subject])).toEqual([
    ['plan-set-count', 'error', 'plan'],
    ['set-without-operation', 'error', 'set 1'],
    ['set-without-operation', 'error', 'set 2'],
    ['constraint-not-violated', 'error', 'entity integrity'],
    ['constraint-not-violated', 'error', 'referential integrity'],
  ]);
  expect(findings[1]?.message).toBe('Set 1 has no insert, no delete.');
  expect(new Set(findings.map(({ role }) => role))).toEqual(new Set(['qa-engineer']));
  expect(
    planFindings({ sets: Array.from({ length: 11 }, () => ({ title: '', given: [], cases: WHOLE })) }),
  ).toMatchObject([{ code: 'plan-set-count', severity: 'warning' }]);
});

test('missing values, expectations that no operation can meet, empty and repeated names', () => {
  const sets = Array.from({ length: 9 }, () => ({ cases: WHOLE }));
  const odd = {
    given: [given('A'), given(' ', ['ID', 1])],
    cases: [
      ...WHOLE,
      caseOf('insert', 'A', {}, 'accepted'),
      caseOf('update', 'A', { values: [['ID', 1]] }, [[['ID', 1]]]),
      caseOf('query', 'A', { values: [['ID', null]] }, 'accepted'),
      caseOf('query', 'A', {}, []),
      caseOf(
        'insert',
        'A',
        {
          values: [
            ['ID', 1],
            ['ID', 2],
          ],
        },
        'accepted',
      ),
    ],
  };
  expect(codesOf(planOf(...sets, odd))).toEqual([
    'values-missing set 10, given row 1',
    'name-empty set 10, given row 2',
    'values-missing set 10, case 5',
    'expectation-not-possible set 10, case 6',
    'expectation-not-possible set 10, case 7',
    'query-without-attributes set 10, case 8',
    'attribute-repeated set 10, case 9',
  ]);
});

test('nothing has to violate references where there are none', () => {
  const cases = WHOLE.map((one) =>
    one.operation === 'delete' ? caseOf('delete', 'A', { where: [] }, 'accepted') : one,
  );
  const plan = planOf(...Array.from({ length: 10 }, () => ({ cases })));
  expect(codesOf(plan)).toEqual(['constraint-not-violated referential integrity']);
  expect(planFindings(plan, { hasReferences: false })).toEqual([]);
});
