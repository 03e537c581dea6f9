import { type Dialect, indexSchema } from '@askema/core';
import { bigqueryDialect, duckdbDialect, postgresDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';
import { describe, expect, it } from 'vitest';
import { smallCatalog } from '../testing/small-database.ts';
import { describeQuery } from './describe.ts';
import type { Column, Predicate, Query, Source } from './query.ts';
import { writeSql } from './write-sql.ts';

const catalog = smallCatalog({
  dogs: ['dog_id number key', 'name text', 'mother_id number > dogs', 'age number'],
  dogs_2: ['id number key'],
  'Dog Show': ['show_id number key', 'dog_id number > dogs', 'Prize text'],
});
const index = indexSchema(catalog);
const dogs: Source = { relation: 'dogs' };
const column = (source: Source, attribute: string): Column => ({
  kind: 'column',
  source,
  attribute: `${source.relation}#${attribute}`,
});

const EMPTY = { select: [], distinct: false, joins: [], where: [], groupBy: [], having: [], orderBy: [] } as const;
const query = (changes: Partial<Query>): Query => ({ ...EMPTY, from: dogs, ...changes });
const write = (changes: Partial<Query>): string => writeSql(query(changes), { catalog, index, dialect: sqliteDialect });
const describeIt = (changes: Partial<Query>): string => describeQuery(query(changes), { catalog, index });

const where = (...predicates: Predicate[]): Partial<Query> => ({ select: [column(dogs, 'name')], where: predicates });

describe('dialects', () => {
  const total = { kind: 'aggregate', function: 'sum', argument: column(dogs, 'age') } as const;
  const most: Partial<Query> = {
    select: [column(dogs, 'name')],
    groupBy: [column(dogs, 'name')],
    orderBy: [{ expression: total, direction: 'descending' }],
    limit: 1,
  };
  const least: Partial<Query> = { ...most, orderBy: [{ expression: total, direction: 'ascending' }] };
  const count = { expression: { kind: 'count', distinct: false }, direction: 'descending' } as const;
  const on = (changes: Partial<Query>, dialect: Dialect): string =>
    writeSql(query(changes), { catalog, index, dialect });

  it('put what is unknown last wherever the engine would take it for the greatest or least', () => {
    expect(on(most, postgresDialect)).toMatch(/ORDER BY SUM\(age\) DESC NULLS LAST LIMIT 1$/);
    expect(on(least, postgresDialect)).toMatch(/ORDER BY SUM\(age\) LIMIT 1$/);
    expect(on(most, bigqueryDialect)).toMatch(/DESC LIMIT 1$/);
    expect(on(least, bigqueryDialect)).toMatch(/SUM\(age\) NULLS LAST LIMIT 1$/);
    expect(on(least, sqliteDialect)).toMatch(/SUM\(age\) NULLS LAST LIMIT 1$/);
    expect(on(most, duckdbDialect)).toMatch(/DESC LIMIT 1$/);
    expect(on(least, duckdbDialect)).toMatch(/SUM\(age\) LIMIT 1$/);
    expect(on({ ...most, orderBy: [count] }, snowflakeDialect)).toMatch(/COUNT\(\*\) DESC LIMIT 1$/);
  });

  it('look for a piece of text only in text', () => {
    const like: Predicate = { kind: 'like', column: column(dogs, 'name'), pattern: 'Re%', negated: false };
    const id = 'dogs#name';
    const uuid = { ...catalog, attributes: { ...catalog.attributes, [id]: { position: 2, nativeType: 'uuid' } } };
    const sql = writeSql(query(where(like)), { catalog: uuid, index, dialect: postgresDialect });
    expect(sql).toBe("SELECT name FROM dogs WHERE LOWER(CAST(name AS TEXT)) LIKE 're%'");
  });
});

describe('writeSql and describeQuery', () => {
  it('leave names of tables out while there is only one', () => {
    const select = [column(dogs, 'name'), { kind: 'count', distinct: false } as const];
    expect(write({ select, groupBy: [column(dogs, 'name')] })).toBe('SELECT name, COUNT(*) FROM dogs GROUP BY name');
    expect(describeIt({ select, groupBy: [column(dogs, 'name')] })).toBe('name, count of rows in dogs for each name');
  });

  it('give a table that is there twice a name of its own, also where that is taken', () => {
    const mother: Source = { relation: 'dogs' };
    const other: Source = { relation: 'dogs_2' };
    const joins = [
      { source: mother, on: [{ left: column(dogs, 'mother_id'), right: column(mother, 'dog_id') }] },
      { source: other, on: [{ left: column(dogs, 'dog_id'), right: column(other, 'id') }] },
    ];
    const select = [column(dogs, 'name'), column(mother, 'name')];
    expect(write({ select, joins })).toBe(
      'SELECT dogs.name, dogs_3.name FROM dogs JOIN dogs AS dogs_3 ON dogs.mother_id = dogs_3.dog_id JOIN dogs_2 ON dogs.dog_id = dogs_2.id',
    );
    expect(describeIt({ select, joins: joins.slice(0, 1) })).toBe(
      'dogs.name, dogs 2.name in dogs with its dogs 2 (by mother_id)',
    );
  });

  it.each<[string, Predicate, string, string]>([
    [
      'one value',
      { kind: 'in', column: column(dogs, 'name'), values: [{ kind: 'text', value: "O'Neil" }], negated: false },
      "name = 'O''Neil'",
      "name = 'O'Neil'",
    ],
    [
      'some values',
      {
        kind: 'in',
        column: column(dogs, 'age'),
        values: [
          { kind: 'number', value: 1 },
          { kind: 'number', value: 2.5 },
        ],
        negated: true,
      },
      'age NOT IN (1, 2.5)',
      'age is none of 1, 2.5',
    ],
    [
      'a beginning',
      { kind: 'like', column: column(dogs, 'name'), pattern: 'Re%', negated: false },
      "LOWER(name) LIKE 're%'",
      "name starts with 'Re'",
    ],
    [
      'a piece',
      { kind: 'like', column: column(dogs, 'name'), pattern: '%e%', negated: true },
      "LOWER(name) NOT LIKE '%e%'",
      "name not contains 'e'",
    ],
    ['nothing', { kind: 'null', column: column(dogs, 'age'), negated: false }, 'age IS NULL', 'age is empty'],
    [
      'a big number',
      { kind: 'compare', left: column(dogs, 'age'), comparison: '<', right: { kind: 'number', value: 1e21 } },
      'age < 1000000000000000000000',
      'age < 1e+21',
    ],
    [
      'a small number',
      { kind: 'compare', left: column(dogs, 'age'), comparison: '>', right: { kind: 'number', value: 1e-7 } },
      'age > 0.0000001',
      'age > 1e-7',
    ],
    [
      'truth',
      { kind: 'compare', left: column(dogs, 'age'), comparison: '=', right: { kind: 'bool', value: true } },
      'age = TRUE',
      'age = true',
    ],
    [
      'a choice',
      {
        kind: 'or',
        options: [
          [{ kind: 'null', column: column(dogs, 'age'), negated: false }],
          [{ kind: 'null', column: column(dogs, 'name'), negated: true }],
        ],
      },
      '(age IS NULL OR name IS NOT NULL)',
      '(age is empty or name is not empty)',
    ],
  ])('write %s', (_, predicate, sql, words) => {
    expect(write(where(predicate))).toBe(`SELECT name FROM dogs WHERE ${sql}`);
    expect(describeIt(where(predicate))).toBe(`name in dogs where ${words}`);
  });

  it('tie an inner SELECT to the outer row, and say so in words', () => {
    const show: Source = { relation: 'dog show' };
    const prize: Column = { kind: 'column', source: show, attribute: 'dog show#prize' };
    const tie: Predicate = {
      kind: 'compare',
      left: { kind: 'column', source: show, attribute: 'dog show#dog_id' },
      comparison: '=',
      right: column(dogs, 'dog_id'),
    };
    const won: Predicate = { kind: 'in', column: prize, values: [{ kind: 'text', value: 'cup' }], negated: false };
    const inner: Query = { ...EMPTY, from: show, where: [tie, won] };
    const changes = where({ kind: 'exists', query: inner, negated: true });
    expect(write(changes)).toBe(
      `SELECT dogs.name FROM dogs WHERE NOT EXISTS (SELECT 1 FROM "Dog Show" WHERE "Dog Show".dog_id = dogs.dog_id AND "Dog Show".Prize = 'cup')`,
    );
    expect(describeIt(changes)).toBe("name in dogs where there is no row for it in Dog Show where Prize = 'cup'");
  });

  it('sort, cut and list everything', () => {
    expect(
      write({ everythingOf: dogs, orderBy: [{ expression: column(dogs, 'age'), direction: 'descending' }], limit: 2 }),
    ).toBe('SELECT * FROM dogs ORDER BY age DESC LIMIT 2');
    const words = describeIt({
      everythingOf: dogs,
      orderBy: [{ expression: column(dogs, 'age'), direction: 'descending' }],
      limit: 1,
    });
    expect(words).toBe('all columns in dogs, sorted by age (greatest first), only the first row');
  });
});
