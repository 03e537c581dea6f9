import type { EmbeddingModelV4Result } from '@ai-sdk/provider';
import { AskemaError, type Usage } from '@askema/core';

/** What was asked for. */
interface Asked {
  /** `provider:model`. */
  readonly name: string;
  /** How many. */
  readonly texts: number;
  readonly dimensions: number | undefined;
}

/** The vectors of one request. Throws `MODEL_OUTPUT_INVALID` when one is missing, is none, or has another length. */
export function readEmbeddings(
  answer: Partial<EmbeddingModelV4Result> | undefined,
  { name, texts, dimensions }: Asked,
): { readonly vectors: readonly Float32Array[]; readonly usage: Usage } {
  const invalid = (what: string) =>
    new AskemaError('MODEL_OUTPUT_INVALID', `${name} gave ${what}. Check the model and its server.`);
  const given: unknown = answer?.embeddings;
  if (!Array.isArray(given)) throw invalid('no list of vectors');
  if (given.length !== texts) throw invalid(`${given.length} vectors for ${texts} texts`);
  const vectors = given.map((vector: unknown) => {
    if (!Array.isArray(vector) || vector.length === 0) throw invalid('a vector that is no list of numbers');
    if (!vector.every(isFloat)) throw invalid('a vector with something that is no number of 32 bits');
    return Float32Array.from(vector);
  });
  const length = dimensions ?? vectors[0]?.length;
  const other = vectors.find((vector) => vector.length !== length);
  if (other !== undefined)
    throw invalid(`a vector of length ${other.length} where ${length} was ${dimensions ? 'asked' : 'due'}`);
  // A provider that was told of no usage may say that it is not a number.
  const tokens = answer?.usage?.tokens;
  return { vectors, usage: Number.isFinite(tokens) ? { inputTokens: tokens } : {} };
}

function isFloat(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(Math.fround(value));
}
