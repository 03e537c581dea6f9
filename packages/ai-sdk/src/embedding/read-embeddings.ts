import type { EmbeddingModelV4Result } from '@ai-sdk/provider';
import { AskemaError, type Embedded, readVectors } from '@askema/core';

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
): Embedded {
  const invalid = (what: string) =>
    new AskemaError('MODEL_OUTPUT_INVALID', `${name} gave ${what}. Check the model and its server.`);
  const given: unknown = answer?.embeddings;
  if (!Array.isArray(given)) throw invalid('no list of vectors');
  if (given.length !== texts) throw invalid(`${given.length} vectors for ${texts} texts`);
  const vectors = readVectors(given, dimensions, invalid);
  // A provider that was told of no usage may say that it is not a number.
  const { tokens = -1 } = { ...answer?.usage };
  return { vectors, usage: Number.isFinite(tokens) && tokens >= 0 ? { inputTokens: tokens } : {} };
}
