import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { loadSchemaDataset, type SchemaDataset } from '../schemas/load-schema-dataset.ts';
import { datasetStatistics, formatDatasetStatistics } from './dataset-statistics.ts';

const OWN = fileURLToPath(new URL('../schemas/fixtures', import.meta.url));

it('counts words, relations, attributes, keys, types and domains', async () => {
  const { items, ...rest } = await loadSchemaDataset(OWN);
  const dataset: SchemaDataset = {
    ...rest,
    items: items.filter(({ id }) => id === 'choir' || id === 'bicycle-workshop'),
  };
  const statistics = datasetStatistics(dataset);
  const relations = dataset.items.flatMap(({ gold }) => gold.relations);
  expect(statistics).toMatchObject({
    requirements: 2,
    defective: 0,
    relationsOfSchema: { mean: 3, least: 2, most: 4 },
  });
  expect(statistics.sizes).toEqual([
    { value: 2, count: 1 },
    { value: 4, count: 1 },
  ]);
  expect(statistics.keySizes.reduce((total, { count }) => total + count, 0)).toBe(relations.length);
  expect(statistics.types.reduce((total, { count }) => total + count, 0)).toBe(
    relations.flatMap(({ attributes }) => attributes).length,
  );
  expect(formatDatasetStatistics(statistics)).toMatch(/^relations of a schema +3\.00 +3 +2 +4$/m);
});

it('counts words of languages that part them by no blank, and a domain once', async () => {
  const { items, ...rest } = await loadSchemaDataset(OWN);
  const [first] = items;
  if (first === undefined) throw new Error('no item');
  const of = (requirement: string, domain: readonly string[]) => ({ ...first, requirement, domain });
  const statistics = datasetStatistics({
    ...rest,
    items: [
      of('图书馆有很多书。', ['culture', 'library']),
      of('A library has books.', ['culture', 'reading']),
      of('x', []),
    ],
  });
  expect(statistics.words).toMatchObject({ least: 1, median: 4 });
  expect(statistics.words.most).toBeGreaterThan(3);
  expect(statistics.domains).toEqual([{ value: 'culture', count: 2 }]);
  expect(statistics.specialDomains).toBe(2);
});
