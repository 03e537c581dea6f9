/** The value indexes that `bars:recall` can measure, by name. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Adapter, Catalog, ValueIndex } from '@askema/core';
import { scanCells } from '@askema/grounding';
import { buildValueIndex, likeIndex, openValueIndex } from '../../packages/value-index/src/index.ts';

export type OpenValueIndex = (adapter: Adapter, catalog: Catalog) => Promise<ValueIndex>;

export const VALUE_INDEXES: Readonly<Record<string, OpenValueIndex>> = {
  scan: async (adapter, catalog) => scanCells({ adapter, catalog }),
  sqlite: builtIndex,
  like: async (adapter, catalog) => likeIndex(adapter, catalog),
};

/** Where index files are; gone when the process ends. */
let folder: string | undefined;
let built = 0;

/** Of every attribute, personal ones too. */
async function builtIndex(adapter: Adapter, catalog: Catalog): Promise<ValueIndex> {
  if (folder === undefined) {
    const made = mkdtempSync(path.join(tmpdir(), 'askema-recall-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  built += 1;
  const file = path.join(folder, `${built}.db`);
  await buildValueIndex({ adapter, catalog, path: file });
  return openValueIndex(file, { catalog });
}
