import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createCallContext, type EmbeddingModel } from '@askema/core';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { BuildProgress } from '../build/build-options.ts';
import { buildValueIndex } from '../build/build-value-index.ts';
import { cellCatalog, cellDatabase } from '../test-support/cell-database.ts';
import { openValueIndex } from './open-value-index.ts';

const CELLS = { item: { kind: ['automobile', 'banana', 'lorry'] }, shop: { sells: ['vehicle', 'fruit salad'] } };
const TOPICS = [/auto|car|lorry|vehicle|truck/, /banana|fruit|apple/, /./];
const context = createCallContext();

/** A topic in each direction: a toy that tells vehicles from fruit. */
function toyModel(length = 3, modelId = 'toy', dimensions?: number) {
  const texts: string[] = [];
  const model: EmbeddingModel = {
    provider: 'test',
    modelId,
    dimensions,
    async embed(some) {
      texts.push(...some);
      const vectors = some.map((text) =>
        Float32Array.from({ length }, (_, at) => (TOPICS[at]?.test(text) ? (at === 2 ? 0.1 : 1) : 0)),
      );
      return { vectors, usage: { inputTokens: some.length } };
    },
  };
  return { model, texts };
}

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-values-'));
  path = join(folder, 'cells.values');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const build = (embeddings: EmbeddingModel, more: object = {}) =>
  buildValueIndex({ adapter: cellDatabase(CELLS).adapter, catalog: cellCatalog(CELLS), path, embeddings, ...more });

test('a cell that means the same is found where none is spelled alike, within attributes too', async () => {
  const { model } = toyModel();
  const stats = await build(model);
  expect(stats).toMatchObject({
    embeddings: { model: 'test/toy', dimensions: 3, vectors: 5 },
    build: { embedded: 5, usage: { inputTokens: 5 } },
  });
  await using index = await openValueIndex(path, { embeddings: model });
  const found = await index.find({ text: 'truck', limit: 3, context });
  expect(found.map(({ value }) => value).sort()).toEqual(['automobile', 'lorry', 'vehicle']);
  expect(found[0]?.score).toBeCloseTo(0.8);
  const inShop = await index.find({ text: 'truck', attributes: ['shop#sells'], limit: 3, context });
  expect(inShop.map(({ value }) => value)).toEqual(['vehicle']);
});

test('the model is not asked where the spelling is near', async () => {
  const { model, texts } = toyModel();
  await build(model);
  texts.length = 0;
  await using index = await openValueIndex(path, { embeddings: model });
  await index.find({ text: 'Banana', limit: 3, context });
  expect(texts).toEqual([]);
});

test('a text is paid for once, in whatever attribute it is looked up', async () => {
  const { model, texts } = toyModel();
  await build(model);
  texts.length = 0;
  await using index = await openValueIndex(path, { embeddings: model });
  await index.find({ text: 'truck', limit: 3, context });
  await index.find({ text: 'truck', attributes: ['shop#sells'], limit: 3, context });
  expect(texts).toEqual(['truck']);
});

test('a function finds the model, and is told whose vectors there are', async () => {
  const { model } = toyModel();
  const told: unknown[] = [];
  const open = (found: EmbeddingModel | undefined) =>
    openValueIndex(path, {
      embeddings: async (made) => {
        told.push(made);
        return found;
      },
    });
  await build(model);
  await using index = await open(model);
  expect(await index.find({ text: 'apple', limit: 1, context })).toMatchObject([{ value: 'banana' }]);
  await using bySpelling = await open(undefined);
  expect(await bySpelling.find({ text: 'apple', limit: 1, context })).toEqual([]);
  await expect(open(toyModel(3, 'other').model)).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect(told).toEqual(Array.from({ length: 3 }, () => ({ model: 'test/toy', dimensions: 3 })));
});

test('a function is not called for an index without vectors', async () => {
  await buildValueIndex({ adapter: cellDatabase(CELLS).adapter, catalog: cellCatalog(CELLS), path });
  await using index = await openValueIndex(path, { embeddings: () => expect.unreachable() });
  expect(await index.find({ text: 'banana', limit: 1, context })).toMatchObject([{ value: 'banana' }]);
});

test('vectors of another length are those of another model', async () => {
  await build(toyModel(3, 'toy', 3).model);
  const shorter = toyModel(2, 'toy', 2).model;
  await expect(openValueIndex(path, { embeddings: shorter })).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('test/toy with 3 dimensions'),
  });
  expect(await build(shorter)).toMatchObject({ embeddings: { dimensions: 2, vectors: 5 }, build: { embedded: 5 } });
});

test('the zero vector is like nothing, in the index and when it is looked for', async () => {
  const empty = { item: { kind: ['automobile', '?'] } };
  const model: EmbeddingModel = {
    provider: 'test',
    modelId: 'zero',
    embed: async (texts) => ({
      vectors: texts.map((text) => Float32Array.of(/auto|car/.test(text) ? 1 : 0, 0)),
      usage: {},
    }),
  };
  await buildValueIndex({
    adapter: cellDatabase(empty).adapter,
    catalog: cellCatalog(empty),
    path,
    embeddings: model,
  });
  await using index = await openValueIndex(path, { embeddings: model });
  expect((await index.find({ text: 'car', limit: 9, context })).map(({ value }) => value)).toEqual(['automobile']);
  expect(await index.find({ text: 'zebra', limit: 9, context })).toEqual([]);
});

test('the build tells how many cells have a vector', async () => {
  const seen: unknown[] = [];
  await build(toyModel().model, { onProgress: ({ embedded }: BuildProgress) => seen.push(embedded) });
  expect(seen.filter((embedded) => embedded !== undefined)).toEqual([
    { done: 2, total: 5 },
    { done: 5, total: 5 },
  ]);
});

test('a second build pays for new cells only', async () => {
  const { model, texts } = toyModel();
  await build(model, { maxEmbeddedValues: 2 });
  await build(model);
  expect(texts.toSorted()).toEqual(['automobile', 'banana', 'fruit salad', 'lorry', 'vehicle']);
});

test('another model is refused at opening, and starts anew at building', async () => {
  await build(toyModel().model);
  const other = toyModel(2, 'other').model;
  await expect(openValueIndex(path, { embeddings: other })).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect(await build(other)).toMatchObject({ embeddings: { model: 'test/other', vectors: 5 } });
  await using index = await openValueIndex(path, { embeddings: other });
  expect(await index.find({ text: 'apple', limit: 1, context })).toMatchObject([{ value: 'banana' }]);
});

test('a model that changes its length breaks its contract', async () => {
  await build(toyModel().model);
  await using index = await openValueIndex(path, { embeddings: toyModel(4).model });
  await expect(index.find({ text: 'truck', limit: 1, context })).rejects.toMatchObject({ code: 'CONTRACT_MISMATCH' });
});
