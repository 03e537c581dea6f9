import { expect, test } from 'vitest';
import { DEMONSTRATION_MODEL, DEMONSTRATION_PROPOSAL, DEMONSTRATION_REPORT } from '../demonstration/music-school.ts';
import { DEMONSTRATION_TESTS } from '../demonstration/music-school-tests.ts';
import { mapToRelations } from '../mapping/index.ts';
import type { ConceptualModel } from '../model/conceptual-model.ts';
import type { LogicalProposal } from '../model/logical-design.ts';
import { planOfForm, testPlanForm } from '../tasks/test-plan.ts';
import { caseOf, given, planOf, runOnSqlite, summary } from './run-fixture.ts';

const PLAN = planOfForm(testPlanForm.parse(DEMONSTRATION_TESTS));
const PAPERS = { report: DEMONSTRATION_REPORT, conceptual: DEMONSTRATION_MODEL };

test('the plan that prompts show passes on the schema that they show', async () => {
  const run = await runOnSqlite(PLAN, mapToRelations(DEMONSTRATION_MODEL, DEMONSTRATION_PROPOSAL), PAPERS);
  expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
  expect(run.counts.passed).toBe(PLAN.sets.flatMap(({ cases }) => cases).length);
}, 60_000);

test('a loan key that is too narrow, a lost relationship and a lost fact are found, with the role that can mend them', async () => {
  const narrow: LogicalProposal = {
    sets: DEMONSTRATION_PROPOSAL.sets.map((set) =>
      set.set === 'Borrow'
        ? {
            ...set,
            dependencies: [{ left: ['Student', 'Instrument'], right: ['Borrow Time', 'Return Time'] }],
            preferredKey: [],
          }
        : set,
    ),
  };
  const loans = await runOnSqlite(PLAN, mapToRelations(DEMONSTRATION_MODEL, narrow), PAPERS);
  expect(summary(loans).filter((line) => !line.endsWith('passed'))).toEqual([
    '2.1 failed (logical-designer)',
    '2.2 not run',
    '2.3 not run',
    '2.4 not run',
  ]);
  const poor: ConceptualModel = {
    entitySets: DEMONSTRATION_MODEL.entitySets.map((set) =>
      set.name === 'Payment' ? { ...set, attributes: set.attributes.filter((name) => name !== 'Refunded') } : set,
    ),
    relationshipSets: DEMONSTRATION_MODEL.relationshipSets.filter(({ name }) => name !== 'Enrol'),
  };
  const lost = await runOnSqlite(PLAN, mapToRelations(poor, DEMONSTRATION_PROPOSAL), { ...PAPERS, conceptual: poor });
  const first = lost.results.filter(({ status }) => status === 'not compiled');
  expect(first.map(({ set, actual, role }) => [set, actual.split('.')[0], role])).toEqual([
    [1, 'No relation holds "Enrol"', 'conceptual-designer'],
    [
      3,
      '"Payment" has no place for "Refunded"; it has "Payment Number", "Amount", "Payment Date", "Student Number"',
      'conceptual-designer',
    ],
  ]);
}, 60_000);

test('relationships of an entity set with itself, and by the subjects that they connect', async () => {
  const model: ConceptualModel = {
    entitySets: [
      { name: '员工', attributes: ['工号', '姓名'] },
      { name: '项目', attributes: ['项目号'] },
    ],
    relationshipSets: [
      {
        name: '领导',
        participants: [
          { entity: '员工', role: '上级', cardinality: 'one' },
          { entity: '员工', role: '下级', cardinality: 'many' },
        ],
        attributes: [],
      },
      {
        name: '参加',
        participants: [
          { entity: '员工', cardinality: 'many' },
          { entity: '项目', cardinality: 'many' },
        ],
        attributes: [],
      },
    ],
  };
  const text = (name: string) => ({ name, type: 'TEXT' as const, constraints: [] });
  const design = mapToRelations(model, {
    sets: [
      {
        set: '员工',
        attributes: [text('工号'), text('姓名')],
        dependencies: [{ left: ['工号'], right: ['姓名'] }],
        preferredKey: [],
      },
      { set: '项目', attributes: [text('项目号')], dependencies: [], preferredKey: [] },
    ],
  });
  const run = await runOnSqlite(
    planOf({
      given: [
        given('员工', ['工号', '1'], ['姓名', '甲']),
        given('员工', ['工号', '2']),
        given('项目', ['项目号', 'P']),
      ],
      cases: [
        caseOf(
          'insert',
          '领导',
          {
            values: [
              ['上级工号', '1'],
              ['下级工号', '2'],
            ],
          },
          'accepted',
        ),
        caseOf(
          'insert',
          '领导',
          {
            values: [
              ['上级工号', '2'],
              ['下级工号', '2'],
            ],
          },
          'entity integrity',
        ),
        caseOf('query', '领导', { values: [['上级工号', null]], where: [['下级工号', '2']] }, [[['上级工号', '1']]]),
        caseOf(
          'insert',
          '员工、项目',
          {
            values: [
              ['工号', '2'],
              ['项目号', 'P'],
            ],
          },
          'accepted',
        ),
        caseOf('delete', '项目', { where: [['项目号', 'P']] }, 'referential integrity'),
      ],
    }),
    design,
    { conceptual: model },
  );
  expect(run.results.filter(({ status }) => status !== 'passed')).toEqual([]);
}, 60_000);
