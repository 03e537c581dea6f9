import { memoryJournal } from '@askema/core';
import { describe, expect, it, vi } from 'vitest';
import { createText2Schema } from '../../create-text2schema.ts';
import { SCHOOL, SCHOOL_REPORT } from '../../fixtures/school.ts';
import { type RoleScript, scriptedRoles } from '../../fixtures/scripted-roles.ts';
import { draftWith, GOOD_DRAFT, NO_EXAMPLES, row, SCHOOL_TESTS, written } from '../../fixtures/tested-school.ts';

const SCRIPT: RoleScript = {
  draft: [GOOD_DRAFT],
  'requirement-tests': [SCHOOL_TESTS],
  'counter-examples': [NO_EXAMPLES],
};
const roles = (script: RoleScript = {}, maxCalls?: number) =>
  scriptedRoles({ ...SCRIPT, ...script }, 'scripted', maxCalls);

describe('a test that is disputed', () => {
  const wrongTest = written(
    'refusal',
    'No two students have one name.',
    row('Student', 'ann'),
    row('Student', 'twin', { 'student number': 'S8', name: 'Ann' }),
  );
  const tests = { ...SCHOOL_TESTS, tests: [...SCHOOL_TESTS.tests, wrongTest] };
  const number = SCHOOL_TESTS.samples.length + tests.tests.length;
  const disputing = { ...GOOD_DRAFT, disputes: [{ test: number, reason: 'Names repeat.' }] };

  it('is decided by who wrote it, from the requirement alone', async () => {
    const verdict = {
      ...SCHOOL_TESTS,
      samples: [],
      tests: [],
      verdicts: [{ test: number, verdict: 'withdrawn' as const }],
    };
    const model = roles({ draft: [GOOD_DRAFT, disputing], 'requirement-tests': [tests, verdict] });
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(model.inputs('requirement-tests')[1]?.disputed).toMatchObject([{ reason: 'Names repeat.' }]);
    expect(outcome).toMatchObject({ accepted: true, calls: 5 });
    expect(outcome.artefacts.requirementTests?.some((test) => test.number === number)).toBe(false);
  });

  it('stands where its writer says so: the designer cannot talk it away', async () => {
    const verdict = {
      ...SCHOOL_TESTS,
      samples: [],
      tests: [],
      verdicts: [{ test: number, verdict: 'stands' as const }],
    };
    const model = roles({ draft: [GOOD_DRAFT, disputing], 'requirement-tests': [tests, verdict] });
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(outcome).toMatchObject({ type: 'designed', accepted: false });
    expect(model.asked.filter((task) => task === 'requirement-tests')).toHaveLength(2);
  });
});

describe('a report', () => {
  it('is written where a person can be asked, and its mistake is mended', async () => {
    const onQuestion = vi.fn(async () => []);
    const blaming = { ...GOOD_DRAFT, reportErrors: ['It says that a student enrols once.'] };
    const model = roles({
      report: [{ kind: 'report', report: SCHOOL_REPORT, next: null }],
      draft: [draftWith(['Student Number'], ['Grade']), blaming],
    });
    const outcome = await createText2Schema({ model, onQuestion }).design(SCHOOL);
    expect(model.asked[0]).toBe('report');
    expect(model.inputs('draft')[0]?.report).toEqual(SCHOOL_REPORT);
    expect(model.inputs('requirement-tests')[0]?.report).toBeUndefined();
    expect(model.inputs('report')[1]?.messages.at(-1)?.text).toContain('a student enrols once');
    expect(outcome).toMatchObject({ accepted: true });
  });
});

describe('a report that is brought along', () => {
  it('is mended before the tests where the first draft finds it wrong', async () => {
    const blaming = { ...GOOD_DRAFT, reportErrors: ['It says that a student enrols once.'] };
    const model = roles({ report: [{ kind: 'report', report: SCHOOL_REPORT, next: null }], draft: [blaming] });
    const outcome = await createText2Schema({ model }).design(SCHOOL, {
      artefacts: { report: { ...SCHOOL_REPORT, rules: ['A student enrols once.'] } },
    });
    expect(model.asked).toEqual(['draft', 'report', 'requirement-tests', 'counter-examples']);
    expect(outcome).toMatchObject({ accepted: true, artefacts: { report: SCHOOL_REPORT } });
  });
});

