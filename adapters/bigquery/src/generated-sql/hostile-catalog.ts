import { buildCatalog, type Catalog, type DraftAttribute } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { markShards } from '../catalog/date-shards.ts';
import { nestedFieldsOf } from '../catalog/type-text.ts';

/** Names that break what is glued together without quoting. Those of relations have no dots and backticks: BigQuery has none there. */
const COLUMN_NAMES = [
  'select',
  'Group By',
  "it's",
  'we"ird',
  'back`tick',
  'back\\slash',
  'größe',
  '表',
  'new\nline',
  '; DROP TABLE x; --',
  '1st',
  'hash',
];
const TABLE_NAMES = ['select', 'Order Lines', 'größe-1', "it's", 'x--y', '#hash'];

const TYPES = {
  i: 'INT64',
  n: 'NUMERIC(10, 2)',
  big: 'BIGNUMERIC',
  f: 'FLOAT64',
  s: 'STRING',
  s10: 'STRING(10)',
  b: 'BOOL',
  bytes: 'BYTES',
  d: 'DATE',
  dt: 'DATETIME',
  t: 'TIME',
  ts: 'TIMESTAMP',
  j: 'JSON',
  g: 'GEOGRAPHY',
  iv: 'INTERVAL',
  r: 'RANGE<DATE>',
  tags: 'ARRAY<STRING>',
  address: 'STRUCT<city STRING, geo STRUCT<lat FLOAT64, long FLOAT64>>',
  items: 'ARRAY<STRUCT<sku STRING, parts ARRAY<STRUCT<n INT64>>>>',
};

function attribute(name: string, nativeType: string, notNull = false): DraftAttribute {
  const nestedFields = nestedFieldsOf(nativeType);
  return { name, nativeType, notNull, ...(nestedFields.length > 0 ? { nestedFields } : {}) };
}

const KINDS = Object.entries(TYPES).map(([name, type]) => attribute(name, type));

/** Every type, hostile names, a family of shards, keys of one and of two columns, a required filter, two projects. */
export function hostileCatalog(): Catalog {
  const place = { database: 'my-project', schema: 'shop' };
  const shards = ['20240101', '20240102', '20240103'].map((day) => ({
    nameParts: { ...place, relation: `events_${day}` },
    kind: 'table' as const,
    rowCount: 50,
    attributes: [attribute('user', 'STRING'), attribute('params', TYPES.items), attribute('at', 'TIMESTAMP')],
  }));
  return buildCatalog({
    dialect: bigqueryDialect,
    name: 'my-project.shop',
    relations: [
      {
        nameParts: { ...place, relation: 'kinds' },
        kind: 'table',
        rowCount: 100,
        attributes: KINDS,
        primaryKey: ['i'],
        keyStanding: 'informational',
      },
      {
        nameParts: { ...place, relation: 'pairs' },
        kind: 'table',
        rowCount: 100,
        attributes: [
          attribute('a', 'INT64', true),
          attribute('b', 'STRING', true),
          attribute('kind', 'INT64'),
          attribute('note', 'STRING'),
        ],
        primaryKey: ['a', 'b'],
        foreignKeys: [{ attributes: ['kind'], target: { ...place, relation: 'kinds' } }],
        keyStanding: 'informational',
      },
      {
        nameParts: { ...place, relation: 'uses' },
        kind: 'table',
        rowCount: 100,
        attributes: [attribute('pair_a', 'INT64'), attribute('pair_b', 'STRING'), attribute('kinds_id', 'INT64')],
        foreignKeys: [{ attributes: ['pair_a', 'pair_b'], target: { ...place, relation: 'pairs' } }],
        keyStanding: 'informational',
      },
      {
        nameParts: { ...place, relation: 'filtered' },
        kind: 'table',
        rowCount: 100,
        attributes: [attribute('day', 'DATE'), attribute('name', 'STRING')],
        partitioning: { attributes: ['day'], filterRequired: true, kind: 'partition' },
      },
      ...TABLE_NAMES.map((relation) => ({
        nameParts: { database: 'other-project', schema: 'odd', relation },
        kind: 'table' as const,
        rowCount: 10,
        attributes: COLUMN_NAMES.map((name, index) => attribute(name, index % 2 === 0 ? 'STRING' : 'INT64')),
      })),
      ...markShards(shards),
    ],
  });
}
