import type { ChatMessage } from '@askema/core';
import {
  DEMONSTRATION_MODEL,
  DEMONSTRATION_PROPOSAL,
  DEMONSTRATION_REPORT,
  DEMONSTRATION_REQUIREMENT,
} from '../demonstration/music-school.ts';
import { designOfDraft } from '../mapping/design-of-draft.ts';
import { mapToRelations } from '../mapping/index.ts';
import type { ConceptualModel, RequirementReport } from '../model/conceptual-model.ts';
import type { DesignOutcome, DesignOutcomeBase } from '../model/design-outcome.ts';
import type { LogicalProposal } from '../model/logical-design.ts';
import type { RequirementTest, RequirementTestResult } from '../model/requirement-test.ts';
import type { TestReport } from '../model/test-plan.ts';
import { testReportOf } from '../requirement-tests/test-report-of.ts';

const message = (number: number, from: string, next: string | undefined, text: string): ChatMessage => ({
  number,
  chat: 'design',
  round: number,
  from,
  to: next === undefined ? 'all' : [next],
  text,
  kind: next === undefined ? 'end' : 'feedback',
  next,
});

const TEST_REPORT: TestReport = {
  accepted: true,
  errors: [],
  text: 'Two cases ran, one passed.\nThe other one was wrong itself.',
  run: {
    dialect: 'sqlite',
    results: [
      {
        set: 1,
        case: 1,
        operation: 'insert',
        purpose: 'A student enrols.',
        status: 'passed',
        sql: ['INSERT INTO Enrol (a) VALUES (?) -- 1'],
        expected: 'accepted',
        actual: 'Accepted.',
      },
      {
        set: 1,
        case: 2,
        operation: 'query',
        purpose: 'The grades.',
        status: 'failed',
        sql: ['SELECT 1', 'SELECT `2`'],
        expected: 'no rows',
        actual: '0 rows expected, 1 row found.',
        role: 'qa-engineer',
      },
      {
        set: 2,
        case: 0,
        operation: 'insert',
        purpose: 'Given: Loan (Number: 1)',
        status: 'not compiled',
        sql: [],
        expected: 'accepted',
        actual: 'No relation holds "Loan".',
        role: 'conceptual-designer',
      },
    ],
    counts: { passed: 1, failed: 1, notCompiled: 1, notRun: 0 },
    elapsedMs: 12,
  },
};

const BASE: DesignOutcomeBase = {
  requirement: DEMONSTRATION_REQUIREMENT,
  runId: 'run-1',
  strategy: 'schema-agent',
  language: 'en',
  artefacts: {},
  assumptions: [],
  transcript: [
    message(3, 'conceptual-reviewer', 'conceptual-designer', 'Borrow has an id of its own.'),
    message(7, 'logical-designer', 'conceptual-designer', 'City has no key.'),
    message(9, 'test-executor', undefined, 'TERMINAL'),
  ],
  rounds: 6,
  usage: { inputTokens: 12_345, outputTokens: 678 },
  calls: 11,
  elapsedMs: 65_432.1,
  solvedBy: ['openai:gpt-x'],
  warnings: [],
};

/** For tests: the demonstration's design, accepted. */
export function acceptedOutcome(): DesignOutcome {
  const design = mapToRelations(DEMONSTRATION_MODEL, DEMONSTRATION_PROPOSAL);
  const report: RequirementReport = {
    ...DEMONSTRATION_REPORT,
    clarifications: [
      {
        kind: 'contradiction',
        question: 'May an instrument be lent twice at a time?',
        quotes: ['students borrow instruments', 'a student may borrow the same instrument again later'],
        assumption: 'It may not.',
      },
      { kind: 'ambiguity', question: 'Is a city needed?', quotes: [], assumption: 'Yes.', answer: 'No.' },
    ],
  };
  const artefacts = { report, conceptual: DEMONSTRATION_MODEL, design, testReport: TEST_REPORT };
  return { ...BASE, artefacts, type: 'designed', schema: design.schema, accepted: true };
}

