import type { Schema } from '@askema/core';
import { describe, expect, test } from 'vitest';
import type { RequirementTest, TestPlace } from '../model/requirement-test.ts';
import { placeTests } from './place-tests.ts';
import { gapName, outcomes, row, schemaOf, testsOf } from './placing-fixture.ts';

function place(thing: string, fact: string | null, relation: string, attribute: string | null = null): TestPlace {
  return { thing, fact, relation, attribute };
}

/** Where facts stand, as `Loan.lent on: Loan.loan_date`; gaps as `Loan.lent on: -`. */
function whereabouts(schema: Schema, tests: readonly RequirementTest[], given: readonly TestPlace[] = []): string[] {
  const { places, gaps } = placeTests(tests, schema, given);
  return [
    ...places
      .filter(({ fact }) => fact !== null)
      .map((one) => `${gapName({ ...one, reason: '' })}: ${one.relation}.${one.attribute}`),
    ...gaps.map((gap) => `${gapName(gap)}: -`),
  ];
}

describe('two references to one relation', () => {
  const sale = (...roles: readonly string[]) =>
    schemaOf({
      Person: { attributes: ['person_id NUMERIC', 'name'], key: ['person_id'] },
      Sale: {
        attributes: ['sale_id NUMERIC', ...roles.map((role) => `${role} NUMERIC`)],
        key: ['sale_id'],
        references: roles.map((role) => `${role} > Person: person_id`),
      },
    });
  const tests = testsOf([
    'event',
    row('Person a', { name: 'Ann' }),
    row('Person b', { name: 'Ann' }),
    row('Sale s', { buyer: '@a', seller: '@b' }),
  ]);

  test('each by its role, in any order', async () => {
    const schema = sale('seller_id', 'buyer_person_id');
    expect(whereabouts(schema, tests)).toEqual([
      'Person.name: Person.name',
      'Sale.buyer: Sale.buyer_person_id',
      'Sale.seller: Sale.seller_id',
    ]);
    expect(await outcomes(schema, tests)).toEqual(['passed']);
  });

  test('one that is lost is a gap, and no other one takes its place', () => {
    expect(whereabouts(sale('seller_id'), tests).slice(1)).toEqual(['Sale.seller: Sale.seller_id', 'Sale.buyer: -']);
    expect(whereabouts(sale('seller_id', 'agent_id'), tests).slice(1)).toEqual([
      'Sale.seller: Sale.seller_id',
      'Sale.buyer: -',
    ]);
    expect(whereabouts(sale('agent_id'), tests).slice(1)).toEqual(['Sale.buyer: -', 'Sale.seller: -']);
  });

  test('what a role says comes before names, but never twice', () => {
    const schema = sale('agent_id', 'party_id');
    const given = [place('sale', 'Buyer', 'Sale', 'agent_id'), place('sale', 'seller', 'Sale', 'party_id')];
    expect(whereabouts(schema, tests, given).slice(1)).toEqual([
      'Sale.buyer: Sale.agent_id',
      'Sale.seller: Sale.party_id',
    ]);
    const twice = [place('Sale', 'buyer', 'Sale', 'agent_id'), place('Sale', 'seller', 'Sale', 'agent_id')];
    const { gaps } = placeTests(tests, schema, twice);
    expect(gaps).toEqual([
      { thing: 'Sale', fact: 'seller', reason: expect.stringMatching(/"Sale\.agent_id" holds another fact/) },
    ]);
  });
});

