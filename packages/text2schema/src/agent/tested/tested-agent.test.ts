import { describe, expect, it } from 'vitest';
import { createText2Schema } from '../../create-text2schema.ts';
import { SCHOOL } from '../../fixtures/school.ts';
import { type RoleScript, scriptedRoles } from '../../fixtures/scripted-roles.ts';
import { draftWith, GOOD_DRAFT, NO_EXAMPLES, row, SCHOOL_TESTS, written } from '../../fixtures/tested-school.ts';

const SCRIPT: RoleScript = {
  draft: [GOOD_DRAFT],
  'requirement-tests': [SCHOOL_TESTS],
  'counter-examples': [NO_EXAMPLES],
};
const roles = (script: RoleScript = {}, maxCalls?: number) =>
  scriptedRoles({ ...SCRIPT, ...script }, 'scripted', maxCalls);
const open = (outcome: {
  artefacts: {
    testReport?: { run?: { results: readonly { status: string; actual: string }[] } | undefined } | undefined;
  };
}) => (outcome.artefacts.testReport?.run?.results ?? []).filter(({ status }) => status !== 'passed');

describe('a design that holds its requirement', () => {
  it('takes three calls: draft, tests, review', async () => {
    const model = roles();
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(open(outcome)).toEqual([]);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, calls: 3, warnings: [] });
    expect(model.asked).toEqual(['draft', 'requirement-tests', 'counter-examples']);
    expect(outcome.artefacts.mutationCheck?.planted).toBeGreaterThan(12);
  });

  it('the tests are written without a word of the design', async () => {
    const model = roles({ draft: [draftWith(['Student Number', 'Course Code'], ['Grade', 'Zebra Date'])] });
    await createText2Schema({ model }).design(SCHOOL);
    const [prompt] = model.prompts.filter((_, at) => model.asked[at] === 'requirement-tests');
    expect(prompt).not.toContain('Zebra');
    expect(model.prompts.filter((_, at) => model.asked[at] === 'counter-examples').join()).toContain('Zebra');
  });

  it('a poem is refused after one call', async () => {
    const model = roles({ draft: [{ ...GOOD_DRAFT, schema: { relations: [] }, rules: [], refusal: 'It is a poem.' }] });
    const outcome = await createText2Schema({ model }).design('Roses are red, violets are blue.');
    expect(outcome).toMatchObject({ type: 'refused', reason: 'It is a poem.', calls: 1 });
  });

  it('says what it takes for granted', async () => {
    const model = roles({ draft: [{ ...GOOD_DRAFT, assumptions: ['Grades are numbers.'] }] });
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(outcome.assumptions).toEqual(['Grades are numbers.']);
    expect(model.inputs('counter-examples')[0]?.assumptions).toEqual(['Grades are numbers.']);
  });
});

