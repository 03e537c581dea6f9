import { AskemaError, createCallContext } from '@askema/core';
import { expect, test } from 'vitest';
import { createIntrospector } from './introspector.ts';
import { type FakeDataset, fakeClient } from './test-support/fake-client.ts';
import { read, SHOP } from './test-support/read-catalog.ts';

const REST: FakeDataset = {
  tables: [
    ...Array.from({ length: 1_000 }, (_, day) => {
      const date = new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', '');
      return {
        tableReference: { projectId: 'p', datasetId: 'rest', tableId: `ga_sessions_${date}` },
        type: 'TABLE',
        schema: { fields: [{ name: 'visits', type: 'INTEGER', mode: 'REQUIRED' }] },
        numRows: '5',
      };
    }),
    {
      tableReference: { projectId: 'p', datasetId: 'rest', tableId: 'order' },
      type: 'TABLE',
      description: 'All orders',
      numRows: '9007199254740',
      numBytes: '77',
      requirePartitionFilter: true,
      timePartitioning: { type: 'DAY', field: 'placed' },
      clustering: { fields: ['id'] },
      schema: {
        fields: [
          { name: 'id', type: 'INTEGER', mode: 'REQUIRED', description: 'the number' },
          { name: 'placed', type: 'TIMESTAMP' },
          { name: 'price', type: 'NUMERIC', precision: '10', scale: '2', defaultValueExpression: '0' },
          {
            name: 'lines',
            type: 'RECORD',
            mode: 'REPEATED',
            fields: [
              { name: 'sku', type: 'STRING', description: 'stock keeping unit' },
              { name: 'tags', type: 'STRING', mode: 'REPEATED' },
            ],
          },
        ],
      },
      tableConstraints: {
        primaryKey: { columns: ['id'] },
        foreignKeys: [
          {
            referencedTable: { projectId: 'p', datasetId: 'shop', tableId: 'person' },
            columnReferences: [{ referencingColumn: 'id', referencedColumn: 'id' }],
          },
        ],
      },
    },
    {
      tableReference: { projectId: 'p', datasetId: 'rest', tableId: 'seen' },
      type: 'VIEW',
      view: { query: 'SELECT 1 AS one' },
      timePartitioning: { type: 'DAY' },
      numRows: '0',
      schema: { fields: [{ name: 'one', type: 'INTEGER' }] },
    },
    { tableReference: { projectId: 'p', datasetId: 'rest', tableId: 'secret' }, type: 'TABLE' },
  ],
  deniedTables: ['secret'],
};

test('where INFORMATION_SCHEMA is denied, REST is asked: once for a thousand shards, ten at once at most', async () => {
  const client = fakeClient({ 'p.rest': REST, 'p.shop': SHOP });
  const { catalog, relation, column } = await read(client, [
    { project: 'p', dataset: 'rest' },
    { project: 'p', dataset: 'shop' },
  ]);
  const requests = client.calls.filter((call) => call.startsWith('get'));
  expect(requests).toEqual(['get ga_sessions_20220926', 'get order', 'get seen', 'get secret']);
  expect(client.calls.filter((call) => call === 'list')).toHaveLength(21);
  expect(catalog.families).toMatchObject([{ pattern: 'ga_sessions_*' }]);
  expect(catalog.families[0]?.members).toHaveLength(1_000);
  expect(relation('ga_sessions_20200101').columns).toEqual(['visits']);
  expect(relation('ga_sessions_20200101').info.rowCount).toBeUndefined();
  expect(relation('order').info).toMatchObject({
    comment: 'All orders',
    rowCount: 9_007_199_254_740,
    byteCount: 77,
    partitioning: { filterRequired: true, kind: 'partition' },
  });
  expect(column('order', 'price')).toMatchObject({ nativeType: 'NUMERIC(10, 2)', defaultExpression: '0' });
  expect(column('order', 'lines')).toMatchObject({
    nativeType: 'ARRAY<STRUCT<sku STRING, tags ARRAY<STRING>>>',
    nestedFields: [
      { path: ['[]'], nativeType: 'STRUCT<sku STRING, tags ARRAY<STRING>>' },
      { path: ['[]', 'sku'], nativeType: 'STRING', comment: 'stock keeping unit' },
      { path: ['[]', 'tags'], nativeType: 'ARRAY<STRING>' },
      { path: ['[]', 'tags', '[]'], nativeType: 'STRING' },
    ],
  });
  expect(relation('seen').info).toMatchObject({ kind: 'view', definition: 'SELECT 1 AS one' });
  expect(relation('seen').info.rowCount).toBeUndefined();
  expect(catalog.schema.foreignKeys.map(({ relation: from, target }) => [from, target])).toContainEqual([
    relation('order').id,
    relation('person').id,
  ]);
  expect(catalog.incomplete).toEqual([
    {
      subject: 'p.rest.ga_sessions_20220926',
      reason: expect.stringContaining('those of 999 older shards (from ga_sessions_20200101 on)'),
    },
    { subject: 'p.rest.ga_sessions_20220926', reason: expect.stringContaining('rows and bytes'), affects: 'counts' },
    { subject: 'p.rest.secret', reason: 'Access Denied: Table secret' },
  ]);
});

