import { expect, it } from 'vitest';
import type { RequirementTest, TestPlace } from '../model/requirement-test.ts';
import { checkByMutants } from './check-by-mutants.ts';
import { memoryStore } from './memory-store.ts';
import { placeWholeTests } from './place-whole-tests.ts';
import { row, schemaOf } from './placing-fixture.ts';
import { runRequirementTests } from './run-tests.ts';

const TEACHING = {
  Teacher: { attributes: ['teacher_id', 'name'], key: ['teacher_id'] },
  Course: { attributes: ['course_id', 'title', 'start_time DATETIME'], key: ['course_id'] },
  Teaching: {
    attributes: ['teacher_id', 'course_id'],
    key: ['teacher_id', 'course_id'],
    references: ['teacher_id > Teacher: teacher_id', 'course_id > Course: course_id'],
  },
  Feedback: {
    attributes: ['feedback_id', 'teacher_id', 'course_id', 'feedback_text'],
    key: ['feedback_id'],
    references: ['teacher_id, course_id > Teaching: teacher_id, course_id'],
  },
};
const SCHEMA = schemaOf(TEACHING, 'Feedback.feedback_text');
const TEACHER = row('Teacher t', { name: 'Laura' });
const COURSE = row('Course c', { title: 'Logic', level: 'basic' });

const numbered = (tests: readonly Partial<RequirementTest>[]): RequirementTest[] =>
  tests.map((test, at) => ({ kind: 'fact', says: '', by: 'qa-engineer', rows: [], ...test, number: at + 1 }));
const resultsOf = async (tests: readonly RequirementTest[], places: readonly TestPlace[] = []) => {
  const placed = placeWholeTests(tests, SCHEMA, places);
  const results = await runRequirementTests(placed, memoryStore(SCHEMA));
  return results.map(({ status, gaps, actual }) =>
    status === 'no place' ? gaps.map(({ fact }) => fact) : actual || status,
  );
};

it('a fact of a sample without a place fails the test of the sample, and hides no other test', async () => {
  const tests = numbered([
    { rows: [COURSE], isSample: true },
    { rows: [TEACHER], isSample: true },
    { given: [TEACHER, COURSE], rows: [row('Teaching x', { teacher: '@t', course: '@c' })] },
    { given: [COURSE], rows: [row('Course c', { level: 'hard' })] },
  ]);
  expect(await resultsOf(tests)).toEqual([['level'], 'passed', 'passed', ['level']]);
});

it('a row that only names a sample says that it is there', async () => {
  const tests = numbered([
    {
      kind: 'refusal',
      given: [row('Course c', { 'course id': 7, title: 'Logic' })],
      rows: [row('Course c'), row('Course d', { 'course id': 7, title: 'Sets' })],
    },
  ]);
  expect(await resultsOf(tests)).toEqual(['passed']);
});

it('who knows the design may use its names: a fact is not looked for twice', async () => {
  const places = [{ thing: 'Rating', fact: 'opinion', relation: 'Feedback', attribute: 'feedback_text' }];
  const rated = { teacher: '@t', course: '@c' };
  const given = [TEACHER, row('Course c', { title: 'Logic' }), row('Teaching x', { teacher: '@t', course: '@c' })];
  const tests = numbered([
    { given, rows: [row('Rating r', { ...rated, opinion: 'Clear' })] },
    {
      given,
      by: 'conceptual-reviewer',
      rows: [row('Feedback f', { 'teacher id': '@t', 'course id': '@c', 'feedback text': 'Clear' })],
    },
    {
      kind: 'refusal',
      given,
      by: 'conceptual-reviewer',
      rows: [row('Feedback f', { 'teacher id': '@t', 'course id': '@c' })],
    },
  ]);
  const thing = { thing: 'Rating', fact: null, relation: 'Feedback', attribute: null };
  expect(await resultsOf(tests, [...places, thing])).toEqual(['passed', 'passed', 'passed']);
});

it('a reference by way of a third relation is filled; what the way lacks is refused', async () => {
  const [teacher, course] = ['teacher', 'course'].map((fact) => ({
    thing: 'Feedback',
    fact,
    relation: 'Feedback',
    attribute: `${fact}_id`,
  }));
  const given = [TEACHER, row('Course c', { title: 'Logic' })];
  const feedback = row('Feedback f', { teacher: '@t', course: '@c', 'feedback text': 'Clear' });
  const teaching = row('Teaching x', { teacher: '@t', course: '@c' });
  const tests = numbered([
    { given, rows: [teaching, feedback] },
    { kind: 'refusal', given, rows: [feedback] },
  ]);
  expect(
    await resultsOf(
      tests,
      [teacher, course].filter((place) => place !== undefined),
    ),
  ).toEqual(['passed', 'passed']);
});

it('a value that an attribute cannot hold by its type is no success, whatever the database takes', async () => {
  const tests = numbered([{ rows: [row('Course c', { title: 'Logic', 'start time': 'Mondays' })] }]);
  expect(await resultsOf(tests)).toEqual([expect.stringMatching(/cannot be kept: .*"Mondays"/)]);
});

it('mistakes that no test notices are named; with the tests that notice them they are not', async () => {
  const sample = row('Teaching x', { teacher: '@t', course: '@c' });
  const given = [TEACHER, row('Course c', { title: 'Logic' })];
  const few = numbered([{ given, rows: [sample] }]);
  const more = numbered([
    { given, rows: [sample] },
    { given, rows: [sample, row('Course d', { title: 'Sets' }), row('Teaching y', { teacher: '@t', course: '@d' })] },
  ]);
  const { Feedback: _, ...relations } = TEACHING;
  const schema = schemaOf(relations);
  const unnoticed = async (tests: readonly RequirementTest[]) => {
    const placed = placeWholeTests(tests, schema, []);
    const results = await runRequirementTests(placed, memoryStore(schema));
    return (await checkByMutants(placed, results, schema, [])).unnoticed.join('\n');
  };
  const mistake = 'A second `Teaching` with the same `Teacher` is refused, though its `Course` differs.';
  expect(await unnoticed(few)).toContain(mistake);
  expect(await unnoticed(more)).not.toContain(mistake);
});

it('a change that states a connection again beside another fact adds no row; alone it is meant once more', async () => {
  const relations = {
    Course: { attributes: ['course_id', 'title', 'level'], key: ['course_id'] },
    Teacher: { attributes: ['teacher_id', 'name'], key: ['teacher_id'] },
    Teaching: TEACHING.Teaching,
  };
  const schema = schemaOf(relations);
  const course = row('Course c', { title: 'Logic', teachers: '@t' });
  const tests = numbered([
    { given: [TEACHER, course], rows: [row('Course c', { level: 'hard', teachers: '@t' })] },
    { kind: 'refusal', given: [TEACHER, course], rows: [row('Course c', { teachers: '@t' })] },
  ]);
  const results = await runRequirementTests(placeWholeTests(tests, schema, []), memoryStore(schema));
  expect(results.map(({ status, actual }) => actual || status)).toEqual(['passed', 'passed']);
});
