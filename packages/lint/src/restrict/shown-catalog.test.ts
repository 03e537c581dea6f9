import { buildCatalog } from '@askema/core';
import { mariadbDialect } from '@askema/dialects';
import { createSqlParser } from '@askema/sql-parser';
import { afterAll, expect, test } from 'vitest';
import { restrict } from './restrict.ts';
import { fakeShop } from './test-support/fake-shop.ts';

const parser = createSqlParser();
afterAll(() => parser.close());

test('no text of a relation tells of its hidden columns: not by a name that others have, in other letters or with a quote in it', async () => {
  const column = (name: string, comment?: string, defaultExpression?: string) => ({
    ...{ name, nativeType: 'varchar(9)', comment, defaultExpression },
  });
  const catalog = buildCatalog({
    dialect: mariadbDialect,
    name: 'shop',
    relations: [
      { nameParts: { relation: 'leads' }, kind: 'table', attributes: [column('grade', 'the grade of a lead')] },
      {
        nameParts: { relation: 'person' },
        kind: 'table',
        comment: 'grade is A or B',
        attributes: [
          column('id'),
          column('grade'),
          column('privé'),
          column('a`b'),
          column('note', 'voir PRIVÉ'),
          column('copy', undefined, '(`a``b` + 1)'),
        ],
        checks: ["`grade` in ('A','B')", '`a``b` > 7', "`note` <> ''"],
      },
    ],
  });
  const shown = await restrict(
    { ...fakeShop(), dialect: mariadbDialect, introspector: { introspect: async () => catalog } },
    { hide: ['person.grade', 'person.privé', 'person.a`b'], parser },
  ).introspect();
  expect(shown.schema.attributes.map(({ relation, name }) => `${relation}.${name}`)).toEqual([
    'leads.grade',
    'person.id',
    'person.note',
  ]);
  expect(shown.checks.map(({ expression }) => expression)).toEqual(["`note` <> ''"]);
  expect(shown.relations.person?.comment).toBeUndefined();
  expect(shown.attributes['person#note']?.comment).toBeUndefined();
  expect(shown.attributes['leads#grade']?.comment).toBe('the grade of a lead');
});

test.each(['a-b', '*-b', '"a-b"', 'a.b+c'])(
  'a pattern with signs that a regular expression knows: %s',
  async (hide) => {
    const column = (name: string) => ({ name, nativeType: 'int', notNull: false });
    const [relation, name] = [hide.includes('+') ? 'a' : 'a-b', hide.includes('+') ? 'b+c' : 'x'];
    const catalog = buildCatalog({
      dialect: mariadbDialect,
      name: 'shop',
      relations: [
        { nameParts: { relation }, kind: 'table', attributes: [column(name), column('bbc')] },
        { nameParts: { relation: 'axb' }, kind: 'table', attributes: [column('x')] },
      ],
    });
    const spec = { ...fakeShop(), dialect: mariadbDialect, introspector: { introspect: async () => catalog } };
    const shown = await restrict(spec, { hide: [hide], parser }).introspect();
    expect(shown.schema.attributes.map((one) => `${one.relation}.${one.name}`)).toEqual(
      hide.includes('+') ? ['a.bbc', 'axb.x'] : ['axb.x'],
    );
  },
);
