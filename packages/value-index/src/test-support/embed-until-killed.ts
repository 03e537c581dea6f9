import type { EmbeddingModel } from '@askema/core';
import { buildValueIndex } from '../build/build-value-index.ts';
import { cellCatalog, cellDatabase } from './cell-database.ts';
import { KILLED_CELLS } from './killed-cells.ts';

// Pays for the vectors of two calls, says so at the third, and waits there to be killed.
const paid: string[] = [];
let calls = 0;
const stalling: EmbeddingModel = {
  provider: 'test',
  modelId: 'toy',
  async embed(texts) {
    calls += 1;
    if (calls === 3) {
      process.send?.(paid);
      await new Promise(() => setInterval(() => undefined, 1_000));
    }
    paid.push(...texts);
    return { vectors: texts.map(() => Float32Array.of(1, 0.5)), usage: { inputTokens: texts.length } };
  },
};

await buildValueIndex({
  adapter: cellDatabase(KILLED_CELLS).adapter,
  catalog: cellCatalog(KILLED_CELLS),
  path: process.argv[2] ?? '',
  embeddings: stalling,
});
