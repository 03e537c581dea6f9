import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { TextFile } from '../conversion.ts';
import { importWren } from './import-wren.ts';

const DATA = process.env.ASKEMA_DATA ?? fileURLToPath(new URL('../../../../../../shared/data', import.meta.url));
const PROJECT = `${DATA}/knowledge/wren/v5-jaffle`;
const hasFiles = existsSync(PROJECT);
if (!hasFiles) {
  // biome-ignore lint/suspicious/noConsole: a test that does not read its data says so.
  console.warn(`NOT READ: ${PROJECT} is not there. Set ASKEMA_DATA to the folder that holds it.`);
}

const FILES: Readonly<Record<string, string>> = {
  'wren_project.yml': 'schema_version: 5\nname: garden\ndata_source: duckdb\n',
  'models/plants/metadata.yml': `
name: plants
table_reference: { catalog: "", schema: public, table: Plant List }
columns:
  - { name: id, type: INTEGER, not_null: true, is_primary_key: true }
  - { name: kind, type: VARCHAR, expression: kind_name, properties: { synonyms: "sort, species", displayName: Kind } }
  - { name: planted_at, type: TIMESTAMP, is_hidden: true }
  - { name: bed, type: beds, relationship: plant_bed }
  - { name: bed_size, type: DOUBLE, is_calculated: true, expression: bed.size * 2 }
  - { name: bed_id, type: INTEGER, expression: bed_no }
`,
  'models/beds/metadata.yml': `
name: beds
primary_key: [area, id]
row_level_access_controls:
  - { name: own, required_properties: [], condition: owner = @user }
columns: [{ name: id }, { name: area }, { name: size, type: DECIMAL }]
`,
  'models/beds/ref_sql.sql': 'SELECT * FROM public.all_beds;\n',
  'relationships.yml': `
relationships:
  - { name: bed_plants, models: [beds, plants], join_type: ONE_TO_MANY, condition: 'plants.bed_id = "beds".id AND plants.area = beds.area' }
  - { name: twins, models: [plants, plants], join_type: MANY_TO_MANY, condition: plants.id = plants.id }
  - { name: near, models: [plants, beds], join_type: MANY_TO_ONE, condition: plants.bed_id < beds.id }
`,
  'cubes/harvest/metadata.yml': `
name: harvest
base_object: plants
measures:
  - { name: weight, expression: SUM(grams), type: DOUBLE, description: What was picked. }
  - { name: rank, expression: RANK() OVER (ORDER BY grams), type: BIGINT }
dimensions: [{ name: kind, expression: kind, type: VARCHAR }]
time_dimensions: [{ name: picked_on, expression: CAST(picked_at AS DATE), type: DATE }]
hierarchies: { time: [picked_on] }
`,
  'cubes/beds/metadata.yml':
    'name: soil\nbase_object: beds\nmeasures: [{ name: weight, expression: SUM(tons), type: DOUBLE }]\n',
  'views/large/metadata.yml': 'name: large\nstatement: SELECT * FROM plants\n',
  'knowledge/knowledge.yml': 'schema_version: 1\n',
  'knowledge/rules/words.md': '# Words\n\nHerbs are plants.\n\n## Beds\n\n- A bed has an area.\n',
  'knowledge/sql/heaviest.md': '---\nnl: What weighs most?\nsql: |\n  SELECT 1;\nsource: user\n---\nSeen by Ada.\n',
  'knowledge/sql/broken.md': '---\nnl: What else?\n---\n',
  'notes.txt': 'x',
};
const files = (changes: Readonly<Record<string, string>> = {}): TextFile[] =>
  Object.entries({ ...FILES, ...changes }).map(([path, text]) => ({ path: `garden/${path}`, text }));

