import { countTokensRoughly, type Message, type Task } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { SCHOOL, SCHOOL_REPORT } from '../fixtures/school.ts';
import { draftWith, GOOD_DRAFT, row, written } from '../fixtures/tested-school.ts';
import { designOfDraft } from '../mapping/design-of-draft.ts';
import { counterExamplesTask } from './counter-examples.ts';
import { type DraftInput, draftTask } from './draft.ts';
import { type RequirementTestsInput, requirementTestsTask } from './requirement-tests.ts';

const GROUND = { requirement: SCHOOL, report: undefined, answered: [], language: 'en' } as const;
const DESIGN = designOfDraft(draftWith(['Student Number'], []).schema, []);
const TEST = { ...written('event', 'A student enrols twice.', row('Enrolment', 'e2', { student: '@ann' })), number: 4 };
const SAMPLES = [row('Student', 'ann', { 'student number': 'S1', name: 'Ann' })];
const GAPS = [{ thing: 'Enrolment', fact: 'grade', reason: 'No free attribute.', tests: [3, 6] }];

const FIRST_DRAFT: DraftInput = { ...GROUND, problems: undefined };
const REPAIR: DraftInput = {
  ...GROUND,
  report: SCHOOL_REPORT,
  answered: [
    { kind: 'ambiguity', question: 'Is the grade a number?', quotes: [], assumption: 'It is.', answer: 'A letter.' },
  ],
  problems: {
    design: DESIGN,
    assumptions: ['Grades are numbers.'],
    gaps: GAPS,
    tests: [4, 5].map((number) => ({
      test: { ...TEST, number },
      result: { number, status: 'failed', gaps: [], actual: 'Enrolment "e2" was refused: UNIQUE constraint failed.' },
    })),
    findings: [
      {
        code: 'key-missing',
        severity: 'error',
        subject: 'Course',
        message: '`Course` has no primary key.',
        remedy: 'Name it.',
        role: 'logical-designer',
      },
    ],
  },
};
const FIRST_TESTS: RequirementTestsInput = { ...GROUND, samples: [], disputed: [], unnoticed: [] };
const MORE_TESTS: RequirementTestsInput = {
  ...GROUND,
  samples: SAMPLES,
  disputed: [{ test: TEST, reason: 'Once is enough.' }],
  unnoticed: ['A second `Enrolment` with the same `Student` is refused.'],
};
const REVIEW = {
  ...GROUND,
  design: DESIGN,
  assumptions: ['Grades are numbers.'],
  samples: SAMPLES,
  tests: [TEST],
  gaps: GAPS,
  unnoticed: ['A second `Enrolment` with the same `Student` is refused.'],
  round: { number: 1, of: 1 },
};

const PROMPTS: Readonly<Record<string, readonly Message[]>> = {
  'a draft': draftTask.render(FIRST_DRAFT),
  'a repair': draftTask.render(REPAIR),
  tests: requirementTestsTask.render(FIRST_TESTS),
  'more tests': requirementTestsTask.render(MORE_TESTS),
  'counter-examples': counterExamplesTask.render(REVIEW),
};

describe('prompts of the preset tested', () => {
  it.each(Object.entries(PROMPTS))('%s', (_name, messages) => {
    expect(
      messages
        .map(({ role, content }) => `${role}:\n${typeof content === 'string' ? content : JSON.stringify(content)}`)
        .join('\n\n'),
    ).toMatchSnapshot();
  });

  it('what does not change comes first: the system prompt of a role is the same in all its calls', () => {
    const system = (messages: readonly Message[] | undefined) => JSON.stringify(messages?.[0]);
    expect(system(PROMPTS['a repair'])).toBe(system(PROMPTS['a draft']));
    expect(system(PROMPTS['more tests'])).toBe(system(PROMPTS.tests));
  });

  it('a short requirement is sent in less than 2,000 tokens', () => {
    for (const name of ['a draft', 'tests'])
      expect(countTokensRoughly(JSON.stringify(PROMPTS[name]))).toBeLessThan(2_000);
  });
});

function parsed<Out>({ output }: Task<never, Out>, value: unknown): Out {
  const result = output['~standard'].validate(value);
  if (result instanceof Promise || result.issues !== undefined) throw new Error(JSON.stringify(result));
  return result.value;
}

describe('what models write', () => {
  const form = (facts: readonly string[]) => ({
    thinking: '',
    samples: [{ thing: 'Loan', label: '@l1', facts }],
    necessary: [],
    tests: [{ kind: 'Refusal', says: 'x', rows: [] }],
    verdicts: [],
  });
  const factsOf = (facts: readonly string[]) => parsed(requirementTestsTask, form(facts)).samples[0]?.facts;

  it.each([
    ['reader = @ann', { fact: 'reader', value: { row: 'ann' } }],
    ['price = 12.50', { fact: 'price', value: 12.5 }],
    ['number = 007', { fact: 'number', value: '007' }],
    ['card = 1234567890123456789', { fact: 'card', value: '1234567890123456789' }],
    ['returned = TRUE', { fact: 'returned', value: true }],
    ['note = null', { fact: 'note', value: null }],
    ['formula = "a = b"', { fact: 'formula', value: 'a = b' }],
    ['mail = @', { fact: 'mail', value: '@' }],
  ])('%s', (text, fact) => {
    expect(factsOf([text])).toEqual([fact]);
  });

  it('a fact without a value is sent back, and a test without rows is left out', () => {
    for (const wrong of ['lent on: 2026-03-02', '= 3']) expect(() => factsOf([wrong])).toThrow(/Write each fact as/);
    const output = parsed(requirementTestsTask, form([]));
    expect(output.tests).toEqual([]);
    expect(output.samples[0]?.label).toBe('l1');
  });

  it('a draft keeps its rules beside its relations', () => {
    const { schema, rules } = parsed(draftTask, {
      thinking: '',
      refusal: null,
      relations: [
        {
          name: 'A',
          attributes: [{ name: 'A ID', type: 'integer' }],
          key: ['A ID'],
          references: null,
          unique: ['A ID'],
          required: [],
          dependencies: [],
        },
      ],
      assumptions: [],
      places: [{ thing: 'a', fact: '', relation: 'A', attribute: '' }],
      disputes: [{ test: '3', reason: 'no' }],
      reportErrors: [],
    });
    expect(schema.relations[0]).toMatchObject({ name: 'A', primaryKey: ['A ID'], foreignKeys: [] });
    expect(rules).toEqual([{ unique: ['A ID'], required: [], dependencies: [] }]);
    expect(GOOD_DRAFT.schema.relations).toHaveLength(3);
  });
});