describe('what tests refuse is mended', () => {
  it.each([
    ['a lost fact', draftWith(['Student Number', 'Course Code'], []), /no place for grade of Enrolment/i],
    ['a key that is too small', draftWith(['Student Number'], ['Grade']), /second course/],
    ['a key that is too large', draftWith(['Student Number', 'Course Code', 'Grade'], []), /twice|later/],
    ['a key that nobody gives', draftWith(['Enrolment ID'], ['Grade']), /twice/],
  ])('%s', async (_name, wrong, problem) => {
    const model = roles({ draft: [wrong, GOOD_DRAFT] });
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, calls: 4 });
    const feedback = outcome.transcript.find(({ kind }) => kind === 'feedback');
    expect(outcome.transcript.map(({ text }) => text).join('\n')).toMatch(problem);
    expect(feedback).toBeDefined();
    const problems = model.inputs('draft')[1]?.problems;
    expect([...(problems?.tests ?? []), ...(problems?.gaps ?? [])]).not.toEqual([]);
  });

  it('the same day twice: what a chain that believes its first role accepts, a test of the requirement refuses', async () => {
    const LIBRARY = 'A library lends books to readers. It keeps the day of each loan.';
    const relations = (key: readonly string[]) => [
      {
        name: 'Reader',
        attributes: [{ name: 'Reader ID', type: 'NUMERIC' as const }],
        primaryKey: ['Reader ID'],
        foreignKeys: [],
      },
      {
        name: 'Book',
        attributes: [{ name: 'Book ID', type: 'NUMERIC' as const }],
        primaryKey: ['Book ID'],
        foreignKeys: [],
      },
      {
        name: 'Loan',
        attributes: [
          ...(key[0] === 'Loan ID' ? [{ name: 'Loan ID', type: 'NUMERIC' as const }] : []),
          { name: 'Reader ID', type: 'NUMERIC' as const },
          { name: 'Book ID', type: 'NUMERIC' as const },
          { name: 'Loan Day', type: 'DATETIME' as const },
        ],
        primaryKey: key,
        foreignKeys: [
          { attributes: ['Reader ID'], target: 'Reader', targetAttributes: [] },
          { attributes: ['Book ID'], target: 'Book', targetAttributes: [] },
        ],
      },
    ];
    const draft = (key: readonly string[]) => ({ ...GOOD_DRAFT, rules: [], schema: { relations: relations(key) } });
    const loan = { reader: '@ann', book: '@faust', 'loan day': '2026-03-02' };
    const model = roles({
      draft: [draft(['Reader ID', 'Book ID', 'Loan Day']), draft(['Loan ID'])],
      'requirement-tests': [
        {
          ...SCHOOL_TESTS,
          samples: [row('Reader', 'ann'), row('Book', 'faust'), row('Loan', 'morning', loan)],
          tests: [
            written(
              'event',
              'The same book again on the same day.',
              row('Loan', 'morning'),
              row('Loan', 'evening', loan),
            ),
          ],
        },
      ],
    });
    const outcome = await createText2Schema({ model }).design(LIBRARY);
    expect(model.inputs('draft')[1]?.problems?.tests[0]?.result.actual).toContain('was refused');
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, calls: 4 });
  });

  it('what the reviewer brings counts where code shows that it fails', async () => {
    const example = {
      ...written(
        'fact',
        'A student has an e-mail address.',
        row('Student', 'zoe', { 'student number': 'S9', 'e-mail address': 'z@x.org' }),
      ),
      by: 'conceptual-reviewer' as const,
    };
    const model = roles({ 'counter-examples': [{ ...NO_EXAMPLES, tests: [example] }] });
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(model.asked.filter((task) => task === 'draft')).toHaveLength(3);
    expect(outcome).toMatchObject({ type: 'designed', accepted: false, calls: 5 });
    expect(open(outcome)).toMatchObject([{ actual: expect.stringContaining('e-mail address') }]);
  });

  it('a place that the reviewer names is taken, and one that does not exist is not', async () => {
    const named = { thing: 'Enrolment', fact: 'mark', relation: 'Enrolment', attribute: 'Grade' };
    const tests = {
      ...SCHOOL_TESTS,
      samples: SCHOOL_TESTS.samples.map((sample) => ({
        ...sample,
        facts: sample.facts.map((fact) => (fact.fact === 'grade' ? { ...fact, fact: 'mark' } : fact)),
      })),
      tests: [],
    };
    const good = roles({ 'requirement-tests': [tests], 'counter-examples': [{ ...NO_EXAMPLES, places: [named] }] });
    expect(await createText2Schema({ model: good }).design(SCHOOL)).toMatchObject({ accepted: true, calls: 3 });
    expect(good.inputs('counter-examples')[0]?.gaps).toMatchObject([{ thing: 'Enrolment', fact: 'mark' }]);
    const wrong = { ...named, attribute: 'Result' };
    const bad = roles({ 'requirement-tests': [tests], 'counter-examples': [{ ...NO_EXAMPLES, places: [wrong] }] });
    expect(await createText2Schema({ model: bad }).design(SCHOOL)).toMatchObject({ accepted: false });
  });

  it('a label that a sample of another thing bears is no mistake of the design', async () => {
    const rows = [
      row('Course', 'ann', { 'course code': 'C7' }),
      row('Enrolment', 'e7', { student: '@bob', course: '@ann' }),
    ];
    const student = row('Student', 'bob', { 'student number': 'S7', name: 'Bob' });
    const tests = [{ ...written('event', 'Bob enrols.', student, ...rows), by: 'conceptual-reviewer' as const }];
    const model = roles({ 'counter-examples': [{ ...NO_EXAMPLES, tests }] });
    expect(await createText2Schema({ model }).design(SCHOOL)).toMatchObject({ accepted: true, calls: 3 });
  });

  it('findings of code are mended as well', async () => {
    const below = { ...GOOD_DRAFT, rules: [{ unique: ['Nmae'], required: [], dependencies: [] }] };
    const model = roles({ draft: [below, GOOD_DRAFT] });
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(model.inputs('draft')[1]?.problems?.findings).toMatchObject([
      { code: 'rule-attribute-unknown', message: expect.stringContaining('`Name`') },
    ]);
    expect(outcome).toMatchObject({ accepted: true });
  });
});

describe('what is necessary', () => {
  it('is tested by samples that lack it', async () => {
    const needed = { ...SCHOOL_TESTS, necessary: [{ thing: 'student', facts: ['Name', 'age'] }] };
    const required = { ...GOOD_DRAFT, rules: [{ unique: [], required: ['Name'], dependencies: [] }] };
    const model = roles({ draft: [GOOD_DRAFT, required], 'requirement-tests': [needed] });
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(model.inputs('draft')[1]?.problems?.tests).toMatchObject([
      { test: { kind: 'refusal', says: 'Student without Name is refused.' } },
    ]);
    expect(outcome).toMatchObject({ accepted: true, calls: 4 });
  });
});
