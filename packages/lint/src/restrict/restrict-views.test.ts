import { type Catalog, finishCatalog } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { createSqlParser } from '@askema/sql-parser';
import { afterAll, describe, expect, test } from 'vitest';
import { restrict } from './restrict.ts';
import { fakeShop, idOf, orThrow, SHOP } from './test-support/fake-shop.ts';

const parser = createSqlParser();
afterAll(() => parser.close());

describe('views that the adapter looks up with a plan', () => {
  const catalog = (definition: string | undefined): Catalog =>
    finishCatalog({
      ...SHOP,
      schema: {
        ...SHOP.schema,
        relations: [...SHOP.schema.relations, { id: 'people', name: 'people' }],
        attributes: [...SHOP.schema.attributes, { id: 'people.name', relation: 'people', name: 'name', type: 'TEXT' }],
      },
      relations: {
        ...SHOP.relations,
        people: { ...orThrow(SHOP.relations.users), kind: 'view', nameParts: { relation: 'people' }, definition },
      },
      attributes: { ...SHOP.attributes, 'people.name': orThrow(SHOP.attributes[idOf('users', 'name')]) },
    } as Parameters<typeof finishCatalog>[0]);
  const ask = (told: string | undefined, now: string | undefined) => {
    const inner = fakeShop();
    return restrict(
      {
        ...inner,
        dialect: { ...sqliteDialect, probes: {} },
        introspector: { introspect: async () => catalog(told) },
        planner: {
          check: async (sql, { views }) => ({
            verdict: 'ok',
            ...(views === true && sql.includes('people')
              ? { views: [{ nameParts: { relation: 'people' }, definition: now }] }
              : {}),
          }),
        },
      },
      { hide: ['users.ssn'], mask: ['users.email'], parser },
    ).query('SELECT name FROM people');
  };
  const NAMES = 'CREATE VIEW people AS SELECT name FROM users';

  test('one that reads nothing that is kept back is read, also where it was replaced by such a one', async () => {
    await expect(ask(NAMES, NAMES)).resolves.toBeDefined();
    await expect(ask(NAMES, 'SELECT UPPER(name) AS name FROM users')).resolves.toBeDefined();
  });

  test.each([
    ['a hidden column', 'CREATE VIEW people AS SELECT ssn AS name FROM users'],
    ['a masked column', 'SELECT email AS name FROM users'],
    ['a star', 'SELECT * FROM users'],
    ['a function that is not known', 'SELECT read_file(name) AS name FROM users'],
    ['what the database no longer tells', undefined],
  ])('one that reads %s since the catalog was read is refused', async (_what, now) => {
    await expect(ask(NAMES, now)).rejects.toMatchObject({
      code: 'QUERY_REFUSED',
      message: expect.not.stringMatching(/ssn|email/),
    });
  });

  test('of one whose definition is not told the refusal says so', async () => {
    await expect(ask(undefined, undefined)).rejects.toMatchObject({
      code: 'QUERY_REFUSED',
      message: expect.stringContaining('"people" is a view, the database does not tell its definition'),
    });
    await expect(ask('SELECT ssn AS name FROM users', undefined)).rejects.toMatchObject({
      message: expect.stringContaining('is not among the relations and columns that may be read here'),
    });
  });
});
