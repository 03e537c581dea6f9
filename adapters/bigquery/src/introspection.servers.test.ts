import { indexSchema, resolveAdapter } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { compress } from '@askema/grounding';
import { scriptedModel } from '@askema/testkit';
import { createText2Sql, plain } from '@askema/text2sql';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bigquery } from './bigquery.ts';
import type { MetadataSource } from './catalog/introspector.ts';
import { type BigQueryLocal, startBigQueryLocal } from './test-support/bigquery-local.ts';

const PROJECT = 'askema-test';
let server: BigQueryLocal;

beforeAll(async () => {
  server = await startBigQueryLocal();
  for (const dataset of ['analytics', 'shop'])
    await server.request(PROJECT, '/datasets', 'POST', {
      datasetReference: { projectId: PROJECT, datasetId: dataset },
    });
  const table = async (dataset: string, tableId: string, rest: object, rows: readonly object[]) => {
    await server.request(PROJECT, `/datasets/${dataset}/tables`, 'POST', {
      tableReference: { projectId: PROJECT, datasetId: dataset, tableId },
      ...rest,
    });
    if (rows.length > 0)
      await server.request(PROJECT, `/datasets/${dataset}/tables/${tableId}/insertAll`, 'POST', {
        rows: rows.map((json) => ({ json })),
      });
  };
  for (const day of ['20240101', '20240102', '20240103'])
    await table('analytics', `events_${day}`, { schema: { fields: EVENT_FIELDS }, description: 'What "happened"' }, [
      { user: `u${day}`, params: [{ key: 'page', value: { text: 'home' } }] },
    ]);
  await table(
    'shop',
    'orders',
    {
      schema: {
        fields: [
          { name: 'id', type: 'INTEGER', mode: 'REQUIRED' },
          { name: 'city', type: 'STRING' },
        ],
      },
      timePartitioning: { type: 'DAY' },
      clustering: { fields: ['city'] },
    },
    [
      { id: 1, city: 'Łódź' },
      { id: 2, city: 'Kyoto' },
      { id: 3, city: 'Kyoto' },
    ],
  );
}, 120_000);

afterAll(() => server?.stop());

const EVENT_FIELDS = [
  { name: 'user', type: 'STRING', description: 'who' },
  {
    name: 'params',
    type: 'RECORD',
    mode: 'REPEATED',
    fields: [
      { name: 'key', type: 'STRING', description: 'what it is' },
      { name: 'value', type: 'RECORD', fields: [{ name: 'text', type: 'STRING' }] },
    ],
  },
];

function open(metadata: MetadataSource, datasets: readonly string[] = []) {
  return resolveAdapter(bigquery({ projectId: PROJECT, apiEndpoint: server.url, metadata, datasets }));
}

test.each(['information-schema', 'rest', 'auto'] as const)(
  'nested fields, shards and two datasets by %s',
  async (metadata) => {
    const adapter = open(metadata);
    try {
      const catalog = await adapter.introspect();
      const index = indexSchema(catalog);
      expect(
        catalog.schema.relations.map(({ id }) => Object.values(catalog.relations[id]?.nameParts ?? {})).sort(),
      ).toEqual([
        [PROJECT, 'analytics', 'events_20240101'],
        [PROJECT, 'analytics', 'events_20240102'],
        [PROJECT, 'analytics', 'events_20240103'],
        [PROJECT, 'shop', 'orders'],
      ]);
      expect(catalog.families).toMatchObject([{ pattern: 'events_*', members: { length: 3 } }]);
      const event = index.relationsNamed('events_20240103')[0]?.id ?? '';
      expect(catalog.relations[event]?.comment).toContain('; What "happened"');
      const params = index.attributeNamed(event, 'params')?.id ?? '';
      expect(catalog.attributes[params]).toMatchObject({
        nativeType: 'ARRAY<STRUCT<key STRING, value STRUCT<text STRING>>>',
        nestedFields: [
          { path: ['[]'], nativeType: 'STRUCT<key STRING, value STRUCT<text STRING>>' },
          { path: ['[]', 'key'], nativeType: 'STRING', comment: 'what it is' },
          { path: ['[]', 'value'], nativeType: 'STRUCT<text STRING>' },
          { path: ['[]', 'value', 'text'], nativeType: 'STRING' },
        ],
      });
      const { text } = compress(catalog, { dialect: bigqueryDialect });
      expect(text).toContain(`FROM \`${PROJECT}.analytics.events_*\` WHERE _TABLE_SUFFIX BETWEEN`);
      // What the stand-in does not have (keys, counts) is said, and nothing else is missing.
      const gaps = catalog.incomplete.map(({ reason }) => reason.replace(/:.*$/su, ''));
      if (metadata === 'information-schema')
        expect(new Set(gaps)).toEqual(new Set(['keys could not be read', 'rows and bytes could not be read']));
      else expect(gaps.filter((reason) => !reason.includes('older shards'))).toEqual([]);
    } finally {
      await adapter.close();
    }
  },
  60_000,
);

test('the wildcard that the comment of a family names is a query', async () => {
  const adapter = open('rest', ['analytics']);
  try {
    const sql = `SELECT COUNT(*) FROM \`${PROJECT}.analytics.events_*\` WHERE _TABLE_SUFFIX BETWEEN '20240102' AND '20240103'`;
    expect((await adapter.query(sql)).rows).toEqual([[2]]);
  } finally {
    await adapter.close();
  }
});

test('the plain flow answers a question', async () => {
  const adapter = open('rest', ['shop']);
  try {
    const sql = `SELECT city, COUNT(*) AS n FROM \`${PROJECT}.shop.orders\` GROUP BY city ORDER BY n DESC, city`;
    const model = scriptedModel([{ json: { outcome: 'sql', sql, explanation: 'counted', not_understood: [] } }]);
    const outcome = await createText2Sql({ adapter, model, flow: plain() }).ask('How many orders has each city?');
    if (outcome.type === 'failed') throw outcome.error;
    expect(outcome).toMatchObject({
      type: 'answered',
      sql,
      result: {
        rows: [
          ['Kyoto', 2],
          ['Łódź', 1],
        ],
      },
    });
  } finally {
    await adapter.close();
  }
});
