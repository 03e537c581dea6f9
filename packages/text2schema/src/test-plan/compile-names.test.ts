import { sqliteDialect } from '@askema/dialects';
import { describe, expect, test } from 'vitest';
import type { ConceptualModel } from '../model/conceptual-model.ts';
import { findPlace } from './compile-attribute.ts';
import { CompileProblem, compileGround } from './compile-ground.ts';
import { compileTarget } from './compile-target.ts';
import { foldWords, isWordForm } from './fold-words.ts';
import { designFixture } from './run-fixture.ts';

const CONCEPTUAL: ConceptualModel = {
  entitySets: [
    { name: 'Employee', attributes: ['Employee ID', 'Name'] },
    { name: 'Project', attributes: ['Code'] },
  ],
  relationshipSets: [
    {
      name: 'Manages',
      participants: [
        { entity: 'Employee', role: 'Manager', cardinality: 'one' },
        { entity: 'Employee', role: 'Report', cardinality: 'many' },
      ],
      attributes: ['Since'],
    },
    {
      name: 'Enrolls in',
      participants: [
        { entity: 'Employee', cardinality: 'many' },
        { entity: 'Project', cardinality: 'many' },
      ],
      attributes: [],
    },
  ],
};

const DESIGN = designFixture({
  Employee: {
    attributes: ['Employee ID NUMERIC', 'Name', 'Manager ID NUMERIC', 'Since DATETIME'],
    key: ['Employee ID'],
    references: ['Manager ID > Employee: Employee ID'],
    absorbed: ['Manages'],
  },
  Project: { attributes: ['Code', 'Lead NUMERIC'], key: ['Code'], references: ['Lead > Employee: Employee ID'] },
  'Enrolls in': {
    attributes: ['Employee ID NUMERIC', 'Code'],
    key: ['Employee ID', 'Code'],
    references: ['Employee ID > Employee: Employee ID', 'Code > Project: Code'],
    kind: 'relationship',
  },
  Follows: {
    attributes: ['Follower ID NUMERIC', 'Followee ID NUMERIC'],
    key: ['Follower ID', 'Followee ID'],
    references: ['Follower ID > Employee: Employee ID', 'Followee ID > Employee: Employee ID'],
    kind: 'relationship',
  },
});

const ground = compileGround(DESIGN, sqliteDialect, { conceptual: CONCEPTUAL });

function attributeNamed(target: string, name: string): string | undefined {
  const place = findPlace(ground, compileTarget(ground, target), name);
  return place === undefined ? undefined : `${place.kind} ${place.attribute.name}`;
}

describe('targets', () => {
  test.each([
    ['employees', 'Employee', undefined],
    ['MANAGES', 'Employee', 'Manages'],
    ['Project, Employee', 'Enrolls in', undefined],
    ['Employee and Project', 'Enrolls in', undefined],
    ['Enrollment', 'Enrolls in', undefined],
  ])('%s is %s', (name, main, relationship) => {
    const target = compileTarget(ground, name);
    expect([ground.index.relation(target.main)?.name, target.relationship]).toEqual([main, relationship]);
  });

  test('what goes beyond the spelling is said; what nothing is called is a problem with the nearest names', () => {
    expect(compileTarget(ground, 'Enrollment').notice).toContain('"Enrolls in"');
    expect(compileTarget(ground, 'employees').notice).toBeUndefined();
    expect(() => compileTarget(ground, 'Proyect')).toThrow(CompileProblem);
    expect(() => compileTarget(ground, 'Proyect')).toThrow('Did you mean `Project`');
    expect(() => compileTarget(ground, '')).toThrow(CompileProblem);
  });
});

test('targets that are meant alike are never chosen between; the exact spelling decides', () => {
  const twins = compileGround(
    designFixture({
      Order: { attributes: ['a'], key: ['a'] },
      orders: { attributes: ['a'], key: ['a'] },
      Lends: { attributes: ['a'], key: ['a'], kind: 'relationship' },
      Sells: { attributes: ['a'], key: ['a'], kind: 'relationship' },
    }),
    sqliteDialect,
    {
      conceptual: {
        entitySets: [],
        relationshipSets: ['Lends', 'Sells'].map((name) => ({
          name,
          attributes: [],
          participants: ['Shop', 'Book'].map((entity) => ({ entity, cardinality: 'many' as const })),
        })),
      },
    },
  );
  expect(compileTarget(twins, 'orders').main).toBe('orders');
  expect(() => compileTarget(twins, 'ORDER')).toThrow('may be any of "Order", "orders"');
  expect(() => compileTarget(twins, 'Book, Shop')).toThrow('may be any of "Lends", "Sells"');
});

describe('attributes', () => {
  test.each([
    ['Employee', 'employee-id', 'own Employee ID'],
    ['Employee', 'Employee Name', 'own Name'],
    ['Employee', 'Manager', 'own Manager ID'],
    ['Employee', 'Manager Employee ID', 'own Manager ID'],
    ['Manages', 'Report Employee ID', 'own Employee ID'],
    ['Manages', 'Manager Employee ID', 'own Manager ID'],
    ['Enrolls in', 'Project', 'own Code'],
    ['Enrolls in', 'Project Code', 'own Code'],
    ['Enrolls in', 'Employee', 'own Employee ID'],
    ['Enrolls in', 'Employee Name', 'referred Name'],
    ['Project', 'Employee ID', 'own Lead'],
    ['Follows', 'Follower Employee ID', 'own Follower ID'],
    ['Follows', 'followee', 'own Followee ID'],
    ['Employee', 'Salary', undefined],
  ])('%s: %s is %s', (target, name, expected) => {
    expect(attributeNamed(target, name)).toBe(expected);
  });

  test('two that are meant alike are never chosen between', () => {
    expect(() => attributeNamed('Follows', 'Employee ID')).toThrow('may be any of "Follower ID", "Followee ID"');
    expect(() => attributeNamed('Follows', 'Employee Name')).toThrow('several rows');
  });
});

test('spellings fold; words do not', () => {
  for (const [a, b] of [
    ['Order_Date', 'order date'],
    ['OrderDates', 'order-date'],
    ['Address1', 'address 1'],
    ['ＩＤ', 'id'],
    ['学生 编号', '学生编号'],
  ] as const)
    expect(foldWords(a), a).toBe(foldWords(b));
  for (const [a, b] of [
    ['Order', 'Date'],
    ['学生编号', '学生姓名'],
    ['?', '!'],
  ] as const)
    expect(foldWords(a), a).not.toBe(foldWords(b));
  expect([
    isWordForm('Enrollment', 'enrolls in'),
    isWordForm('Reservation', 'reserves'),
    isWordForm('Order', 'Ordinal'),
  ]).toEqual([true, true, false]);
});
