import { AskemaError, compress, createCallContext, indexSchema } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { expect, test } from 'vitest';
import { createIntrospector, type MetadataSource } from './introspector.ts';
import { columnJson, type FakeClient, type FakeDataset, fakeClient } from './test-support/fake-client.ts';

const EVENT_COLUMNS = [
  columnJson('event_date', 'DATE', 1, { partitioning: 'YES', nullable: 'NO' }),
  columnJson('items', 'ARRAY<STRUCT<sku STRING, tags ARRAY<STRING>>>', 2),
  columnJson('id', 'INT64', 3, { clustering: '1', nullable: 'NO', default_expression: '0' }),
];

/** The shapes of the pages that `metadata-statements.ts` names; literals and times as BigQuery writes them. */
const SHOP: FakeDataset = {
  views: {
    TABLES: [
      ['event', 'BASE TABLE', null, '"What \\"happened\\"\\n"', 'true'],
      ['person', 'BASE TABLE', null, null, null],
      ['adults', 'VIEW', 'CREATE VIEW `p.shop.adults` AS SELECT 1 AS one', null, null],
      ['totals', 'MATERIALIZED VIEW', 'CREATE MATERIALIZED VIEW `p.shop.totals` AS SELECT 1 AS one', null, null],
      ['sheet', 'EXTERNAL', null, null, null],
      ['loaded', 'BASE TABLE', null, null, null],
    ],
    COLUMNS: [
      [JSON.stringify(EVENT_COLUMNS), '["event"]'],
      [JSON.stringify([columnJson('id', 'INT64', 1)]), '["person","adults","totals","sheet"]'],
      [
        JSON.stringify([
          columnJson('_PARTITIONTIME', 'TIMESTAMP', 2, { position: null, hidden: 'YES', partitioning: 'YES' }),
          columnJson('v', 'NUMERIC(10, 2)', 1),
        ]),
        '["loaded"]',
      ],
    ],
    COLUMN_FIELD_PATHS: [
      ['[{"path":"items","text":"the basket"},{"path":"items.sku","text":"stock keeping unit"}]', '["event"]'],
    ],
    TABLE_CONSTRAINTS: [
      ['event', 'PRIMARY KEY', 'event.pk$', 'id', 1, null, 'p', 'shop', 'event'],
      ['event', 'FOREIGN KEY', 'event.fk$1', 'id', 1, 1, 'p', 'shop', 'person'],
      ['person', 'PRIMARY KEY', 'person.pk$', 'id', 1, null, 'p', 'shop', 'person'],
    ],
    __TABLES__: [
      ['event', 12, 3_400],
      ['person', 0, 0],
    ],
  },
};

async function read(
  client: FakeClient,
  datasets: readonly { readonly project?: string; readonly dataset: string }[],
  metadata?: MetadataSource,
) {
  const introspector = createIntrospector({ client, name: 'p', datasets, metadata, timeoutMs: 10_000 });
  const catalog = await introspector.introspect({ context: createCallContext() });
  const index = indexSchema(catalog);
  const relation = (name: string) => {
    const id = index.relationsNamed(name)[0]?.id ?? '';
    const info = catalog.relations[id];
    if (info === undefined) throw new Error(`No relation ${name}`);
    return { id, info, columns: index.attributesOf(id).map((column) => column.name) };
  };
  const column = (table: string, name: string) => {
    const found = index.attributeNamed(relation(table).id, name);
    return { ...found, ...catalog.attributes[found?.id ?? ''] };
  };
  return { catalog, index, relation, column };
}

test('kinds, descriptions, definitions and counts of relations', async () => {
  const { relation } = await read(fakeClient({ 'p.shop': SHOP }), [{ project: 'p', dataset: 'shop' }]);
  expect(relation('event').info).toMatchObject({
    nameParts: { database: 'p', schema: 'shop', relation: 'event' },
    kind: 'table',
    comment: 'What "happened"\n',
    rowCount: 12,
    rowCountExact: true,
    byteCount: 3_400,
  });
  expect(relation('person').info.rowCount).toBe(0);
  expect(relation('adults').info).toMatchObject({ kind: 'view', definition: expect.stringContaining('AS SELECT 1') });
  expect(relation('adults').info.rowCount).toBeUndefined();
  expect(relation('totals').info.kind).toBe('materialized view');
  expect(relation('sheet').info.kind).toBe('external table');
});

test('nested fields have paths, types and descriptions', async () => {
  const { column } = await read(fakeClient({ 'p.shop': SHOP }), [{ project: 'p', dataset: 'shop' }]);
  expect(column('event', 'items')).toMatchObject({
    comment: 'the basket',
    nativeType: 'ARRAY<STRUCT<sku STRING, tags ARRAY<STRING>>>',
    nestedFields: [
      { path: ['[]'], nativeType: 'STRUCT<sku STRING, tags ARRAY<STRING>>' },
      { path: ['[]', 'sku'], nativeType: 'STRING', comment: 'stock keeping unit' },
      { path: ['[]', 'tags'], nativeType: 'ARRAY<STRING>' },
      { path: ['[]', 'tags', '[]'], nativeType: 'STRING' },
    ],
  });
  expect(column('event', 'id')).toMatchObject({ type: 'NUMERIC', defaultExpression: '0' });
  expect(column('event', 'event_date').defaultExpression).toBeUndefined();
});