test('many tables that are no shards are asked for, ten at once', async () => {
  const tables = Array.from({ length: 40 }, (_, number) => ({
    tableReference: { projectId: 'p', datasetId: 'd', tableId: `t${number}x` },
    schema: { fields: [{ name: 'id', type: 'INTEGER' }] },
  }));
  const client = fakeClient({ 'p.d': { tables } });
  const { catalog } = await read(client, [{ project: 'p', dataset: 'd' }], 'rest');
  expect(catalog.schema.relations).toHaveLength(40);
  expect(client.mostAtOnce()).toBe(10);
  expect(client.calls.some((call) => call.startsWith('query'))).toBe(false);
});

test('where only keys are denied, REST gives them; what counts are missing is said', async () => {
  const { TABLE_CONSTRAINTS: _keys, __TABLES__: _counts, ...views } = SHOP.views ?? {};
  const alone = await read(fakeClient({ 'p.shop': { views } }), [{ project: 'p', dataset: 'shop' }]);
  expect(alone.catalog.incomplete.map(({ reason, affects }) => [reason.split(':')[0], affects])).toEqual([
    ['keys could not be read', 'structure'],
    ['rows and bytes could not be read', 'counts'],
  ]);
  expect(alone.catalog.schema.relations).toHaveLength(6);
  const { tables } = REST;
  const both = await read(fakeClient({ 'p.rest': { views, tables } }), [{ project: 'p', dataset: 'rest' }]);
  expect(both.catalog.schema.primaryKeys).toHaveLength(1);
});

test('one denied dataset is a gap; all of them are an error', async () => {
  const client = fakeClient({ 'p.shop': SHOP, 'other.closed': {} });
  const { catalog } = await read(client, [
    { project: 'p', dataset: 'shop' },
    { project: 'other', dataset: 'closed' },
    { project: 'other', dataset: 'missing' },
  ]);
  expect(catalog.schema.relations).toHaveLength(6);
  expect(catalog.incomplete).toEqual([
    { subject: 'other.closed', reason: 'Access Denied: Dataset other:closed' },
    { subject: 'other.missing', reason: 'Not found: Dataset other:missing' },
  ]);
  await expect(read(client, [{ project: 'other', dataset: 'closed' }])).rejects.toMatchObject({
    code: 'DATABASE_UNAVAILABLE',
  });
});

test('without datasets, all of the project that pays; without a project, there', async () => {
  const client = fakeClient({ 'payer.shop': SHOP, 'payer.rest': REST, 'other.shop': SHOP });
  const { catalog } = await read(client, []);
  expect(new Set(Object.values(catalog.relations).map(({ nameParts }) => nameParts.schema))).toEqual(
    new Set(['shop', 'rest']),
  );
  const one = await read(client, [{ dataset: 'shop' }]);
  expect(Object.values(one.catalog.relations)[0]?.nameParts.database).toBe('payer');
  await expect(read(fakeClient({}), [])).rejects.toMatchObject({ code: 'DATABASE_NOT_FOUND' });
});

test('an abort and a deadline end the reading', async () => {
  const client = fakeClient({ 'p.shop': SHOP });
  const never = { ...client, query: () => new Promise<never>(() => undefined) };
  const options = { client: never, name: 'p', datasets: [{ project: 'p', dataset: 'shop' }], timeoutMs: 20 };
  await expect(createIntrospector(options).introspect({ context: createCallContext() })).rejects.toMatchObject({
    code: 'QUERY_TIMEOUT',
  });
  const context = createCallContext({ signal: AbortSignal.abort() });
  await expect(createIntrospector(options).introspect({ context })).rejects.toMatchObject({ code: 'ABORTED' });
});

test('a closed adapter is no gap', async () => {
  const client = fakeClient({ 'p.shop': SHOP });
  const query: typeof client.query = async (sql, options) => {
    if (sql.includes('`q.')) throw new AskemaError('DATABASE_CLOSED', 'The adapter is closed.');
    return client.query(sql, options);
  };
  const datasets = [
    { project: 'p', dataset: 'shop' },
    { project: 'q', dataset: 'shop' },
  ];
  await expect(read({ ...client, query }, datasets)).rejects.toMatchObject({ code: 'DATABASE_CLOSED' });
});
