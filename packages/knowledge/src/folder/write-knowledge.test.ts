import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withoutPlaces } from '../formats/ossie/test-support/random-model.ts';
import { acceptEntry } from './accept-entry.ts';
import { loadKnowledge } from './load-knowledge.ts';
import { putEntry } from './put-entry.ts';
import { makeFolder, shopModel } from './test-support/make-folder.ts';
import { writeProposals } from './write-proposals.ts';

const AT = new Date('2026-01-02T03:04:05Z');
const PROPOSED = `version: 0.2.0.dev0
name: shop
datasets:
  - name: shop_orders
    source: main.orders
    fields:
      - name: status
        expression: { dialects: [{ dialect: ANSI_SQL, expression: "NULL" }] }
        custom_extensions:
          - vendor_name: ASKEMA
            data: '{ "complete": false, "expressions": [{ "dialect": "SQLITE", "expression": "lower(status)" }] }'
  - name: visits
    source: main.visits
metrics:
  - name: revenue
    description: Without tax.
    expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(shop_orders.net) }] }
  - name: visitors # as marketing counts them
    expression: { dialects: [{ dialect: ANSI_SQL, expression: COUNT(*) }] }
custom_extensions:
  - vendor_name: ASKEMA
    data: '{ "filters": [{ "name": "paid", "dataset": "shop_orders", "condition": "shop_orders.status = 1" }] }'
`;
const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');
const twoFiles = (): string =>
  makeFolder({ 'models/shop.ossie.yaml': shopModel('shop'), 'proposals/models/import.yaml': PROPOSED });

describe('acceptEntry', () => {
  it('puts a metric in the place of the accepted one, and keeps what stands around it', async () => {
    const folder = twoFiles();
    expect(await acceptEntry(folder, 'metric:Revenue', 'ann', AT)).toBe('models/shop.ossie.yaml');
    const text = read(folder, 'models/shop.ossie.yaml');
    expect(text).toContain('# Who asks for changes: the shop team.');
    expect(text).toContain('# one row an order');
    const { models, problems } = await loadKnowledge(folder);
    expect(problems).toEqual([]);
    expect(models[0]?.metrics).toMatchObject([
      {
        name: 'revenue',
        description: 'Without tax.',
        definition: { expressions: [{ expression: 'SUM(shop_orders.net)' }] },
        standing: { owner: 'ann', state: 'accepted' },
      },
    ]);
    expect(models[1]?.metrics.map(({ name }) => name)).toEqual(['visitors']);
    expect(read(folder, 'proposals/models/import.yaml')).toContain('# as marketing counts them');
  });

  it('merges a field into its dataset, and a dataset with its fields', async () => {
    const folder = twoFiles();
    await acceptEntry(folder, 'field:shop_orders.status', 'ann', AT);
    const [accepted, proposed] = (await loadKnowledge(folder)).models;
    expect(accepted?.datasets[0]?.fields.map(({ name }) => name)).toEqual(['amount', 'status']);
    expect(accepted?.datasets[0]?.fields[1]?.expressions).toEqual([{ dialect: 'SQLITE', expression: 'lower(status)' }]);
    expect(proposed?.datasets[0]?.fields).toEqual([]);
    await acceptEntry(folder, 'dataset:shop_orders', 'ann', AT);
    await acceptEntry(folder, 'dataset:visits', 'ann', AT);
    const [again] = (await loadKnowledge(folder)).models;
    expect(again?.datasets.map(({ name, fields }) => [name, fields.length])).toEqual([
      ['shop_orders', 2],
      ['visits', 0],
    ]);
  });

  it('accepts a whole model, and removes its file', async () => {
    const folder = twoFiles();
    await acceptEntry(folder, 'model:shop', 'ann', AT);
    const { models } = await loadKnowledge(folder);
    expect(models.length).toBe(1);
    expect(models[0]?.filters).toMatchObject([{ name: 'paid', standing: { owner: 'ann' } }]);
    expect(models[0]?.metrics.map(({ name }) => name)).toEqual(['revenue', 'visitors']);
    expect(existsSync(join(folder, 'proposals/models/import.yaml'))).toBe(false);
  });

  it('makes a file for a model that is not there yet', async () => {
    const folder = makeFolder({ 'proposals/models/import.yaml': PROPOSED });
    await expect(acceptEntry(folder, 'field:shop_orders.status', 'ann', AT)).rejects.toThrow(
      /Accept dataset:shop_orders first/,
    );
    expect(await acceptEntry(folder, 'filter:paid', 'ann', AT)).toBe('models/shop.ossie.yaml');
    const [accepted, proposed] = (await loadKnowledge(folder)).models;
    expect([accepted?.filters.length, accepted?.metrics.length, proposed?.filters.length]).toEqual([1, 0, 0]);
  });

  it('moves queries and prose', async () => {
    const folder = makeFolder({
      'proposals/sql/a/count.md': '---\nnl: How many? # as asked\nsql: SELECT 1\nlogged: 3\n---\nNotes.\n',
      'proposals/rules/import.md': '---\npriority: 3\n---\n# Dates\nAlways UTC.\n# Names\nIn full.\n',
    });
    expect(await acceptEntry(folder, 'query:a/count', 'ann', AT)).toBe('sql/a/count.md');
    expect(read(folder, 'sql/a/count.md')).toBe(
      '---\nnl: How many? # as asked\nsql: SELECT 1\nlogged: 3\nverified_by: ann\nverified_at: "2026-01-02T03:04:05.000Z"\n---\nNotes.\n',
    );
    expect(await acceptEntry(folder, 'rule:import#Names', 'ann', AT)).toBe('rules/import-Names.md');
    expect(read(folder, 'rules/import-Names.md')).toBe('---\npriority: 3\nowner: ann\n---\n# Names\nIn full.\n');
    expect(read(folder, 'proposals/rules/import.md')).toBe('---\npriority: 3\n---\n# Dates\nAlways UTC.\n');
    expect(await acceptEntry(folder, 'rule:import', 'ann', AT)).toBe('rules/import.md');
    expect(readdirSync(join(folder, 'proposals/rules'))).toEqual([]);
  });

  it('names the nearest of what is not proposed', async () => {
    await expect(acceptEntry(twoFiles(), 'metric:revenu', 'ann', AT)).rejects.toThrow(/Did you mean `metric:revenue`/);
  });

  it('refuses what failed', async () => {
    const twice = PROPOSED.replace(
      '[{ dialect: ANSI_SQL, expression: COUNT(*) }]',
      '[{ dialect: MDX, expression: a }, { dialect: MDX, expression: b }]',
    );
    const folder = makeFolder({ 'proposals/models/a.yaml': twice });
    await expect(acceptEntry(folder, 'metric:visitors', 'ann', AT)).rejects.toThrow(
      /failed: .* two expressions of dialect MDX/,
    );
  });
});