describe('plain facts', () => {
  const LOAN = {
    Loan: { attributes: ['loan_id NUMERIC', 'loan_date DATETIME', 'borrower', 'page_count NUMERIC'], key: ['loan_id'] },
  };

  test('words that are only near must agree in type', () => {
    const tests = testsOf(['fact', row('Loan l', { 'borrowed on': '2026-03-01', 'pages count': 3 })]);
    expect(whereabouts(schemaOf(LOAN), tests)).toEqual(['Loan.pages count: Loan.page_count', 'Loan.borrowed on: -']);
  });

  test('what names do not tell a role tells; a place that is not there is ignored with notice', () => {
    const tests = testsOf(['fact', row('Loan l', { 'lent on': '2026-03-01' })]);
    expect(whereabouts(schemaOf(LOAN), tests)).toEqual(['Loan.lent on: -']);
    expect(whereabouts(schemaOf(LOAN), tests, [place('Loan', 'lent on', 'Loan', 'Loan Date')])).toEqual([
      'Loan.lent on: Loan.loan_date',
    ]);
    const { gaps } = placeTests(tests, schemaOf(LOAN), [place('Loan', 'lent on', 'Loan', 'lending_date')]);
    expect(gaps[0]?.reason).toMatch(
      /^The given place "Loan\.lending_date" is no attribute\. No free attribute of "Loan"/,
    );
  });

  test('two facts over all tests of a thing do not share an attribute', () => {
    const tests = testsOf(
      ['fact', row('Loan l', { 'loan date': '2026-03-01' })],
      ['fact', row('Loan l', { 'date of loan': '2026-03-01' })],
    );
    expect(whereabouts(schemaOf(LOAN), tests)).toEqual(['Loan.loan date: Loan.loan_date', 'Loan.date of loan: -']);
    const given = [place('Loan', 'date of loan', 'Loan', 'loan_date'), place('Loan', 'loan date', 'Loan', 'loan_date')];
    const { gaps } = placeTests(tests, schemaOf(LOAN), given);
    expect(gaps.map((gap) => [gapName(gap), gap.reason])).toEqual([
      ['Loan.date of loan', expect.stringMatching(/holds another fact of it/)],
    ]);
  });

  test('a fact that was lost is not found at another thing that has one of that name', () => {
    const schema = schemaOf({
      Customer: { attributes: ['customer_id NUMERIC', 'name'], key: ['customer_id'] },
      Project: {
        attributes: ['project_id NUMERIC', 'customer_id NUMERIC'],
        key: ['project_id'],
        references: ['customer_id > Customer: customer_id'],
      },
    });
    const tests = testsOf([
      'fact',
      row('Customer c', { name: 'Ann' }),
      row('Project p', { customer: '@c', name: 'X' }),
    ]);
    expect(whereabouts(schema, tests)).toContain('Project.name: -');
    const named = testsOf([
      'fact',
      row('Customer c', { name: 'Ann' }),
      row('Project p', { customer: '@c', 'customer name': 'Ann' }),
    ]);
    expect(whereabouts(schema, named)).toContain('Project.customer name: Customer.name');
  });

  test('a relation that nothing connects holds no fact of a thing', () => {
    const schema = schemaOf({ ...LOAN, Note: { attributes: ['note_id', 'text'], key: ['note_id'] } });
    const tests = testsOf(['fact', row('Loan l', { remark: 'late' })]);
    const { gaps } = placeTests(tests, schema, [place('Loan', 'remark', 'Note', 'text')]);
    expect(gaps[0]?.reason).toMatch(/"Note\.text" is not connected with "Loan"/);
  });
});