describe('importWren', () => {
  const { knowledge, lost } = importWren(files());
  const [model] = knowledge.models;
  const [plants, beds] = model?.datasets ?? [];

  it('reads models over tables and over queries', () => {
    expect(knowledge.settings).toEqual({ dialect: 'duckdb' });
    expect(model?.name).toBe('garden');
    expect(plants).toMatchObject({ source: 'public."Plant List"', primaryKey: ['id'], standing: { source: 'wren' } });
    expect(beds).toMatchObject({ source: 'SELECT * FROM public.all_beds', primaryKey: ['area', 'id'] });
    expect(plants?.fields.map(({ name }) => name)).toEqual(['id', 'kind', 'planted_at', 'bed_id', 'picked_on']);
    expect(plants?.fields[1]).toMatchObject({
      label: 'Kind',
      expressions: [{ expression: 'kind_name' }],
      ai: { synonyms: ['sort', 'species'] },
    });
    expect(plants?.fields[2]).toMatchObject({ dimension: { isTime: true }, isHidden: true });
  });

  it('turns joins to run from many to one, over columns of the tables', () => {
    expect(model?.relationships).toMatchObject([
      { from: 'plants', to: 'beds', fromColumns: ['bed_no', 'area'], toColumns: ['id', 'area'] },
    ]);
  });

  it('reads measures of cubes as metrics, with names of their own', () => {
    expect(model?.metrics).toMatchObject([
      { name: 'weight', description: 'What was picked.', definition: { kind: 'aggregate', dataset: 'plants' } },
      { name: 'soil_weight', definition: { dataset: 'beds', expressions: [{ expression: 'SUM(tons)' }] } },
    ]);
  });

  it('reads the first of two models of one name', () => {
    const twice = importWren(files({ 'models/zz/metadata.yml': 'name: Plants\nref_sql: SELECT 1 AS x\n' }));
    expect(twice.knowledge.models[0]?.datasets.map(({ source }) => source)).toEqual([plants?.source, beds?.source]);
    expect(twice.lost.map(({ what }) => what)).toContain('dataset Plants');
  });

  it('keeps prose and queries of the folder', () => {
    expect(knowledge.texts).toMatchObject([
      { id: 'words#Words', kind: 'rule', text: 'Herbs are plants.', standing: { place: { line: 1 } } },
      { id: 'words#Beds', title: 'Beds', text: '- A bed has an area.', standing: { place: { line: 5 } } },
    ]);
    expect(knowledge.verifiedQueries).toMatchObject([
      { id: 'heaviest', sql: 'SELECT 1', names: 'logical', notes: 'Seen by Ada.', other: { source: 'user' } },
    ]);
  });

  it('lists what it leaves out', () => {
    expect(lost.map(({ what }) => what).sort()).toEqual([
      'cube harvest: hierarchies',
      'dataset beds: row_level_access_controls',
      'field plants.bed_size',
      'garden/notes.txt',
      'knowledge/sql/broken.md',
      'metric rank',
      'metric weight',
      'relationship near',
      'relationship twins',
      'view large',
    ]);
    expect(lost.find(({ what }) => what === 'field plants.bed_size')?.place).toEqual({
      file: 'garden/models/plants/metadata.yml',
      line: 9,
    });
  });

  it('reads the same out of mdl.json', () => {
    const text = JSON.stringify(
      {
        catalog: 'wren',
        schema: 'public',
        dataSource: 'POSTGRES',
        models: [
          {
            name: 'plants',
            tableReference: { schema: 'public', table: 'plants' },
            primaryKey: 'id',
            columns: [
              { name: 'id', type: 'INTEGER', notNull: true },
              { name: 'wage', type: 'DOUBLE', columnLevelAccessControl: { name: 'boss' } },
            ],
          },
        ],
        cubes: [{ name: 'c', baseObject: 'plants', measures: [{ name: 'n', expression: 'COUNT(*)', type: 'BIGINT' }] }],
      },
      null,
      1,
    );
    const imported = importWren([{ path: 'mdl.json', text }]);
    expect(imported.knowledge.settings).toEqual({ dialect: 'postgres' });
    expect(imported.knowledge.models[0]).toMatchObject({
      datasets: [{ source: 'public.plants', primaryKey: ['id'], fields: [{ type: 'Integer' }, { type: 'Float' }] }],
      metrics: [{ name: 'n', type: 'Integer' }],
    });
    const line = text.split('\n').findIndex((one) => one.includes('columnLevelAccessControl')) + 1;
    expect(imported.lost).toMatchObject([{ what: 'field plants.wage: column_level_access_control', place: { line } }]);
  });

  it.each([
    ['no project', [{ path: 'a.yml', text: 'a: 1' }], /no `wren_project\.yml`/],
    [
      'another word',
      files({ 'relationships.yml': FILES['relationships.yml']?.replace('ONE_TO_MANY', 'ONE_TO_MANI') ?? '' }),
      /relationships\.yml:3 `bed_plants`: .*Did you mean `ONE_TO_MANY`/,
    ],
    [
      'a cube without measures',
      files({ 'cubes/beds/metadata.yml': 'name: soil\nbase_object: beds\n' }),
      /`measures` is missing/,
    ],
  ])('refuses %s', (_, given, message) => {
    expect(() => importWren(given)).toThrow(message);
  });

  it.skipIf(!hasFiles)('reads the example of WrenAI, and lists its view and what its cube says of itself', () => {
    const paths = readdirSync(PROJECT, { recursive: true, encoding: 'utf8' }).filter((path) => /\.\w+$/.test(path));
    const read = importWren(paths.map((path) => ({ path, text: readFileSync(`${PROJECT}/${path}`, 'utf8') })));
    const [shop] = read.knowledge.models;
    expect(shop?.datasets.map(({ source }) => source).sort()).toEqual([
      'SELECT id, customer_id, amount FROM public.raw_orders',
      'public.customers',
    ]);
    expect(shop?.relationships).toMatchObject([{ from: 'orders', to: 'customers', fromColumns: ['customer_id'] }]);
    expect(shop?.metrics.map(({ name }) => name)).toEqual(['total_revenue', 'order_count']);
    expect(read.knowledge.texts.map(({ id }) => id)).toEqual(['business-rules']);
    expect(read.knowledge.verifiedQueries.map(({ id }) => id)).toEqual(['total-revenue']);
    expect(read.lost.map(({ what }) => what).sort()).toEqual([
      'cube order_metrics: description',
      'view customer_orders',
    ]);
  });
});
