import type { ModelRequest } from '@askema/core';
import { scriptedModel } from '@askema/testkit';
import { expect, it } from 'vitest';
import { createText2Schema } from '../create-text2schema.ts';
import { SCHOOL, SCHOOL_MODEL, SCHOOL_PROPOSAL, SCHOOL_REPORT } from '../fixtures/school.ts';
import { scratch } from '../fixtures/scratch.ts';

const cell = (attribute: string, value: string | number) => ({ attribute, value });
const testCase = {
  purpose: '',
  where: [],
  attributes: ['student number', 'name'],
  values: ['S9', 'Ada'],
  rows: [],
};
const set = (number: number) => ({
  title: `Set ${number}`,
  needs: ['Student', 'Course'],
  given: [],
  cases: [
    { ...testCase, operation: 'Insert', target: 'Student', expected: 'accepted' },
    { ...testCase, operation: 'insert', target: 'Student', expected: 'entity integrity' },
    {
      ...testCase,
      operation: 'insert',
      target: 'Enrols',
      attributes: ['student number', 'course code', 'grade'],
      values: ['S1', 'C9', 1],
      expected: 'referential integrity',
    },
    {
      ...testCase,
      operation: 'update',
      target: 'Course',
      attributes: ['title'],
      values: ['Sets'],
      where: [cell('course code', 'C1')],
      expected: 'accepted',
    },
    {
      ...testCase,
      operation: 'query',
      target: 'Course',
      attributes: ['title'],
      values: [],
      where: [cell('course code', 'C1')],
      expected: 'rows',
      rows: [['Sets']],
    },
    {
      ...testCase,
      operation: 'delete',
      target: 'Student',
      attributes: [],
      values: [],
      where: [cell('student number', 'S1')],
      expected: 'accepted',
    },
  ],
});

/** What a language model writes, by the task that it is asked for. */
const ANSWERS: Readonly<Record<string, readonly object[]>> = {
  text2schema_report: [{ thinking: '', outcome: 'report', reason: '', ...SCHOOL_REPORT, next: 'none' }],
  'text2schema_conceptual-model': [
    {
      thinking: 'As said.',
      model: {
        ...SCHOOL_MODEL,
        relationshipSets: SCHOOL_MODEL.relationshipSets.map((each) => ({
          ...each,
          participants: each.participants.map((participant) => ({ ...participant, role: null })),
        })),
      },
      doubts: [],
      next: null,
    },
  ],
  text2schema_review: [{ thinking: '', answers: [], issues: [], verdict: 'Approve' }],
  'text2schema_logical-design': [
    { thinking: 'Keys.', decision: 'propose', ...SCHOOL_PROPOSAL, complaints: [], next: null },
    { thinking: 'Right.', decision: 'keep', sets: [], complaints: [], next: null },
  ],
  'text2schema_test-plan': [
    {
      thinking: '',
      base: [
        { target: 'Student', attributes: ['student number', 'name'], rows: [['S1', 'Bob']] },
        { target: 'Course', attributes: ['course code', 'title'], rows: [['C1', 'Logic']] },
      ],
      sets: Array.from({ length: 10 }, (_, at) => set(at + 1)),
    },
  ],
  'text2schema_test-report': [{ thinking: '', errors: [], text: 'All pass.', end: 'terminal', next: null }],
};

it('answers as language models write them go all the way, each asked for in its structured form', async () => {
  const seen = new Map<string, number>();
  const answer = ({ output }: ModelRequest): string | undefined => {
    const name = output?.name ?? '';
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    const reply = ANSWERS[name]?.[before];
    return reply === undefined ? undefined : JSON.stringify(reply);
  };
  const model = scriptedModel(answer);
  const outcome = await createText2Schema({ preset: 'paper', model, scratch }).design(SCHOOL);
  expect(outcome).toMatchObject({ type: 'designed', accepted: true, calls: 7, rounds: 5, warnings: [] });
  expect(outcome.artefacts.testReport?.run?.counts).toEqual({ passed: 60, failed: 0, notCompiled: 0, notRun: 0 });
  expect(outcome.solvedBy).toEqual(['scripted:scripted']);
  for (const request of model.requests) expect(request.output?.schema).toMatchObject({ type: 'object' });
});