/** For tests: a Chinese design that was not accepted. */
export function chineseOutcome(): DesignOutcome {
  const conceptual: ConceptualModel = {
    entitySets: [
      { name: '学生', attributes: ['学号', '姓名', '学院', '院长'] },
      { name: '课程', attributes: ['课程号', '课程名'] },
    ],
    relationshipSets: [
      {
        name: '选修',
        participants: [
          { entity: '学生', cardinality: 'many' },
          { entity: '课程', cardinality: 'many' },
        ],
        attributes: ['成绩'],
      },
    ],
  };
  const text = (name: string) => ({ name, type: 'TEXT' as const, constraints: [] });
  const proposal: LogicalProposal = {
    sets: [
      {
        set: '学生',
        attributes: ['学号', '姓名', '学院', '院长'].map(text),
        dependencies: [
          { left: ['学号'], right: ['姓名', '学院'] },
          { left: ['学院'], right: ['院长'] },
        ],
        preferredKey: [],
      },
      {
        set: '课程',
        attributes: ['课程号', '课程名'].map(text),
        dependencies: [{ left: ['课程号'], right: ['课程名'] }],
        preferredKey: [],
      },
      {
        set: '选修',
        attributes: [{ name: '成绩', type: 'NUMERIC', constraints: [] }],
        dependencies: [{ left: ['学生', '课程'], right: ['成绩'] }],
        preferredKey: [],
      },
    ],
  };
  const design = mapToRelations(conceptual, proposal);
  const report: RequirementReport = {
    language: 'zh',
    title: '选课系统',
    summary: '学生选修课程，系统记录成绩。',
    functions: ['学生可以选修课程。'],
    subjects: [{ name: '学生', attributes: ['学号', '姓名'], description: '在校学生' }],
    relationships: ['一名学生可以选修多门课程，一门课程可以被多名学生选修。'],
    rules: [],
    clarifications: [
      { kind: 'ambiguity', question: '成绩是否可以为空？', quotes: ['系统记录成绩'], assumption: '可以为空。' },
    ],
  };
  const testReport: TestReport = {
    ...TEST_REPORT,
    accepted: false,
    text: '有一个用例未通过。',
    errors: [{ role: 'logical-designer', problem: '缺少键。', remedy: '补充函数依赖。' }],
    run: undefined,
  };
  return {
    ...BASE,
    language: 'zh-CN',
    requirement: '学生选修课程，系统记录成绩。',
    assumptions: [],
    artefacts: { report, conceptual, design, testReport },
    type: 'designed',
    schema: design.schema,
    accepted: false,
    warnings: ['15 轮之后结束。'],
  };
}

/** For tests: a design of the preset `tested` that was not accepted; of another language its tests are the same. */
export function testedOutcome(): DesignOutcome {
  const design = designOfDraft(
    {
      relations: [
        {
          name: 'Loan',
          attributes: [
            { name: 'Loan ID', type: 'NUMERIC' },
            { name: 'Lent On', type: 'DATETIME' },
          ],
          primaryKey: ['Loan ID'],
          foreignKeys: [],
        },
      ],
    },
    [{ unique: [], required: ['Lent On'], dependencies: [] }],
  );
  const row = { thing: 'Loan', label: 'l1', facts: [{ fact: 'lent on', value: '2026-03-01' }] };
  const requirementTests: readonly RequirementTest[] = [
    { number: 1, kind: 'fact', says: 'A loan has its day.', by: 'qa-engineer', rows: [row] },
    { number: 3, kind: 'refusal', says: 'A loan without a reader.', by: 'qa-engineer', rows: [row] },
    { number: 4, kind: 'event', says: 'A loan | ends.', by: 'conceptual-reviewer', rows: [row] },
  ];
  const results: readonly RequirementTestResult[] = [
    { number: 1, status: 'passed', gaps: [], actual: '' },
    { number: 3, status: 'failed', gaps: [], actual: 'Loan "l1" was accepted.' },
    { number: 4, status: 'no place', gaps: [{ thing: 'Loan', fact: 'back on', reason: '' }], actual: '' },
  ];
  const mutationCheck = { planted: 3, noticed: 2, unnoticed: ['Loan loses *Lent On*.'] };
  const testReport = testReportOf(requirementTests, results, {
    elapsedMs: 3,
    dialect: 'memory',
    mutation: mutationCheck,
  });
  return {
    ...BASE,
    preset: 'tested',
    requirement: 'Readers borrow books.',
    assumptions: ['A reader may borrow a book *again*.'],
    artefacts: { design, requirementTests, testReport, mutationCheck },
    type: 'designed',
    schema: design.schema,
    accepted: false,
    warnings: ['2 of 3 tests did not pass.'],
  };
}

/** For tests: cancelled behind the report. */
export function cancelledOutcome(): DesignOutcome {
  return {
    ...BASE,
    artefacts: { report: DEMONSTRATION_REPORT },
    transcript: [],
    usage: {},
    type: 'cancelled',
    error: {
      askemaError: 1,
      code: 'ABORTED',
      message: 'The design was stopped by its caller.',
      retryable: false,
      details: {},
    },
  };
}
