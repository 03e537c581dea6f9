import { type AdapterSpec, type Catalog, finishCatalog, type PlanVerdict } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { createSqlParser } from '@askema/sql-parser';
import { catalogFixture, schemaFixture } from '@askema/testkit';
import { afterAll, describe, expect, test } from 'vitest';
import { restrict } from './restrict.ts';

const parser = createSqlParser();
afterAll(() => parser.close());

const { fingerprint: _, ...SHOP } = catalogFixture(
  schemaFixture({
    users: { attributes: ['id NUMERIC', 'name TEXT', 'ssn TEXT', 'email TEXT'] },
    orders: { attributes: ['id NUMERIC', 'user_id NUMERIC', 'total NUMERIC'] },
  }),
  { dialect: 'sqlite' },
);
const idOf = (relation: string, column: string): string =>
  SHOP.schema.attributes.find((one) => one.relation === relation && one.name === column)?.id ?? '';
const TAGGED: Catalog = finishCatalog({
  ...SHOP,
  relations: {
    ...SHOP.relations,
    orders: { ...orThrow(SHOP.relations.orders), tags: [{ name: 'team', value: 'hr' }] },
  },
  attributes: {
    ...SHOP.attributes,
    [idOf('users', 'ssn')]: { ...orThrow(SHOP.attributes[idOf('users', 'ssn')]), tags: [{ name: 'tax/2/PII' }] },
  },
});

function orThrow<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('The fixture lacks it.');
  return value;
}

/** Its engine says what a statement reads, whatever the statement is. */
function fake(plan: Partial<PlanVerdict> = {}, readsTags = true): AdapterSpec {
  return {
    contract: 1,
    dialect: sqliteDialect,
    name: 'shop',
    access: 'read',
    executor: {
      async *execute() {
        yield { type: 'columns', columns: [{ name: 'n', nativeType: '', type: 'NUMERIC' }] };
        yield { type: 'end' };
      },
    },
    introspector: {
      introspect: async ({ tags }) => (tags === true && readsTags ? TAGGED : finishCatalog(SHOP)),
    },
    planner: { check: async () => ({ verdict: 'ok', ...plan }) },
    close: async () => undefined,
  };
}

const SQL = 'SELECT total FROM orders';

describe('the engine is asked after our parser', () => {
  const run = (plan: Partial<PlanVerdict>, sql = SQL) =>
    restrict(fake(plan), { hide: ['users.ssn'], mask: ['users.email'], parser }).query(sql);
  const reads = (relation: string, ...columns: readonly string[]) => ({
    reads: [{ nameParts: { relation }, columns }],
  });

  test.each([
    ['a relation of which something is kept back', reads('users')],
    ['a relation that is not in the catalog', reads('sqlite_schema')],
    ['a hidden column', reads('users', 'ssn')],
    ['a function of a user', { routines: ['length(integer)'] }],
  ])('it refuses a statement that reads %s', async (_what, plan) => {
    await expect(run(plan)).rejects.toMatchObject({
      code: 'QUERY_REFUSED',
      message: expect.not.stringMatching(/ssn|users/),
    });
  });

  test('what the text names may be read, and no column of it that the text does not name', async () => {
    const name = 'SELECT name FROM users';
    await expect(run(reads('users', 'name', 'id'), name)).resolves.toBeDefined();
    await expect(run(reads('users', 'email'), name)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    await expect(run(reads('users', '*'), name)).rejects.toMatchObject({ code: 'QUERY_REFUSED' });
    await expect(run(reads('users', 'email'), 'SELECT COUNT(email) FROM users')).resolves.toBeDefined();
    await expect(run({ verdict: 'unknown' })).resolves.toBeDefined();
  });

  test('what the engine does not plan is not run, and keeps its error', async () => {
    const error = { message: 'no such function: f', details: { code: 'QUERY_FAILED', errorClass: 'function' } };
    await expect(run({ verdict: 'invalid', error })).rejects.toMatchObject({
      code: 'QUERY_FAILED',
      message: 'no such function: f',
      details: { errorClass: 'function' },
    });
    await expect(run({ verdict: 'invalid', error: { message: 'try ssn' } })).rejects.toMatchObject({
      message: expect.not.stringContaining('ssn'),
    });
  });
});

describe('patterns by tag', () => {
  const namesWith = async (hide: readonly string[]): Promise<readonly string[]> => {
    const { schema } = await restrict(fake(), { hide, parser }).introspect();
    return schema.attributes.map(({ relation, name }) => `${relation}.${name}`);
  };

  test('hide what has the tag, with or without its value, and show no tags', async () => {
    expect(await namesWith(['tag:*/pii'])).not.toContain('users.ssn');
    expect(await namesWith(['tag:*/pii'])).toContain('users.name');
    expect((await namesWith(['tag:team=HR'])).filter((name) => name.startsWith('orders'))).toEqual([]);
    expect(await namesWith(['tag:team'])).toEqual(['users.id', 'users.name', 'users.ssn', 'users.email']);
    expect(JSON.stringify(await restrict(fake(), { mask: ['tag:*/pii'], parser }).introspect())).not.toContain('tax/2');
  });

  test.each([['tag:pii'], ['tag:team=sales']])('%s, which nothing has, is an error', async (pattern) => {
    await expect(namesWith([pattern])).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('there are tax/2/PII, team'),
    });
  });

  test('an adapter that reads no tags is an error', async () => {
    await expect(restrict(fake({}, false), { hide: ['tag:pii'], parser }).introspect()).rejects.toMatchObject({
      code: 'CONFIG_INVALID',
      message: expect.stringContaining('does not read them'),
    });
  });
});
