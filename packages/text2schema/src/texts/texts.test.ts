import { describe, expect, it } from 'vitest';
import {
  DEMONSTRATION_MODEL,
  DEMONSTRATION_PROPOSAL,
  DEMONSTRATION_REPORT,
  DEMONSTRATION_SCHEMA,
} from '../demonstration/index.ts';
import { mapToRelations } from '../mapping/index.ts';
import type { TestPlan, TestRun } from '../model/index.ts';
import {
  conceptualModelText,
  designText,
  findingsText,
  namedSchemaText,
  proposalText,
  reportText,
  schemaText,
  testPlanText,
  testRunText,
} from './index.ts';

const design = mapToRelations(DEMONSTRATION_MODEL, DEMONSTRATION_PROPOSAL);

describe('texts of what messages carry', () => {
  it('a report, a model, a proposal', () => {
    expect(reportText(DEMONSTRATION_REPORT)).toMatchSnapshot();
    expect(conceptualModelText(DEMONSTRATION_MODEL)).toMatchSnapshot();
    expect(proposalText(DEMONSTRATION_PROPOSAL)).toMatchSnapshot();
  });

  it('a design says more than its schema: other keys and what they determine', () => {
    const sets = DEMONSTRATION_PROPOSAL.sets.map((set) =>
      set.set === 'Student'
        ? {
            ...set,
            dependencies: [...set.dependencies, { left: ['Phone Number'], right: ['Student Number'] }],
            preferredKey: ['Student Number'],
          }
        : set,
    );
    const { schema, ...rest } = mapToRelations(DEMONSTRATION_MODEL, { sets });
    const lines = schemaText(schema).split('\n');
    const more = designText({ schema, ...rest }).split('\n');
    expect(more.filter((line) => !lines.includes(line))).toEqual([
      '  candidate keys: (Student Number), (Phone Number)',
      '  Phone Number -> Student Number',
    ]);
  });

  it('a schema reads the same, named or as the 5-tuple', () => {
    const relations = DEMONSTRATION_SCHEMA.relations;
    const blocks = (text: string) => text.split(/\n(?=\S)/).sort();
    expect(blocks(schemaText(design.schema))).toEqual(blocks(namedSchemaText({ relations })));
  });

  it('constraints stand only where the primary key does not say them', () => {
    const schema = {
      relations: [{ id: 'a', name: 'A' }],
      attributes: [
        { id: 'a.x', relation: 'a', name: 'x', type: 'NUMERIC' as const },
        { id: 'a.y', relation: 'a', name: 'y', type: 'TEXT' as const },
      ],
      primaryKeys: [{ relation: 'a', attributes: ['a.x'] }],
      foreignKeys: [],
      domainConstraints: [
        { attribute: 'a.x', constraint: 'not null' as const },
        { attribute: 'a.y', constraint: 'unique' as const },
      ],
    };
    expect(schemaText(schema)).toBe('A(x NUMERIC, y TEXT unique)\n  key: x');
  });

  it('a role where an entity set takes part twice', () => {
    const participants = [
      { entity: 'User', role: 'follower', cardinality: 'many' as const },
      { entity: 'User', role: 'followed', cardinality: 'many' as const },
    ];
    const model = { entitySets: [], relationshipSets: [{ name: 'Follow', participants, attributes: ['Follow Time'] }] };
    expect(conceptualModelText(model)).toBe(
      'Relationship sets:\n- Follow: User as follower (many), User as followed (many); facts: Follow Time',
    );
  });

  it('findings are numbered, so that they can be answered', () => {
    const finding = {
      code: 'entity-isolated',
      severity: 'warning' as const,
      subject: 'Log',
      message: 'Log is alone.',
      remedy: 'Connect it.',
      role: 'conceptual-designer' as const,
    };
    expect(findingsText([finding, { ...finding, subject: '' }])).toBe(
      '1. warning entity-isolated, Log: Log is alone. Remedy: Connect it.\n2. warning entity-isolated: Log is alone. Remedy: Connect it.',
    );
  });

  it('a run: figures, what did not pass in full and cut, what passed by number', () => {
    const result = {
      set: 1,
      case: 1,
      operation: 'insert' as const,
      purpose: 'A loan.',
      status: 'passed' as const,
      sql: ['INSERT'],
      expected: 'accepted',
      actual: 'accepted',
    };
    const run: TestRun = {
      dialect: 'sqlite',
      results: [
        result,
        { ...result, case: 2, status: 'failed', actual: `UNIQUE\n${'x'.repeat(10_000)}`, role: 'logical-designer' },
        { ...result, set: 2, case: 0, status: 'not compiled', sql: [], actual: 'No relation `Lon`.' },
      ],
      counts: { passed: 1, failed: 1, notCompiled: 1, notRun: 0 },
      elapsedMs: 1,
    };
    const text = testRunText(run);
    expect(text.length).toBeLessThan(1_500);
    expect(text.split('\n').map((line) => line.slice(0, 60))).toEqual(
      [
        'Run on sqlite: 1 passed, 1 failed, 1 not compiled, 0 not run.',
        '1.2 insert failed: A loan.',
        '  SQL: INSERT',
        '  expected: accepted',
        `  actual: UNIQUE ${'x'.repeat(43)}`,
        '2 given rows not compiled: A loan.',
        '  expected: accepted',
        '  actual: No relation `Lon`.',
        'Passed: 1.1 insert',
      ].map((line) => line.slice(0, 60)),
    );
    expect(text).toContain('(likely to be mended by logical-designer)');
  });

  it('a plan: a line for each row and case', () => {
    const cell = (attribute: string, value: string | number | null) => ({ attribute, value });
    const plan: TestPlan = {
      sets: [
        {
          title: 'Loans',
          given: [{ target: 'Student', values: [cell('Student Number', 1), cell('Name', 'O"Neil')] }],
          cases: [
            {
              operation: 'query',
              purpose: 'Open loans.',
              target: 'Borrow',
              values: [cell('Student Number', null)],
              where: [cell('Return Time', null)],
              expected: { outcome: 'rows', rows: [[cell('Student Number', 1)], [cell('Student Number', 2)]] },
            },
          ],
        },
      ],
    };
    expect(testPlanText(plan).split('\n')).toEqual([
      'Set 1: Loans',
      '  given Student (Student Number = 1, Name = "O\\"Neil")',
      '  1.1 query Borrow (Student Number) where Return Time = null — Open loans. Expected: rows (Student Number = 1), (Student Number = 2)',
    ]);
  });
});
