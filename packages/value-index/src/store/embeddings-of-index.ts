import type { EmbeddingModel } from '@askema/core';
import { hasVectors, readMeta } from './attribute-rows.ts';
import type { Database } from './driver.ts';

/** Whose vectors an index holds, as its file says. */
export interface EmbeddingsOfIndex {
  /** `provider/model`. */
  readonly model: string;
  /** The length of each vector. */
  readonly dimensions: number;
}

/** An embedding model as the file and the process that reads it know it. */
export interface NamedEmbeddings {
  readonly name: string;
  /** Undefined where the model does not say. */
  readonly dimensions: number | undefined;
}

/** The length that a table of vectors can have, see `isExpected`. */
const MAX_DIMENSIONS = 999_999;

export function namedEmbeddings({ provider, modelId, dimensions }: EmbeddingModel): NamedEmbeddings {
  return { name: `${provider}/${modelId}`, dimensions };
}

/** Undefined for an index without vectors. */
export function embeddingsOfIndex(database: Database): EmbeddingsOfIndex | undefined {
  if (!hasVectors(database)) return undefined;
  const model = readMeta(database, 'embeddingModel');
  const dimensions = Number(readMeta(database, 'embeddingLength'));
  const isLength = Number.isSafeInteger(dimensions) && dimensions >= 1 && dimensions <= MAX_DIMENSIONS;
  return model === undefined || !isLength ? undefined : { model, dimensions };
}

export function isMadeBy({ name, dimensions }: NamedEmbeddings, stored: EmbeddingsOfIndex): boolean {
  return name === stored.model && (dimensions ?? stored.dimensions) === stored.dimensions;
}

/** For messages. */
export function vectorsName({ name, dimensions }: NamedEmbeddings): string {
  return dimensions === undefined ? name : `${name} with ${dimensions} dimensions`;
}