describe('putEntry', () => {
  it('adds to a model and replaces in it, and keeps comments', async () => {
    const folder = makeFolder({ 'models/shop.ossie.yaml': shopModel('shop') });
    const [model] = (await loadKnowledge(folder)).models;
    const metric = model?.metrics[0];
    if (metric === undefined) throw new Error('The model is empty.');
    await putEntry(folder, { kind: 'metric', value: { ...metric, unit: 'USD' }, model: 'elsewhere' });
    await putEntry(folder, { kind: 'metric', value: { ...metric, name: 'net' }, model: 'Shop' });
    expect(await putEntry(folder, { kind: 'metric', value: { ...metric, name: 'new' }, model: 'a b' })).toBe(
      'models/a-b.ossie.yaml',
    );
    const { models } = await loadKnowledge(folder);
    expect(models.map(({ name, metrics }) => [name, metrics.map((one) => [one.name, one.unit])])).toEqual([
      ['a b', [['new', undefined]]],
      [
        'shop',
        [
          ['revenue', 'USD'],
          ['net', undefined],
        ],
      ],
    ]);
    expect(read(folder, 'models/shop.ossie.yaml')).toContain('# one row an order');
  });

  it('replaces a query by its id', async () => {
    const folder = makeFolder({
      'sql/a.md': '---\nnl: How many? # asked daily\nsql: SELECT 1\n---\n',
      'sql/b.md': '---\nnl: How many?\n---\n```sql\nSELECT 1\n```\n',
    });
    for (const query of (await loadKnowledge(folder)).verifiedQueries)
      await putEntry(folder, { kind: 'query', value: { ...query, sql: 'SELECT 2' } });
    expect(read(folder, 'sql/a.md')).toBe('---\nnl: How many? # asked daily\nsql: SELECT 2\n---\n');
    expect(read(folder, 'sql/b.md')).toBe('---\nnl: How many?\nsql: SELECT 2\n---\n');
  });
});

describe('writeProposals', () => {
  it('writes what is read as it was', async () => {
    const from = makeFolder({
      'knowledge.yml': 'schema_version: 1\nmatching: contains\n',
      'models/shop.ossie.yaml': PROPOSED,
      'sql/a/count.md':
        '---\nnl: How many {what}?\nsql: |\n  SELECT 1\n  -- one\ntags: [a, b]\nnames: logical\nlogged: 3\nparameters: [{ name: what, type: text }]\n---\nNotes.\n',
      'rules/dates.md': '---\napplies_to: [orders]\n---\nAlways UTC.\n',
    });
    const knowledge = await loadKnowledge(from);
    const to = makeFolder({});
    expect(await writeProposals(to, { knowledge })).toEqual([
      'proposals/models/shop.ossie.yaml',
      'proposals/sql/a/count.md',
      'proposals/rules/dates.md',
    ]);
    const again = await loadKnowledge(to);
    const asProposed = JSON.parse(
      JSON.stringify(withoutPlaces(knowledge)).replaceAll('"accepted"', '"proposed"'),
    ) as unknown;
    expect(withoutPlaces(again)).toEqual(asProposed);
  });

  it('writes nothing outside of the folder', async () => {
    const { models, settings, texts, verifiedQueries } = await loadKnowledge(
      makeFolder({
        'models/a.yaml': PROPOSED,
        'sql/a.md': '---\nnl: How many?\nsql: SELECT 1\n---\n',
        'rules/a.md': 'Text.',
      }),
    );
    const hostile = { id: '../../../evil', name: '../../evil' };
    const knowledge = {
      settings,
      models: models.map((model) => ({ ...model, name: hostile.name })),
      verifiedQueries: verifiedQueries.map((query) => ({ ...query, id: hostile.id })),
      texts: texts.map((text) => ({ ...text, id: hostile.id })),
    };
    expect(await writeProposals(makeFolder({}), { knowledge })).toEqual([
      'proposals/models/evil.ossie.yaml',
      'proposals/sql/unnamed/unnamed/unnamed/evil.md',
      'proposals/rules/evil.md',
    ]);
  });
});
