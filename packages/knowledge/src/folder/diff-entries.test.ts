import { describe, expect, it } from 'vitest';
import type { Knowledge } from '../model/knowledge.ts';
import { listEntries } from '../model/list-entries.ts';
import type { Metric } from '../model/semantic-model.ts';
import { diffEntries } from './diff-entries.ts';

const standing = { state: 'accepted' as const, source: 'file', place: { file: 'models/shop.ossie.yaml' } };

function shop(metrics: readonly Metric[]): Knowledge {
  const field = { name: 'state', expressions: [], values: [], extensions: [] };
  const dataset = { name: 'orders', source: 'orders', primaryKey: [], uniqueKeys: [], fields: [field], extensions: [] };
  return {
    schemaVersion: 1,
    settings: {},
    verifiedQueries: [],
    texts: [],
    problems: [],
    models: [
      {
        name: 'shop',
        datasets: [{ ...dataset, standing }],
        relationships: [],
        metrics,
        filters: [],
        extensions: [],
        standing,
      },
    ],
  };
}

const metric = (name: string, expression: string, filter?: string): Metric => ({
  name,
  definition: { kind: 'aggregate', expressions: [{ dialect: 'ANSI_SQL', expression }], filter },
  extensions: [],
  standing,
});

describe('diffEntries', () => {
  it('says what was added, what was removed and which parts changed', () => {
    const before = listEntries(shop([metric('revenue', 'SUM(a)'), metric('gone', 'SUM(b)')]));
    const after = listEntries(shop([metric('Revenue', 'SUM(a)', 'x > 1'), metric('orders', 'COUNT(*)')]));
    expect(diffEntries(before, after)).toEqual([
      {
        id: 'metric:Revenue',
        kind: 'changed',
        parts: [
          { part: 'name', before: 'revenue', after: 'Revenue' },
          { part: 'definition.filter', before: undefined, after: 'x > 1' },
        ],
      },
      {
        id: 'metric:orders',
        kind: 'added',
        parts: [
          { part: 'name', after: 'orders' },
          {
            part: 'definition',
            after: { kind: 'aggregate', expressions: [{ dialect: 'ANSI_SQL', expression: 'COUNT(*)' }] },
          },
          { part: 'extensions', after: [] },
        ],
      },
      { id: 'metric:gone', kind: 'removed', parts: [] },
    ]);
  });

  it('calls added what accepting puts beside an entry of its name', () => {
    const query = (question: string, by?: string): Knowledge => ({
      ...shop([]),
      models: [],
      verifiedQueries: [
        {
          id: 'a',
          question,
          sql: 'SELECT 1',
          names: 'physical',
          parameters: [],
          tags: [],
          standing: { ...standing, by },
        },
      ],
    });
    const kinds = (after: Knowledge) =>
      diffEntries(listEntries(query('Net sales?')), listEntries(after)).map(({ kind }) => kind);
    expect(kinds(query('Gross sales?', 'ann'))).toEqual(['added']);
    expect(kinds(query('Gross sales?'))).toEqual(['changed']);
    expect(kinds(query('net sales', 'ann'))).toEqual(['changed']);
  });

  it('finds nothing where only the place or the state differs', () => {
    const other = { ...standing, state: 'proposed' as const, place: { file: 'proposals/models/shop.ossie.yaml' } };
    const before = listEntries(shop([metric('revenue', 'SUM(a)')]));
    const after = listEntries(shop([{ ...metric('revenue', 'SUM(a)'), standing: other }]));
    expect(diffEntries(before, after)).toEqual([]);
  });
});

describe('listEntries', () => {
  it('names fields by their dataset', () => {
    expect(listEntries(shop([])).map(({ id }) => id)).toEqual(['model:shop', 'dataset:orders', 'field:orders.state']);
  });
});
