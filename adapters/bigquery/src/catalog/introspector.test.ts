import { bigqueryDialect } from '@askema/dialects';
import { compress } from '@askema/grounding';
import { expect, test } from 'vitest';
import { columnJson, type FakeDataset, fakeClient } from './test-support/fake-client.ts';
import { EVENT_COLUMNS, read, SHOP } from './test-support/read-catalog.ts';

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
    -- Relations under one pattern hold parts of one thing, each its own: UNION ALL those that a question is about.

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
