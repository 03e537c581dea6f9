import { createCallContext, indexSchema } from '@askema/core';
import { createIntrospector, type MetadataSource } from '../introspector.ts';
import { columnJson, type FakeClient, type FakeDataset } from './fake-client.ts';

export const EVENT_COLUMNS = [
  columnJson('event_date', 'DATE', 1, { partitioning: 'YES', nullable: 'NO' }),
  columnJson('items', 'ARRAY<STRUCT<sku STRING, tags ARRAY<STRING>>>', 2),
  columnJson('id', 'INT64', 3, { clustering: '1', nullable: 'NO', default_expression: '0' }),
];

/** The shapes of the pages that `metadata-statements.ts` names; literals and times as BigQuery writes them. */
export const SHOP: FakeDataset = {
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

/** Reads datasets as `createIntrospector` does; its parts are found by their names. */
export async function read(
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
