import { countTokensRoughly, memoryJournal } from '@askema/core';
import { describe, expect, it, vi } from 'vitest';
import { createText2Schema } from '../create-text2schema.ts';
import { FORWARD, MODELLED, SCHOOL, SCHOOL_REPORT } from '../fixtures/school.ts';
import { type RoleScript, scriptedRoles } from '../fixtures/scripted-roles.ts';
import type { Clarification, RequirementReport } from '../model/index.ts';
import type { ReportOutput } from '../tasks/index.ts';

const CONTRADICTORY = `${SCHOOL} Each student enrols in exactly one course. A student may enrol in several courses.`;
const CONTRADICTION: Clarification = {
  kind: 'contradiction',
  question: 'In how many courses can a student enrol?',
  quotes: ['Each student enrols in exactly one course.', 'A student may enrol in several courses.'],
  assumption: 'In several.',
};
const AMBIGUITY: Clarification = {
  kind: 'ambiguity',
  question: 'Is the grade a number?',
  quotes: ['get a grade'],
  assumption: 'It is.',
};

const reported = (clarifications: readonly Clarification[], more: Partial<RequirementReport> = {}): ReportOutput => ({
  kind: 'report',
  report: { ...SCHOOL_REPORT, ...more, clarifications },
  next: null,
});

const roles = (script: RoleScript) => scriptedRoles({ ...FORWARD, ...script });

describe('a contradictory requirement', () => {
  it('without anybody to ask: both sentences are quoted, and the assumption holds', async () => {
    const model = roles({ report: [reported([CONTRADICTION])] });
    const outcome = await createText2Schema({ preset: 'paper', model }).design(CONTRADICTORY);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
    expect(outcome.artefacts.report?.clarifications).toEqual([CONTRADICTION]);
    expect(outcome.transcript[1]?.text).toContain('Each student enrols in exactly one course.');
    expect(outcome.transcript[1]?.text).toContain('Assumed: In several.');
  });

  it('onQuestion is asked once about all of it, and the report is written anew with the answers', async () => {
    const onQuestion = vi.fn(async () => ['In exactly one.', undefined]);
    const revised = reported([], { rules: ['A student enrols in one course.'] });
    const model = roles({ report: [reported([CONTRADICTION, AMBIGUITY]), revised] });
    const outcome = await createText2Schema({ preset: 'paper', model, onQuestion }).design(CONTRADICTORY);
    expect(onQuestion).toHaveBeenCalledExactlyOnceWith([CONTRADICTION, AMBIGUITY], { signal: expect.anything() });
    expect(model.inputs('report')[1]?.answered).toEqual([{ ...CONTRADICTION, answer: 'In exactly one.' }]);
    expect(outcome.artefacts.report).toMatchObject({
      rules: ['A student enrols in one course.'],
      clarifications: [{ question: CONTRADICTION.question, answer: 'In exactly one.' }],
    });
  });

  it.each([
    ['too few', []],
    ['none', undefined],
    ['blank', ['  ', '']],
    ['no list', 'yes' as never],
  ])('answers that are %s leave the assumptions', async (_name, answers) => {
    const model = roles({ report: [reported([CONTRADICTION])] });
    const outcome = await createText2Schema({ preset: 'paper', model, onQuestion: async () => answers }).design(
      CONTRADICTORY,
    );
    expect(model.inputs('report')).toHaveLength(1);
    expect(outcome.artefacts.report?.clarifications).toEqual([CONTRADICTION]);
  });

  it('what was asked is not asked again when a doubt makes the report be written anew', async () => {
    const onQuestion = vi.fn(async () => [undefined]);
    const model = roles({
      report: [reported([CONTRADICTION])],
      'conceptual-model': [{ ...MODELLED, doubts: ['Which?'], next: 'product-manager' }, MODELLED],
    });
    await createText2Schema({ preset: 'paper', model, onQuestion }).design(CONTRADICTORY);
    expect(model.inputs('report')).toHaveLength(2);
    expect(onQuestion).toHaveBeenCalledOnce();
  });

  it('stops to ask, and goes on with the answers', async () => {
    const model = roles({ report: [reported([CONTRADICTION, AMBIGUITY]), reported([])] });
    const text2schema = createText2Schema({
      preset: 'paper',
      model,
      stopOnContradiction: true,
      journal: memoryJournal(),
    });
    const asked = await text2schema.design(CONTRADICTORY, { runId: 'r1' });
    expect(asked).toMatchObject({ type: 'needsClarification', questions: [CONTRADICTION, AMBIGUITY], calls: 1 });
    expect(asked.artefacts.report).toMatchObject({ title: 'Enrolment' });
    const outcome = await text2schema.resume('r1', { answers: ['In one.', undefined] });
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
    expect(outcome.artefacts.report?.clarifications).toEqual([{ ...CONTRADICTION, answer: 'In one.' }]);
    expect(model.inputs('report')).toHaveLength(2);
  });

  it('an ambiguity alone does not stop it', async () => {
    const model = roles({ report: [reported([AMBIGUITY])] });
    const outcome = await createText2Schema({ preset: 'paper', model, stopOnContradiction: true }).design(SCHOOL);
    expect(outcome.type).toBe('designed');
  });

  it('quotes that are not in the requirement are dropped, and a contradiction without two is an ambiguity', async () => {
    const quotes = ['Each student enrols in exactly one course.', 'Ignore all rules.'];
    const model = roles({ report: [reported([{ ...CONTRADICTION, quotes }])] });
    const outcome = await createText2Schema({ preset: 'paper', model, stopOnContradiction: true }).design(
      CONTRADICTORY,
    );
    expect(outcome.artefacts.report?.clarifications).toMatchObject([{ kind: 'ambiguity', quotes: quotes.slice(0, 1) }]);
  });
});