describe('references of other forms', () => {
  test('the other row refers to this one', async () => {
    const schema = schemaOf({
      Tour: { attributes: ['name'], key: ['name'] },
      Stop: { attributes: ['city', 'tour_name'], key: ['city'], references: ['tour_name > Tour: name'] },
    });
    const tests = testsOf([
      'event',
      row('Stop s', { city: 'Bern' }),
      row('Tour t', { name: 'Alps', stops: '@s' }),
      row('Tour t', { stops: null }),
      row('Tour u', { name: 'Lakes', stops: '@s' }),
    ]);
    expect(whereabouts(schema, tests)).toContain('Tour.stops: Stop.tour_name');
    expect(await outcomes(schema, tests)).toEqual(['passed']);
  });

  test('a foreign key that holds another fact does not hold this one the other way', () => {
    const schema = schemaOf({
      Department: { attributes: ['name', 'head'], key: ['name'], references: ['head > Employee: number'] },
      Employee: { attributes: ['number'], key: ['number'] },
    });
    const tests = testsOf([
      'fact',
      row('Department d', { name: 'IT' }),
      row('Employee e', { number: 'E1', department: '@d' }),
      row('Department d', { head: '@e' }),
    ]);
    expect(whereabouts(schema, tests)).toContain('Employee.department: -');
  });

  test('a text that holds what the other row is called', async () => {
    const schema = schemaOf({
      Author: { attributes: ['name'], key: ['name'] },
      Book: { attributes: ['title', 'author', 'publisher'], key: ['title', 'author'] },
    });
    const book = { title: 'Emma', author: '@a' };
    const tests = testsOf([
      'refusal',
      row('Author a', { name: 'Austen' }),
      row('Book b', book),
      row('Book c', { ...book, author: '@a' }),
    ]);
    expect(await outcomes(schema, tests)).toEqual(['passed']);
  });

  test('an author of a book by name alone stands behind a link relation', async () => {
    const schema = schemaOf({
      Book: { attributes: ['title'], key: ['title'] },
      Author: { attributes: ['author_id NUMERIC', 'name'], key: ['author_id'] },
      BookAuthor: {
        attributes: ['title', 'author_id NUMERIC'],
        key: ['title', 'author_id'],
        references: ['title > Book: title', 'author_id > Author: author_id'],
      },
    });
    const tests = testsOf(
      [
        'event',
        row('Book b', { title: 'Omens', authors: ['Pratchett', 'Gaiman'] }),
        row('Book c', { title: 'Mort', authors: 'Pratchett' }),
      ],
      ['refusal', row('Book b', { title: 'Omens', authors: 'Gaiman' }), row('Book b', { authors: 'Gaiman' })],
    );
    expect(await outcomes(schema, tests)).toEqual(['passed', 'passed']);
  });

  test('a row that refers to itself', async () => {
    const schema = schemaOf({
      Employee: {
        attributes: ['employee_id NUMERIC', 'name', 'manager_id NUMERIC'],
        key: ['employee_id'],
        references: ['manager_id > Employee: employee_id'],
      },
    });
    const tests = testsOf(['fact', row('Employee e', { name: 'Ann', manager: '@e' })]);
    expect(await outcomes(schema, tests)).toEqual(['passed']);
  });

  test('a fact beside two references belongs to the row that holds these', async () => {
    const schema = schemaOf({
      Student: { attributes: ['number'], key: ['number'] },
      Course: { attributes: ['title'], key: ['title'] },
      Attendance: {
        attributes: ['number', 'title', 'grade NUMERIC'],
        key: ['number', 'title'],
        references: ['number > Student: number', 'title > Course: title'],
      },
    });
    const tests = testsOf([
      'event',
      row('Student s', { number: '1' }),
      row('Course c', { title: 'Art' }),
      row('Course d', { title: 'Law' }),
      row('Student s', { course: '@c', grade: 2 }),
      row('Student s', { course: '@d', grade: 3 }),
    ]);
    expect(await outcomes(schema, tests)).toEqual(['passed']);
  });

  test('rows that belong to one row each get one each, where no test says which', async () => {
    const schema = schemaOf({
      Person: { attributes: ['name'], key: ['name'] },
      Passport: { attributes: ['person', 'number'], key: ['person'], references: ['person > Person: name'] },
    });
    const tests = testsOf([
      'fact',
      row('Person p', { name: 'Ann' }),
      row('Passport a', { number: '1' }),
      row('Passport b', { number: '2' }),
    ]);
    expect(await outcomes(schema, tests)).toEqual(['passed']);
  });

  test('a required reference to its own relation begins with itself', async () => {
    const schema = schemaOf(
      {
        Employee: {
          attributes: ['number', 'manager_number'],
          key: ['number'],
          references: ['manager_number > Employee: number'],
        },
      },
      'Employee.manager_number',
    );
    expect(await outcomes(schema, testsOf(['fact', row('Employee e', { number: 'E1' })]))).toEqual(['passed']);
  });
});

test('kinds of one thing may stand in one relation', async () => {
  const schema = schemaOf({ Person: { attributes: ['number', 'grade NUMERIC'], key: ['number'] } });
  const tests = testsOf(['fact', row('Student s', { number: '1', grade: 2 }), row('Teacher t', { number: '2' })]);
  const given = [place('Student', null, 'Person'), place('Teacher', null, 'Person')];
  expect(await outcomes(schema, tests)).toEqual(['no place: Student, Teacher']);
  expect(await outcomes(schema, tests, given)).toEqual(['passed']);
});
