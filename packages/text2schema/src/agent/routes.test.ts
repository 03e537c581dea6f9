import type { ChatMessage } from '@askema/core';
import { describe, expect, it } from 'vitest';
import { createText2Schema } from '../create-text2schema.ts';
import { designSchool, feedback, said } from '../fixtures/design-school.ts';
import {
  APPROVAL,
  BROKEN_MODEL,
  FORWARD,
  KEPT,
  KEYLESS_MODEL,
  KEYLESS_PROPOSAL,
  MODELLED,
  PROPOSED,
  REJECTION,
  SCHOOL,
  SCHOOL_MODEL,
  SCHOOL_REPORT,
  TERMINAL,
} from '../fixtures/school.ts';
import { scriptedRoles } from '../fixtures/scripted-roles.ts';

describe('the routes back', () => {
  it('conceptual designer → product manager: the doubt reaches it, and a settled report comes back', async () => {
    const settled = { ...SCHOOL_REPORT, rules: ['A student enrols once in a course.'] };
    const doubt = 'Can a student enrol twice in a course?';
    const { model, outcome } = await designSchool({
      report: [FORWARD.report?.[0] as never, { kind: 'report', report: settled, next: null }],
      'conceptual-model': [{ ...MODELLED, doubts: [doubt], next: 'product-manager' }, MODELLED],
    });
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
    expect(feedback(outcome)).toEqual(['conceptual-designer > product-manager']);
    const [, asked] = model.inputs('report');
    expect(asked?.soFar).toEqual(SCHOOL_REPORT);
    expect(asked?.messages.map(({ text }) => text)).toEqual([expect.stringContaining(doubt)]);
    expect(model.inputs('conceptual-model')[1]?.report).toEqual(settled);
    expect(outcome.artefacts.report).toEqual(settled);
  });

  it('a doubt without words goes nowhere', async () => {
    const { outcome } = await designSchool({ 'conceptual-model': [{ ...MODELLED, next: 'product-manager' }] });
    expect(feedback(outcome)).toEqual([]);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it('reviewer → conceptual designer: its issues are shown, and the mended model is reviewed again', async () => {
    const { model, outcome } = await designSchool({ review: [REJECTION, APPROVAL] });
    expect(feedback(outcome)).toEqual(['conceptual-reviewer > conceptual-designer']);
    const [, mending] = model.inputs('conceptual-model');
    expect(mending?.previous).toEqual(SCHOOL_MODEL);
    expect(mending?.messages.at(-1)?.text).toContain('Put the name at the student.');
    expect(model.inputs('review')).toHaveLength(2);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, rounds: 5 });
  });

  it('an approval with an error that code found is none', async () => {
    const { model, outcome } = await designSchool({
      'conceptual-model': [{ ...MODELLED, model: BROKEN_MODEL }, MODELLED],
    });
    expect(feedback(outcome)).toEqual(['conceptual-reviewer > conceptual-designer']);
    const [review] = model.inputs('review');
    expect(review?.findings).toContainEqual(
      expect.objectContaining({ severity: 'error', role: 'conceptual-designer' }),
    );
    expect(model.inputs('conceptual-model')[1]?.messages.at(-1)?.text).toContain('Lecture');
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it('a review without an end hands the best model on, and the outcome says what was open', async () => {
    const { model, outcome } = await designSchool(
      {
        'conceptual-model': [
          { ...MODELLED, model: BROKEN_MODEL },
          { ...MODELLED, model: SCHOOL_MODEL },
          { ...MODELLED, model: { entitySets: [], relationshipSets: BROKEN_MODEL.relationshipSets } },
        ],
        review: [REJECTION],
      },
      { maxInnerRounds: 6 },
    );
    expect(model.inputs('review')).toHaveLength(3);
    expect(model.inputs('logical-design')[0]?.model).toEqual(SCHOOL_MODEL);
    expect(outcome.artefacts.conceptual).toEqual(SCHOOL_MODEL);
    expect(outcome.transcript.find(({ leaves }) => leaves?.how === 'exhausted')?.text).toContain('Student Number');
    expect(outcome.warnings.join()).toContain('review-misplaced-attribute');
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it('logical designer → conceptual designer: an entity set without a key, found by code, named by nobody', async () => {
    const { model, outcome } = await designSchool({
      'conceptual-model': [{ ...MODELLED, model: KEYLESS_MODEL }, MODELLED],
      'logical-design': [{ ...PROPOSED, proposal: KEYLESS_PROPOSAL }, PROPOSED, KEPT],
    });
    expect(feedback(outcome)).toEqual(['logical-designer > conceptual-designer']);
    const complaint = model.inputs('conceptual-model')[1]?.messages.at(-1);
    expect(complaint).toMatchObject({ from: 'logical-designer' });
    expect(complaint?.text).toMatch(/entity-without-key, Student/);
    // Only the model can mend it: the designer is not asked to correct what it cannot.
    expect(model.inputs('logical-design')).toHaveLength(3);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true, rounds: 7 });
  });

  it('logical designer → conceptual designer: named by the designer itself', async () => {
    const complaints = [{ subject: 'Enrols', problem: 'Enrolments may repeat.', remedy: 'Add the term.' }];
    const { model, outcome } = await designSchool({
      'logical-design': [{ ...PROPOSED, complaints, next: 'conceptual-designer' }, PROPOSED, KEPT],
    });
    expect(feedback(outcome)).toEqual(['logical-designer > conceptual-designer']);
    expect(model.inputs('conceptual-model')[1]?.messages.at(-1)?.text).toContain('Add the term.');
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it('the same complaint goes back twice, and then the design goes on with a warning and is not accepted', async () => {
    const { model, outcome } = await designSchool({
      'conceptual-model': [{ ...MODELLED, model: KEYLESS_MODEL }],
      'logical-design': [{ ...PROPOSED, proposal: KEYLESS_PROPOSAL }],
    });
    expect(feedback(outcome)).toEqual(Array(2).fill('logical-designer > conceptual-designer'));
    expect(outcome).toMatchObject({ type: 'designed', accepted: false });
    expect(outcome.warnings.join()).toContain('entity-without-key (Student)');
    // The third time it corrects for itself, as often as it may.
    expect(model.inputs('logical-design')).toHaveLength(5);
  });

  it('product manager → logical designer: a revision that leaves the model as it is', async () => {
    const { model, outcome } = await designSchool({
      report: [FORWARD.report?.[0] as never, { kind: 'report', report: SCHOOL_REPORT, next: 'logical-designer' }],
      'test-report': [
        {
          text: 'The report misses a rule.',
          errors: [{ role: 'product-manager', problem: 'No rule on grades.', remedy: 'State it.' }],
          end: null,
          next: 'product-manager',
        },
        TERMINAL,
      ],
    });
    expect(feedback(outcome)).toEqual(['test-executor > product-manager']);
    expect(said(outcome, 'product-manager')[1]).toMatchObject({ next: 'logical-designer', to: 'all' });
    expect(model.inputs('conceptual-model')).toHaveLength(1);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it('the product manager cannot hand over to the logical designer before there is a model', async () => {
    const { outcome } = await designSchool({
      report: [{ kind: 'report', report: SCHOOL_REPORT, next: 'logical-designer' }],
    });
    expect(said(outcome, 'product-manager')[0]?.next).toBe('conceptual-designer');
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });

  it.each([
    ['logical-designer', 'logical-design', 'The key is too narrow.'],
    ['conceptual-designer', 'conceptual-model', 'A teacher is missing.'],
    ['qa-engineer', 'test-plan', 'No case can be used.'],
  ] as const)(
    'test executor → %s: problem and remedy reach it, and the tests run again',
    async (role, task, problem) => {
      const rejection = { text: 'Not yet.', errors: [{ role, problem, remedy: 'Mend it.' }], end: null, next: role };
      const { model, outcome } = await designSchool({ 'test-report': [rejection, TERMINAL] });
      expect(feedback(outcome)).toEqual([`test-executor > ${role}`]);
      const last = (model.inputs(task) as readonly { readonly messages: readonly ChatMessage[] }[]).findLast(
        ({ messages }) => messages.some(({ from }) => from === 'test-executor'),
      );
      expect(last?.messages.at(-1)?.text).toContain(problem);
      expect(last?.messages.at(-1)?.text).toContain('Mend it.');
      expect(outcome).toMatchObject({ type: 'designed', accepted: true });
      // The plan is written anew only where it is to blame.
      expect(model.inputs('test-plan')).toHaveLength(role === 'qa-engineer' ? 2 : 1);
      if (role === 'qa-engineer')
        expect(model.inputs('test-plan')[1]?.previous?.findings).toMatchObject([
          { message: problem, remedy: 'Mend it.' },
        ]);
    },
  );

  it('a complaint that was answered is not shown as open when somebody else complains later', async () => {
    const { model } = await designSchool({
      'logical-design': [
        { ...PROPOSED, complaints: [{ subject: 'Enrols', problem: 'P', remedy: 'R' }], next: 'conceptual-designer' },
        PROPOSED,
        KEPT,
      ],
      'test-report': [
        { text: '', errors: [{ role: 'logical-designer', problem: 'Q', remedy: 'S' }], end: null, next: null },
        TERMINAL,
      ],
    });
    const open = model
      .inputs('logical-design')
      .map(({ messages }) => messages.filter(({ kind }) => kind === 'feedback'));
    // Its own complaint is its own; the executor's is there in the last turn alone.
    expect(open.map((messages) => messages.map(({ from }) => from))).toEqual([
      [],
      ['logical-designer'],
      ['logical-designer'],
      ['logical-designer', 'test-executor'],
    ]);
  });

  it('what the test executor complained of is not shown as open once it was answered', async () => {
    const reject = (role: 'logical-designer' | 'conceptual-designer') =>
      ({ text: '', errors: [{ role, problem: 'P', remedy: 'R' }], end: null, next: role }) as const;
    const { model, outcome } = await designSchool({
      'test-report': [reject('logical-designer'), reject('conceptual-designer'), TERMINAL],
    });
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
    const complaints = model
      .inputs('logical-design')
      .map(({ messages }) => messages.filter(({ from }) => from === 'test-executor').length);
    expect(complaints).toEqual([0, 0, 1, 0]);
  });

  it('a test plan is written anew when the report has changed', async () => {
    const settled = { ...SCHOOL_REPORT, rules: ['Grades are from 1 to 6.'] };
    const { model } = await designSchool({
      report: [FORWARD.report?.[0] as never, { kind: 'report', report: settled, next: null }],
      'test-report': [
        { text: '', errors: [{ role: 'product-manager', problem: 'P', remedy: 'R' }], end: null, next: null },
        TERMINAL,
      ],
    });
    expect(model.inputs('test-plan').map(({ report }) => report)).toEqual([SCHOOL_REPORT, settled]);
  });

  it('the administrator chooses where nobody was named, among the candidates alone', async () => {
    const model = scriptedRoles({ ...FORWARD, 'logical-design': [PROPOSED, KEPT] });
    const choices = ['conceptual-designer', 'nobody-at-all', 'qa-engineer'];
    let chosen = 0;
    const administrator = {
      name: 'administrator',
      supports: () => true,
      solve: async () => ({
        value: { next: choices[chosen++] ?? 'qa-engineer' } as never,
        usage: { inputTokens: 1 },
        calls: 1,
        solvedBy: 'administrator',
        warnings: [],
      }),
    };
    const outcome = await createText2Schema({ preset: 'paper', model, administrator }).design(SCHOOL);
    expect(chosen).toBeGreaterThan(1);
    const next = said(outcome, 'logical-designer').map((message) => message.next);
    expect(next).toEqual(['conceptual-designer', 'qa-engineer']);
    expect(outcome.calls).toBe(model.asked.length + chosen);
    expect(outcome).toMatchObject({ type: 'designed', accepted: true });
  });
});