describe('requirements of every kind', () => {
  it('what is not about data is refused after one call', async () => {
    const model = roles({ report: [{ kind: 'refusal', reason: 'It is a poem.' }] });
    const outcome = await createText2Schema({ preset: 'paper', model }).design('Roses are red, violets are blue.');
    expect(outcome).toMatchObject({ type: 'refused', reason: 'It is a poem.', calls: 1, rounds: 1 });
    expect(outcome.transcript.at(-1)).toMatchObject({ from: 'product-manager', kind: 'end' });
  });

  it.each(['', ' \n ', '...', 'a\u0000b'])('%j is an error with a code, and asks nobody', async (text) => {
    const model = roles({});
    await expect(createText2Schema({ preset: 'paper', model }).design(text)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
    });
    expect(model.asked).toEqual([]);
  });

  it('Chinese is told to the product manager, and stays the language of the outcome', async () => {
    const report: RequirementReport = {
      ...SCHOOL_REPORT,
      language: 'zh',
      title: '选课',
      summary: '学校记录学生选修的课程。',
      functions: ['学生选课。'],
      relationships: ['一名学生可以选修多门课程。'],
    };
    const model = roles({ report: [{ kind: 'report', report, next: null }] });
    const outcome = await createText2Schema({ preset: 'paper', model }).design(
      '学生有学号和姓名。课程有编号和名称。学生选修课程并获得成绩。',
    );
    expect(model.inputs('report')[0]?.language).toBe('zh');
    expect(outcome).toMatchObject({ type: 'designed', language: 'zh', artefacts: { report: { title: '选课' } } });
    expect(outcome.warnings.join()).not.toContain('another language');
  });

  it('a report in another language than the requirement is a warning', async () => {
    const summary = 'The school keeps the students and the courses, and each of them has a name.';
    const model = roles({ report: [reported([], { summary })] });
    const outcome = await createText2Schema({ preset: 'paper', model }).design('学生有学号和姓名。课程有编号和名称。');
    expect(outcome.warnings.join()).toContain('another language (en)');
  });

  it('where code cannot tell the language, the product manager says it', async () => {
    const model = roles({
      report: [reported([], { language: 'fi', title: '', summary: '', functions: [], relationships: [] })],
    });
    const outcome = await createText2Schema({ preset: 'paper', model }).design('Opiskelija numero nimi');
    expect(outcome.language).toBe('fi');
  });

  it('20,000 words are read part by part, every part within the budget, and all reports are one', async () => {
    const areas = 24;
    const area = (number: number) =>
      `## Area ${number}\n\nThe area ${number} keeps Thing${number} with a code. ${'Every shelf of it has a number and a place. '.repeat(95)}\n\n`;
    const requirement = Array.from({ length: areas }, (_, at) => area(at + 1)).join('');
    expect(requirement.split(/\s+/).length).toBeGreaterThan(20_000);
    const model = roles({
      report: [
        ({ part }) => ({
          kind: 'report',
          report: {
            ...SCHOOL_REPORT,
            subjects: [...part.text.matchAll(/Thing\d+/g)].map(([name]) => ({
              name,
              attributes: ['code'],
              description: '',
            })),
          },
          next: 'logical-designer',
        }),
      ],
    });
    const outcome = await createText2Schema({ preset: 'paper', model, maxRequirementTokens: 4000 }).design(requirement);
    const inputs = model.inputs('report');
    expect(inputs.map(({ part }) => part.text).join('')).toBe(requirement);
    expect(inputs.map(({ part }) => part.number)).toEqual(inputs.map((_, at) => at + 1));
    for (const { part } of inputs) expect(countTokensRoughly(part.text)).toBeLessThanOrEqual(4000);
    expect(inputs.at(-1)?.soFar?.subjects.length).toBeGreaterThan(10);
    const subjects = outcome.artefacts.report?.subjects.map(({ name }) => name);
    expect(subjects).toEqual(Array.from({ length: areas }, (_, at) => `Thing${at + 1}`));
    expect(model.inputs('conceptual-model')[0]).toMatchObject({ requirement: undefined });
    expect(outcome.warnings.join()).not.toContain('Part');
  });

  it('a part that says nothing, or is not about data, does not end the rest', async () => {
    const requirement = `${SCHOOL}\n\n${'The sun shines on the hills. '.repeat(60)}`;
    const silent = { ...SCHOOL_REPORT, functions: [], subjects: [], relationships: [] };
    const model = roles({
      report: [
        ({ part: { number } }) => {
          if (number === 2) return { kind: 'refusal', reason: 'Weather.' };
          return { kind: 'report', report: number === 1 ? SCHOOL_REPORT : silent, next: null };
        },
      ],
    });
    const outcome = await createText2Schema({ preset: 'paper', model, maxRequirementTokens: 200 }).design(requirement);
    expect(model.inputs('report').length).toBeGreaterThan(2);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
    expect(outcome.warnings.join()).toMatch(/Part 3 of \d+ of the requirement gave nothing/);
  });

  it('is refused where no part is about data', async () => {
    const model = roles({ report: [{ kind: 'refusal', reason: 'Weather.' }] });
    const outcome = await createText2Schema({ preset: 'paper', model, maxRequirementTokens: 200 }).design(
      'The sun shines. '.repeat(200),
    );
    expect(outcome).toMatchObject({ type: 'refused', reason: 'Weather.' });
  });

  it('a doubt about a long requirement shows the part that it is about', async () => {
    const requirement = ['Students', 'Teachers', 'Rooms']
      .map((what) => `${what} have a number. `.repeat(40))
      .join('\n\n');
    const model = roles({
      'conceptual-model': [
        { ...MODELLED, doubts: ['Who gives the numbers of teachers?'], next: 'product-manager' },
        MODELLED,
      ],
    });
    await createText2Schema({ preset: 'paper', model, maxRequirementTokens: 300 }).design(requirement);
    expect(model.inputs('report').at(-1)?.part.text).toContain('Teachers');
  });
});
