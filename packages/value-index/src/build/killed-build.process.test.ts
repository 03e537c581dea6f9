import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createCallContext, type EmbeddingModel } from '@askema/core';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openValueIndex } from '../search/open-value-index.ts';
import { cellCatalog, cellDatabase } from '../test-support/cell-database.ts';
import { KILLED_CELLS } from '../test-support/killed-cells.ts';
import { buildValueIndex } from './build-value-index.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'askema-values-'));
  path = join(folder, 'cells.values');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program that builds the index, and kills it when it says something; returns what it said. */
async function killOnceItSpeaks(program: URL): Promise<unknown> {
  const child = fork(fileURLToPath(program), [path], {
    execArgv: ['--conditions=@askema/source', '--disable-warning=ExperimentalWarning'],
  });
  const [said] = await once(child, 'message');
  child.kill('SIGKILL');
  await once(child, 'exit');
  return said;
}

const goOn = (more: object = {}) =>
  buildValueIndex({ adapter: cellDatabase(KILLED_CELLS).adapter, catalog: cellCatalog(KILLED_CELLS), path, ...more });

test('a build that is killed in the midst of an attribute leaves a whole file, and the next one goes on', async () => {
  await killOnceItSpeaks(new URL('../test-support/build-until-killed.ts', import.meta.url));
  await using killed = await openValueIndex(path);
  expect(await killed.find({ text: 'first 7', limit: 1, context: createCallContext() })).toMatchObject([
    { attribute: 'a_first#name', value: 'first 7' },
  ]);
  expect(await killed.covers('c_last#name')).toBe('none');
  await killed.close();

  expect(await goOn()).toMatchObject({ values: 2_510, build: { read: 2, unchanged: 1 } });
  const file = new Database(path, { readonly: true });
  expect(file.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(file.prepare('SELECT count(*) FROM value').pluck().get()).toBe(2_510);
  file.close();
}, 30_000);

test('vectors that were paid for before the build was killed are not paid for again', async () => {
  const paid = (await killOnceItSpeaks(
    new URL('../test-support/embed-until-killed.ts', import.meta.url),
  )) as readonly string[];
  const texts: string[] = [];
  const embeddings: EmbeddingModel = {
    provider: 'test',
    modelId: 'toy',
    async embed(some) {
      texts.push(...some);
      return { vectors: some.map(() => Float32Array.of(1, 0.5)), usage: { inputTokens: some.length } };
    },
  };
  const { build, ...stats } = await goOn({ embeddings });
  expect(paid.length).toBeGreaterThan(0);
  expect([...paid, ...texts].toSorted()).toEqual(
    Object.values(KILLED_CELLS)
      .flatMap(({ name = [] }) => name)
      .toSorted(),
  );
  const missing = 2_510 - paid.length;
  expect(stats).toMatchObject({ embeddings: { model: 'test/toy', dimensions: 2, vectors: 2_510 } });
  expect(build).toMatchObject({ read: 0, embedded: missing, usage: { inputTokens: missing } });
}, 30_000);
