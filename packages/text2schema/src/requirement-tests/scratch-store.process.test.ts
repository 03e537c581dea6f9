import { createCallContext } from '@askema/core';
import { afterEach, expect, test } from 'vitest';
import { scratch } from '../fixtures/scratch.ts';
import { placeTests } from './place-tests.ts';
import { row, schemaOf, testsOf } from './placing-fixture.ts';
import { runRequirementTests } from './run-tests.ts';
import { openScratchStore, type ScratchStore } from './scratch-store.ts';

const context = createCallContext();
const SCHEMA = schemaOf(
  {
    Student: { attributes: ['student_number', 'name', 'email unique'], key: ['student_number'] },
    Course: { attributes: ['course_id NUMERIC', 'title'], key: ['course_id'] },
    Enrolment: {
      attributes: ['student_number', 'course_id NUMERIC', 'since DATETIME'],
      key: ['student_number', 'course_id'],
      references: ['student_number > Student: student_number', 'course_id > Course: course_id'],
    },
  },
  'Student.name',
);
const STUDENT = row('Student s', { 'student number': 'S1', name: "Ann'; DROP TABLE Student; --", email: 'a@b.c' });
const COURSE = row('Course c', { title: 'Art' });
const ENROLMENT = row('Enrolment e', { student: '@s', course: '@c' });

let store: ScratchStore | undefined;
afterEach(async () => {
  await store?.close();
  store = undefined;
});

test('SQLite: rows are taken and refused, and each test begins with none', async () => {
  store = await openScratchStore({ schema: SCHEMA, scratch, context });
  const tests = testsOf(
    [
      'event',
      STUDENT,
      COURSE,
      ENROLMENT,
      row('Enrolment e', { since: '2026-03-01' }),
      row('Course d', { title: 'Art' }),
    ],
    ['refusal', STUDENT, COURSE, ENROLMENT, row('Enrolment f', { student: '@s', course: '@c' })],
    ['refusal', COURSE, row('Enrolment e', { student: '@nobody', course: '@c' })],
    ['refusal', row('Student s', { 'student number': 'S1', name: null })],
    ['refusal', row('Student s', { name: 'Ann' })],
    ['event', STUDENT, row('Student t', { 'student number': 'S2', name: 'Bob', email: 'a@b.c' })],
  );
  const results = await runRequirementTests(placeTests(tests, SCHEMA), store);
  expect(results.map(({ status }) => status)).toEqual([...Array(5).fill('passed'), 'failed']);
  expect(results[5]?.actual).toMatch(/^Student "t" .* was refused: .*UNIQUE constraint failed: Student\.email/);
});

test('what was refused changes nothing, and a row that is not there cannot change', async () => {
  store = await openScratchStore({ schema: SCHEMA, scratch, context });
  const course = (id: number, title: string) =>
    new Map<string, string | number>([
      ['course#course_id', id],
      ['course#title', title],
    ]);
  expect(await store.insert('course', course(1, 'Art'))).toBeUndefined();
  expect(await store.insert('course', course(1, 'Law'))).toMatch(/UNIQUE/);
  expect(await store.update('course', new Map([['course#course_id', 2]]), course(3, 'Law'))).toMatch(/no such row/);
  expect(await store.update('course', new Map([['course#course_id', 1]]), course(3, 'Law'))).toBeUndefined();
  expect(await store.insert('course', course(1, 'Art'))).toBeUndefined();
  await store.reset();
  expect(await store.insert('course', course(3, 'Law'))).toBeUndefined();
});

test('a database that only notes its keys down is refused, and closed', async () => {
  const database = scratch();
  let isClosed = false;
  const careless: typeof database = {
    ...database,
    executor: {
      async *execute(sql, request) {
        yield* database.executor.execute(sql.replace(/,\s+FOREIGN KEY[^)]*\)[^)]*\)/g, ''), request);
      },
    },
    close: async () => {
      isClosed = true;
      await database.close?.();
    },
  };
  await expect(openScratchStore({ schema: SCHEMA, scratch: () => careless, context })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('does not enforce referential integrity'),
  });
  expect(isClosed).toBe(true);
});

test('rows that refer to each other in a circle are emptied, whatever their order', async () => {
  const schema = schemaOf(
    {
      Company: {
        attributes: ['company_id', 'manager_id'],
        key: ['company_id'],
        references: ['manager_id > Employee: employee_id'],
      },
      Department: {
        attributes: ['department_id', 'company_id', 'supervisor_id'],
        key: ['department_id'],
        references: ['company_id > Company: company_id', 'supervisor_id > Employee: employee_id'],
      },
      Employee: {
        attributes: ['employee_id', 'department_id'],
        key: ['employee_id'],
        references: ['department_id > Department: department_id'],
      },
    },
    'Department.company_id',
    'Employee.department_id',
  );
  store = await openScratchStore({ schema, scratch, context });
  const circle = [
    row('Company c', { 'company id': 'C1' }),
    row('Department d', { 'department id': 'D1', company: '@c' }),
    row('Employee e', { 'employee id': 'E1', department: '@d' }),
    row('Company c', { manager: '@e' }),
    row('Department d', { supervisor: '@e' }),
  ];
  const tests = testsOf(['fact', ...circle], ['fact', ...circle]);
  const results = await runRequirementTests(placeTests(tests, schema), store);
  expect(results.map(({ status, actual }) => actual || status)).toEqual(['passed', 'passed']);
});
