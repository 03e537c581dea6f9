import { AskemaError, type Embedded, readVectors } from '@askema/core';
import { failureInside } from '../chat/chat-result.ts';
import type { OpenAiSettings } from '../openai-settings.ts';
import { type ChatUsage, chatUsage } from '../usage.ts';

/** What is read of an answer. Compatible servers leave out what they do not know. */
interface EmbeddingAnswer {
  readonly data?: unknown;
  readonly usage?: ChatUsage | null | undefined;
  readonly error?: unknown;
}

interface Asked extends Pick<OpenAiSettings, 'provider' | 'model' | 'url'> {
  /** How many. */
  readonly texts: number;
  readonly dimensions: number | undefined;
}

/**
 * Reads a list of embeddings, each at the place that its `index` says. Throws `MODEL_REQUEST_FAILED` when the answer is
 * no such list, `MODEL_OUTPUT_INVALID` when a vector is missing, is none, or has another length, and a vendor's failure
 * that came with HTTP 200.
 */
export function readEmbeddings(answer: unknown, asked: Asked): Embedded {
  const { data, usage, error } = typeof answer === 'object' && answer !== null ? (answer as EmbeddingAnswer) : {};
  if (error !== undefined && error !== null) throw failureInside(error);
  if (!Array.isArray(data))
    throw new AskemaError(
      'MODEL_REQUEST_FAILED',
      `The answer of ${asked.provider}:${asked.model} at ${asked.url} is no list of embeddings: it has no \`data\`. Check that the server makes embeddings, and that \`baseURL\` ends where its API begins, usually at /v1.`,
    );
  if (data.length !== asked.texts) throw invalid(asked, `${data.length} vectors for ${asked.texts} texts`);
  const placed: unknown[] = Array.from({ length: asked.texts });
  for (const [at, entry] of data.entries()) {
    const { index = at, embedding } = (entry ?? {}) as { readonly index?: unknown; readonly embedding?: unknown };
    if (!isPlace(index, asked.texts) || placed[index] !== undefined)
      throw invalid(asked, `a vector with the index ${String(JSON.stringify(index)).slice(0, 40)}`);
    placed[index] = embedding;
  }
  const vectors = readVectors(placed, asked.dimensions, (what) => invalid(asked, what));
  return { vectors, usage: chatUsage(usage) };
}

function isPlace(index: unknown, texts: number): index is number {
  return Number.isSafeInteger(index) && (index as number) >= 0 && (index as number) < texts;
}

function invalid({ provider, model, url }: Asked, what: string): AskemaError {
  return new AskemaError(
    'MODEL_OUTPUT_INVALID',
    `${provider}:${model} at ${url} gave ${what}. Check the model and its server; leave out \`dimensions\` where the server does not know them.`,
  );
}