describe('parts that are left out', () => {
  it.each([
    [{ tests: false, reviewer: false }, ['draft']],
    [{ reviewer: false }, ['draft', 'requirement-tests']],
    [{ tests: false }, ['draft', 'counter-examples']],
    [{ errorRoutes: false }, ['draft', 'requirement-tests', 'counter-examples']],
  ])('%j', async (switches, asked) => {
    const model = roles();
    const outcome = await createText2Schema({ model, switches }).design(SCHOOL);
    expect(model.asked).toEqual(asked);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it('without a reviewer the tester is asked for what no test noticed, once', async () => {
    const few = { ...SCHOOL_TESTS, tests: [] };
    const model = roles({ 'requirement-tests': [few, { ...SCHOOL_TESTS, samples: [] }] });
    const outcome = await createText2Schema({ model, switches: { reviewer: false } }).design(SCHOOL);
    expect(model.asked).toEqual(['draft', 'requirement-tests', 'requirement-tests']);
    expect(model.inputs('requirement-tests')[1]?.unnoticed.length).toBeGreaterThan(0);
    expect(outcome).toMatchObject({ accepted: true });
    const without = roles({ 'requirement-tests': [few] });
    await createText2Schema({ model: without, switches: { reviewer: false, mutationCheck: false } }).design(SCHOOL);
    expect(without.asked).toHaveLength(2);
  });
});

describe('a run', () => {
  it('after a crash at each call, goes on to the same outcome and repeats no finished call', async () => {
    const script: RoleScript = { ...SCRIPT, draft: [draftWith(['Student Number', 'Course Code'], []), GOOD_DRAFT] };
    const expected = await createText2Schema({ model: scriptedRoles(script), journal: memoryJournal() }).design(
      SCHOOL,
      { runId: 'r1' },
    );
    for (let crash = 0; crash < 4; crash += 1) {
      const journal = memoryJournal();
      await createText2Schema({ model: scriptedRoles(script, 'scripted', crash), journal }).design(SCHOOL, {
        runId: 'r1',
      });
      const rest = scriptedRoles(crash > 0 ? { ...script, draft: [GOOD_DRAFT] } : script);
      const outcome = await createText2Schema({ model: rest, journal }).resume('r1');
      const plain = (one: typeof outcome) => JSON.stringify(one, (key, value) => (key === 'elapsedMs' ? 0 : value));
      expect(plain(outcome)).toBe(plain(expected));
      expect(rest.asked).toHaveLength(4 - crash);
    }
  });

  it('goes on behind phases that are brought along', async () => {
    const { artefacts } = await createText2Schema({ model: roles() }).design(SCHOOL);
    const { testReport: _, ...rest } = artefacts;
    const model = roles();
    const outcome = await createText2Schema({ model }).design(SCHOOL, { artefacts: rest });
    expect(model.asked).toEqual(['counter-examples']);
    expect(outcome).toMatchObject({ accepted: true });
  });

  it('of several designs that failed, the best one is given with what belongs to it', async () => {
    const worse = { ...draftWith(['Student Number'], ['Zebra Date']), assumptions: ['Worse.'] };
    const better = { ...draftWith(['Student Number', 'Course Code'], []), assumptions: ['Better.'] };
    const model = roles({ draft: [better, worse] });
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(outcome).toMatchObject({ type: 'designed', accepted: false, assumptions: ['Better.'] });
    expect(outcome.artefacts.design?.schema.attributes.some(({ name }) => name === 'Zebra Date')).toBe(false);
    expect(outcome.artefacts.mutationCheck?.planted).toBeGreaterThan(0);
  });

  it('an administrator has nothing to decide', () => {
    const model = roles();
    expect(() => createText2Schema({ model, administrator: model })).toThrow(/belongs to `preset: 'paper'`/);
  });

  it('ends within its rounds, with the best design', async () => {
    const model = roles({ draft: [draftWith(['Student Number'], ['Grade'])] });
    const outcome = await createText2Schema({ model, maxRounds: 3 }).design(SCHOOL);
    expect(outcome).toMatchObject({ type: 'designed', accepted: false, rounds: 3 });
  });
});

describe('tests that are wrong', () => {
  it('a sample that is withdrawn takes those along that need it', async () => {
    const wrongSample = row('Enrolment', 'enrolled', { student: '@ann', course: '@logic', colour: 'red' });
    const tests = { ...SCHOOL_TESTS, samples: [...SCHOOL_TESTS.samples.slice(0, 2), wrongSample] };
    const disputing = { ...GOOD_DRAFT, disputes: [{ test: 3, reason: 'Enrolments have no colour.' }] };
    const verdict = { ...SCHOOL_TESTS, samples: [], tests: [], verdicts: [{ test: 3, verdict: 'withdrawn' as const }] };
    const model = roles({ draft: [GOOD_DRAFT, disputing], 'requirement-tests': [tests, verdict] });
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(outcome).toMatchObject({ accepted: true });
    const left = outcome.artefacts.requirementTests ?? [];
    expect(left.some(({ given = [] }) => given.some(({ label }) => label === 'enrolled'))).toBe(false);
    expect(left.length).toBeGreaterThan(3);
  });

  it('without any the outcome says so', async () => {
    const none = { ...SCHOOL_TESTS, samples: [], tests: [] };
    const model = roles({ 'requirement-tests': [none] });
    const outcome = await createText2Schema({ model, switches: { reviewer: false } }).design(SCHOOL);
    expect(outcome.warnings.join()).toContain('wrote no tests');
    expect(model.asked).toEqual(['draft', 'requirement-tests', 'requirement-tests']);
  });

  it('a change of a sample may come under the name of the design', async () => {
    const change = {
      ...written('event', 'The grade changes.', row('Enrolment Record', 'enrolled', { grade: 5 })),
      by: 'conceptual-reviewer' as const,
    };
    const model = roles({ 'counter-examples': [{ ...NO_EXAMPLES, tests: [change] }] });
    expect(await createText2Schema({ model }).design(SCHOOL)).toMatchObject({ accepted: true, calls: 3 });
  });

  it('a repair that gives nothing leaves the design, and says so', async () => {
    const empty = { ...GOOD_DRAFT, schema: { relations: [] }, rules: [] };
    const model = roles({ draft: [draftWith(['Student Number', 'Course Code'], []), empty] });
    const outcome = await createText2Schema({ model }).design(SCHOOL);
    expect(outcome).toMatchObject({ type: 'designed', accepted: false });
    expect(outcome.transcript.map(({ text }) => text)).toContain(
      'The repair gives no schema: the design before it stays.',
    );
    expect(outcome.artefacts.design?.schema.relations).toHaveLength(3);
  });
});
