import {
  AskemaError,
  type AttributeId,
  addUsage,
  type CallContext,
  type EmbeddingModel,
  throwIfAborted,
  type Usage,
} from '@askema/core';
import { attributeRows, hasVectors, readMeta, writeMeta } from '../store/attribute-rows.ts';
import type { Database } from '../store/driver.ts';
import { embeddingsOfIndex, isMadeBy, namedEmbeddings } from '../store/embeddings-of-index.ts';
import { ID_RANGE } from '../store/index-schema.ts';

/** Texts of one call of the model. */
const TEXTS_PER_CALL = 128;

/** What giving vectors to cells has cost. */
interface EmbeddedCells {
  readonly cells: number;
  readonly usage: Usage;
}

/**
 * Gives a vector to each cell that has none, up to `maxVectors` in all. What was paid for is committed after every
 * call. Another model than before, or another length, starts anew.
 *
 * Rejects with `DEPENDENCY_MISSING` (sqlite-vec), `ABORTED`, `CONTRACT_MISMATCH`, and with what the model rejects with.
 */
export async function embedCells(
  database: Database,
  model: EmbeddingModel,
  options: {
    readonly maxVectors: number;
    readonly context: CallContext;
    readonly onProgress: (attribute: AttributeId, embedded: { readonly done: number; readonly total: number }) => void;
  },
): Promise<EmbeddedCells> {
  const { maxVectors, context, onProgress } = options;
  const stored = embeddingsOfIndex(database);
  if (hasVectors(database) && (stored === undefined || !isMadeBy(namedEmbeddings(model), stored))) {
    database.exec('BEGIN IMMEDIATE; DROP TABLE cell_vector; UPDATE attribute SET embedded = 0; COMMIT');
  }
  let usage: Usage = {};
  let paid = 0;
  const rows = attributeRows(database).filter(({ state }) => state === 'ready');
  let vectors = rows.reduce((sum, { embedded }) => sum + embedded, 0);
  const total = Math.min(
    maxVectors,
    rows.reduce((sum, { count }) => sum + count, 0),
  );
  for (const row of rows) {
    for (let done = row.embedded; done < row.count && vectors < maxVectors; ) {
      throwIfAborted(context.signal, 'Building the value index');
      const cells = database
        .prepare('SELECT id, cell FROM value WHERE id >= ? AND id < ? ORDER BY id LIMIT ?')
        .all(
          row.number * ID_RANGE + done,
          (row.number + 1) * ID_RANGE,
          Math.min(TEXTS_PER_CALL, maxVectors - vectors),
        ) as { readonly id: number; readonly cell: string }[];
      if (cells.length === 0) break;
      const embedded = await model.embed(
        cells.map(({ cell }) => cell),
        context,
      );
      usage = addUsage(usage, embedded.usage);
      storeVectors(database, model, row.number, cells, embedded.vectors);
      done += cells.length;
      vectors += cells.length;
      paid += cells.length;
      onProgress(row.attribute, { done: vectors, total });
    }
  }
  return { cells: paid, usage };
}

function storeVectors(
  database: Database,
  model: EmbeddingModel,
  attribute: number,
  cells: readonly { readonly id: number }[],
  vectors: readonly Float32Array[],
): void {
  const length = vectors[0]?.length ?? 0;
  const { name } = namedEmbeddings(model);
  const noted = Number(readMeta(database, 'embeddingLength') ?? length);
  if (vectors.length !== cells.length || length === 0 || vectors.some((vector) => vector.length !== length))
    throw new AskemaError(
      'CONTRACT_MISMATCH',
      `The embedding model ${name} returned ${vectors.length} vectors for ${cells.length} texts, or vectors of unlike length; it must return one for each text, all of one length.`,
    );
  database.transaction(() => {
    if (!hasVectors(database)) {
      database.exec(
        `CREATE VIRTUAL TABLE cell_vector USING vec0 (attribute INTEGER PARTITION KEY, vector FLOAT[${length}] distance_metric=cosine)`,
      );
      writeMeta(database, 'embeddingModel', name);
      writeMeta(database, 'embeddingLength', String(length));
    } else if (noted !== length) {
      throw new AskemaError(
        'CONTRACT_MISMATCH',
        `The embedding model ${name} returned vectors of length ${length}; those of the index have ${noted}. Build the index anew.`,
      );
    }
    const insert = database.prepare(
      'INSERT INTO cell_vector (rowid, attribute, vector) VALUES (CAST(? AS INTEGER), CAST(? AS INTEGER), ?)',
    );
    // The zero vector is near to nothing, and its distance no number.
    for (const [at, { id }] of cells.entries())
      if (vectors[at]?.some((value) => value !== 0)) insert.run(id, attribute, vectorBytes(vectors[at]));
    database.prepare('UPDATE attribute SET embedded = embedded + ? WHERE number = ?').run(cells.length, attribute);
  })();
}

/** A vector as sqlite-vec takes it: its floats, one behind the other. */
export function vectorBytes(vector: Float32Array = new Float32Array()): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
