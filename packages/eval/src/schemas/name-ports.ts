import { createCallContext, type EmbeddingModel } from '@askema/core';
import type { Synonyms } from './name-likeness.ts';

/** How near two names are in meaning: the cosine of their embeddings. */
export interface NameSimilarity {
  /** Who says so: `openai:text-embedding-3-small`. */
  readonly name: string;
  of(a: string, b: string): number;
}

/** What scorers may use beside the spelling of names. */
export interface NamePorts {
  readonly synonyms?: Synonyms | undefined;
  readonly similarity?: NameSimilarity | undefined;
}

/**
 * The similarity of these names by an embedding model; of other names it is 0. Equal names are asked for once, in
 * batches.
 *
 * Rejects with what the model rejects with.
 */
export async function embedNames(
  names: Iterable<string>,
  model: EmbeddingModel,
  options: { readonly signal?: AbortSignal | undefined; readonly known?: Map<string, Float32Array> | undefined } = {},
): Promise<NameSimilarity> {
  const known = options.known ?? new Map<string, Float32Array>();
  const missing = [...new Set(names)].filter((name) => !known.has(name));
  for (let from = 0; from < missing.length; from += BATCH) {
    const batch = missing.slice(from, from + BATCH);
    const { vectors } = await model.embed(batch, createCallContext({ signal: options.signal }));
    for (const [at, name] of batch.entries()) {
      const vector = vectors[at];
      if (vector !== undefined) known.set(name, normalised(vector));
    }
  }
  return {
    name: `${model.provider}:${model.modelId}`,
    of(a, b) {
      const [left, right] = [known.get(a), known.get(b)];
      return left === undefined || right === undefined ? 0 : dotProduct(left, right);
    },
  };
}

const BATCH = 128;

function normalised(vector: Float32Array): Float32Array {
  const length = Math.sqrt(dotProduct(vector, vector));
  return length === 0 ? vector : vector.map((value) => value / length);
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}
