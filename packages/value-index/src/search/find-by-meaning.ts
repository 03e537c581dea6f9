import { AskemaError, type CallContext, type EmbeddingModel } from '@askema/core';
import { vectorBytes } from '../build/embed-cells.ts';
import { readMeta } from '../store/attribute-rows.ts';
import type { Database } from '../store/driver.ts';
import { ID_RANGE } from '../store/index-schema.ts';
import type { ScoredCell } from './find-cells.ts';

/** Vectors less alike than this have nothing to do with each other. Cosine similarity. */
const MIN_SIMILARITY = 0.5;
/** The score of the same meaning: below that of every cell that only differs in spelling. */
const MEANING_SCORE = 0.8;
/** Attributes that are asked one by one; more are asked together. */
const MAX_PARTITIONS = 16;

/**
 * The vector of a text that is looked for.
 *
 * Rejects with what the model rejects with.
 */
export async function embedText(model: EmbeddingModel, text: string, context: CallContext): Promise<Float32Array> {
  const { vectors } = await model.embed([text], context);
  return vectors[0] ?? new Float32Array();
}

/**
 * The cells whose vectors are nearest to that of a text: all vectors are compared. Their score is their cosine
 * similarity, scaled.
 *
 * @throws AskemaError `CONTRACT_MISMATCH` for a vector of another length.
 */
export function findByMeaning(
  database: Database,
  query: {
    readonly vector: Float32Array;
    readonly numbers: readonly number[] | undefined;
    readonly counts: (attribute: number) => boolean;
    readonly limit: number;
  },
): readonly ScoredCell[] {
  const { vector, numbers, counts, limit } = query;
  const length = Number(readMeta(database, 'embeddingLength'));
  if (vector.length !== length)
    throw new AskemaError(
      'CONTRACT_MISMATCH',
      `The embedding model returned a vector of length ${vector.length}; those of the index have ${length}. Build the index anew.`,
    );
  // The zero vector has no direction, and so no neighbours.
  if (vector.every((value) => value === 0)) return [];
  const wanted = vectorBytes(vector);
  const partitions = numbers !== undefined && numbers.length <= MAX_PARTITIONS ? numbers : undefined;
  const nearest = (condition: string, ...parameters: readonly unknown[]): Neighbour[] =>
    database
      .prepare(
        `SELECT near.id AS id, near.distance AS distance, value.cell AS cell FROM (SELECT rowid AS id, distance FROM cell_vector WHERE vector MATCH ? AND k = ?${condition}) AS near JOIN value ON value.id = near.id`,
      )
      .all(wanted, Math.min(4_096, Math.max(64, limit * 4)), ...parameters) as Neighbour[];
  const neighbours =
    partitions === undefined
      ? nearest('')
      : partitions.flatMap((number) => nearest(' AND attribute = CAST(? AS INTEGER)', number));
  return neighbours.flatMap(({ id, cell, distance }) => {
    const attribute = Math.floor(id / ID_RANGE);
    const similarity = 1 - distance;
    if (similarity < MIN_SIMILARITY || !counts(attribute)) return [];
    return { attribute, cell, score: Math.min(1, similarity) * MEANING_SCORE };
  });
}

interface Neighbour {
  readonly id: number;
  readonly cell: string;
  readonly distance: number;
}
