import { AskemaError, createCallContext, indexSchema } from '@askema/core';
import { describe, expect, test } from 'vitest';
import { createIntrospector } from './introspector.ts';
import { answerFrom, column, type FakeTable } from './test-support/fake-account.ts';
import { type FakeAnswer, fakeSession, refusal } from './test-support/fake-session.ts';

const events = (name: string, more: Partial<FakeTable> = {}): FakeTable => ({
  name,
  columns: [column('ID', 'NUMBER(38,0)'), column('BODY', 'VARIANT'), column('tags', 'ARRAY')],
  ...more,
});

const DOCUMENTS: FakeAnswer = [
  { DOCUMENT_0: '{"type":"click","at":{"x":1}}', DOCUMENT_1: '["a"]' },
  { DOCUMENT_0: null, DOCUMENT_1: null },
];

function introspect(tables: readonly FakeTable[], sample: (sql: string) => FakeAnswer | Promise<FakeAnswer>) {
  const answer = answerFrom({ SALES: { PUBLIC: { tables } } });
  const session = fakeSession((sql, parameters) =>
    sql.startsWith('SELECT LEFT(') ? sample(sql) : answer(sql, parameters),
  );
  const introspector = createIntrospector(session, { name: 'acme', timeoutMs: 10_000 });
  const samples = () => session.sent.filter((sql) => sql.startsWith('SELECT LEFT('));
  return { catalog: introspector.introspect({ context: createCallContext() }), samples, session };
}

const fieldsOf = async (catalog: ReturnType<typeof introspect>['catalog'], table: string) => {
  const read = await catalog;
  const index = indexSchema(read);
  const relation = index.relationsNamed(table)[0]?.id ?? '';
  return index
    .attributesOf(relation)
    .flatMap(({ id, name }) =>
      (read.attributes[id]?.nestedFields ?? []).map(
        ({ path, nativeType }) => `${name}:${path.join('.')} ${nativeType}`,
      ),
    );
};

describe('fields of nested columns', () => {
  test('come from a few rows of a table, all columns at once', async () => {
    const { catalog, samples } = introspect([events('EVENTS')], () => DOCUMENTS);
    expect(await fieldsOf(catalog, 'EVENTS')).toEqual([
      'BODY:type VARCHAR',
      'BODY:at OBJECT',
      'BODY:at.x NUMBER',
      'tags:[] VARCHAR',
    ]);
    expect(samples()).toEqual([
      'SELECT LEFT(TO_JSON("BODY"), 16384) AS DOCUMENT_0, LEFT(TO_JSON("tags"), 16384) AS DOCUMENT_1 FROM "SALES"."PUBLIC"."EVENTS" LIMIT 100',
    ]);
  });

  test('one of many shards is looked at; views and empty tables are not', async () => {
    const shards = [20240101, 20240102, 20240103].map((day) => events(`EVENTS_${day}`));
    const { catalog, samples } = introspect(
      [...shards, events('V', { definition: 'SELECT 1' }), events('EMPTY', { view: { ROW_COUNT: 0 } })],
      () => DOCUMENTS,
    );
    expect(await fieldsOf(catalog, 'EVENTS_20240103')).toHaveLength(4);
    expect(await fieldsOf(catalog, 'V')).toEqual([]);
    expect(samples()).toHaveLength(1);
    expect((await catalog).incomplete).toEqual([]);
  });

  test('a refusal is a gap; many are one', async () => {
    const denied = (): never => {
      throw refusal('000606', 'No active warehouse selected in the current session.');
    };
    const one = await introspect([events('EVENTS')], denied).catalog;
    expect(one.incomplete).toEqual([
      { subject: 'SALES.PUBLIC.EVENTS', reason: expect.stringContaining('No active warehouse') },
    ]);
    const tables = Array.from({ length: 30 }, (_, at) =>
      events(`${String.fromCharCode(65 + (at % 26))}${'X'.repeat(at)}`),
    );
    const many = await introspect(tables, denied).catalog;
    expect(many.schema.relations).toHaveLength(30);
    expect(many.incomplete).toEqual([
      { subject: 'catalog', reason: expect.stringMatching(/of 30 tables .*warehouse/) },
    ]);
  });

  test('a lost connection ends the introspection', async () => {
    const { catalog } = introspect([events('EVENTS')], () => {
      throw new AskemaError('DATABASE_UNAVAILABLE', 'The connection is lost.');
    });
    await expect(catalog).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
  });

  test('the time of all ends it as a timeout, not as a gap', async () => {
    const answer = answerFrom({ SALES: { PUBLIC: { tables: [events('EVENTS')] } } });
    const session = fakeSession((sql, parameters) =>
      sql.startsWith('SELECT LEFT(') ? new Promise(() => undefined) : answer(sql, parameters),
    );
    const introspector = createIntrospector(session, { name: 'acme', timeoutMs: 300 });
    await expect(introspector.introspect({ context: createCallContext() })).rejects.toMatchObject({
      code: 'QUERY_TIMEOUT',
    });
  });
});