test('partitions, required filters and the time of ingestion', async () => {
  const { relation, column, index } = await read(fakeClient({ 'p.shop': SHOP }), [{ project: 'p', dataset: 'shop' }]);
  const { info, columns } = relation('event');
  expect(info.partitioning).toMatchObject({ filterRequired: true, kind: 'partition' });
  expect(info.partitioning?.attributes.map((id) => index.attribute(id)?.name)).toEqual(['event_date']);
  expect(columns).toEqual(['event_date', 'items', 'id']);
  expect(relation('loaded').columns).toEqual(['v', '_PARTITIONTIME']);
  expect(relation('loaded').info.partitioning?.filterRequired).toBe(false);
  expect(column('loaded', '_PARTITIONTIME').comment).toContain('not part of *');
});

test('keys are informational', async () => {
  const { catalog, relation } = await read(fakeClient({ 'p.shop': SHOP }), [{ project: 'p', dataset: 'shop' }]);
  expect(catalog.schema.primaryKeys.map((key) => key.relation)).toContain(relation('event').id);
  expect(catalog.schema.foreignKeys).toMatchObject([{ relation: relation('event').id, target: relation('person').id }]);
  expect(new Set(Object.values(catalog.keyStanding))).toEqual(new Set(['informational']));
  expect(catalog.incomplete).toEqual([]);
});

test('five statements a dataset, whatever its size', async () => {
  const client = fakeClient({ 'p.shop': SHOP });
  await read(client, [{ project: 'p', dataset: 'shop' }]);
  expect([...client.calls].sort()).toEqual([
    'query COLUMNS',
    'query COLUMN_FIELD_PATHS',
    'query TABLES',
    'query TABLE_CONSTRAINTS',
    'query __TABLES__',
  ]);
});

const DAYS = Array.from({ length: 400 }, (_, day) => {
  const date = new Date(Date.UTC(2023, 0, 1 + day)).toISOString().slice(0, 10).replaceAll('-', '');
  return `events_${date}`;
});

const SHARDS: FakeDataset = {
  views: {
    TABLES: DAYS.map((name) => [name, 'BASE TABLE', null, null, 'true']),
    COLUMNS: [[JSON.stringify(EVENT_COLUMNS), JSON.stringify(DAYS)]],
    COLUMN_FIELD_PATHS: [],
    TABLE_CONSTRAINTS: [],
    __TABLES__: DAYS.map((name, index) => [name, index, index * 10]),
  },
};

test('shards by date are one family, and the prompt shows it once, with how to query it and its required filter', async () => {
  const { catalog, relation } = await read(fakeClient({ 'p.ga': SHARDS }), [{ project: 'p', dataset: 'ga' }]);
  expect(catalog.families).toMatchObject([{ pattern: 'events_*' }]);
  expect(catalog.families[0]?.members).toHaveLength(400);
  expect(relation('events_20230301').info.rowCount).toBe(59);
  const { text } = compress(catalog, { dialect: bigqueryDialect });
  expect(text).toMatchInlineSnapshot(`
    "-- {1..3,7} inside a name stands for one name with each of 1, 2, 3, 7. Dates count in days ({20160228..20160301}) or months ({201611..201702}). Write real names in SQL.

    CREATE TABLE p.ga.events_{20230101..20240204} ( -- 400 tables; one shard a date; several at once: FROM \`p.ga.events_*\` WHERE _TABLE_SUFFIX BETWEEN 'YYYYMMDD' AND 'YYYYMMDD'; partitioned by event_date; every query must filter on it
      event_date DATE NOT NULL,
      items ARRAY<STRUCT<sku STRING, tags ARRAY<STRING>>>,
      id INT64 NOT NULL
    );"
  `);
  expect(text.match(/event_date/gu)).toHaveLength(2);
});

test('a filter that only some shards need is said of all', async () => {
  const views = { ...SHARDS.views, TABLES: DAYS.map((name) => [name, 'BASE TABLE', null, '"Visits"', null]) };
  views.TABLES[399] = [DAYS[399] ?? '', 'BASE TABLE', null, null, 'true'];
  const { catalog } = await read(fakeClient({ 'p.ga': { views } }), [{ project: 'p', dataset: 'ga' }]);
  const { text } = compress(catalog, { dialect: bigqueryDialect });
  expect(text).toContain(
    "AND 'YYYYMMDD'; some shards need a filter on event_date; Visits; partitioned by event_date\n",
  );
});

test('a table of the same name but other columns is no member', async () => {
  const other = JSON.stringify([columnJson('unlike', 'STRING', 1)]);
  const views = {
    ...SHARDS.views,
    TABLES: [...(SHARDS.views?.TABLES ?? []), ['events_20220101', 'BASE TABLE', null, null, null]],
    COLUMNS: [...(SHARDS.views?.COLUMNS ?? []), [other, '["events_20220101"]']],
  };
  const { catalog, relation } = await read(fakeClient({ 'p.ga': { views } }), [{ project: 'p', dataset: 'ga' }]);
  expect(catalog.families[0]?.members).not.toContain(relation('events_20220101').id);
  expect(relation('events_20220101').info.comment).toBeUndefined();
});

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
