import { type Catalog, createCallContext, indexSchema } from '@askema/core';
import { expect, test } from 'vitest';
import { createIntrospector } from './introspector.ts';
import { answerFrom, column, type FakeAccount } from './test-support/fake-account.ts';
import { fakeSession, refusal } from './test-support/fake-session.ts';

const tag = (column: string, level: string, name: string, value: string) => ({
  COLUMN_NAME: column,
  LEVEL: level,
  TAG_DATABASE: 'GOVERNANCE',
  TAG_SCHEMA: 'TAGS',
  TAG_NAME: name,
  TAG_VALUE: value,
});

const ACCOUNT: FakeAccount = {
  SALES: {
    PUBLIC: {
      tables: [
        { name: 'CUSTOMERS', columns: [column('ID', 'NUMBER(38,0)'), column('name', 'TEXT(20)')] },
        { name: 'ORDERS', columns: [column('NO', 'NUMBER(38,0)')] },
      ],
      tags: {
        CUSTOMERS: [tag('name', 'COLUMN', 'PII', 'name')],
        ORDERS: [tag('NO', 'TABLE', 'TEAM', 'hr')],
      },
    },
  },
};

const introspect = (session: ReturnType<typeof fakeSession>, tags?: boolean) =>
  createIntrospector(session, { name: 'acme/SALES', timeoutMs: 10_000, nestedFields: 'off' }).introspect({
    tags,
    context: createCallContext(),
  });

/** Tags by the names of relations and columns. */
function tagsOf(catalog: Catalog): Readonly<Record<string, unknown>> {
  const index = indexSchema(catalog);
  const all = ['CUSTOMERS', 'ORDERS'].flatMap((name) => {
    const id = index.relationsNamed(name)[0]?.id ?? '';
    const columns = index.attributesOf(id).map((each) => [`${name}.${each.name}`, catalog.attributes[each.id]?.tags]);
    return [[name, catalog.relations[id]?.tags], ...columns];
  });
  return Object.fromEntries(all);
}

test('tags of columns and relations are read by both of their names', async () => {
  const both = (name: string, value: string) => [
    { name, value },
    { name: `GOVERNANCE.TAGS.${name}`, value },
  ];
  expect(tagsOf(await introspect(fakeSession(answerFrom(ACCOUNT)), true))).toEqual({
    CUSTOMERS: undefined,
    'CUSTOMERS.ID': undefined,
    'CUSTOMERS.name': both('PII', 'name'),
    ORDERS: both('TEAM', 'hr'),
    'ORDERS.NO': both('TEAM', 'hr'),
  });
});

test('they cost no statement where nobody asks', async () => {
  const session = fakeSession(answerFrom(ACCOUNT));
  await introspect(session);
  expect(session.sent.filter((sql) => sql.includes('TAG_REFERENCES'))).toEqual([]);
});

test('a relation whose tags may not be read is left out', async () => {
  const answer = answerFrom(ACCOUNT);
  const session = fakeSession((sql, parameters) => {
    if (sql.includes('TAG_REFERENCES') && String(parameters[0]).includes('CUSTOMERS'))
      throw refusal('002140', 'Unknown function TAG_REFERENCES_ALL_COLUMNS');
    return answer(sql, parameters);
  });
  const catalog = await introspect(session, true);
  expect(Object.values(catalog.relations).map(({ nameParts }) => nameParts.relation)).toEqual(['ORDERS']);
  expect(catalog.incomplete).toEqual([
    {
      subject: 'SALES.PUBLIC.CUSTOMERS',
      reason: expect.stringMatching(/left out.*tags may not be read.*Unknown function/),
    },
  ]);
});
