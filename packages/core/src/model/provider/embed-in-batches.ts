import { AskemaError } from '../../errors/askema-error.ts';
import type { EmbeddingModel } from '../embedding-model.ts';
import { addUsage, type Usage } from '../usage.ts';

/** Vectors in the order of their texts, and what they cost. */
export type Embedded = Awaited<ReturnType<EmbeddingModel['embed']>>;

/** How a model embeds. */
export interface BatchedEmbedding {
  /** `provider:model`, for messages. */
  readonly name: string;
  /** Texts of one request at most. */
  readonly batchSize: number;
  /** One request. All vectors have one length. */
  embed(texts: readonly string[]): Promise<Embedded>;
}

/** Characters of one request: OpenAI takes 300,000 tokens (CreateEmbeddingRequest), and a character has at most three. */
const MAX_CHARACTERS = 100_000;

/** Sent in the place of an empty text, which servers refuse. */
const STAND_IN = '-';

/**
 * Embeds texts in as many requests as they need, one after the other: at most `batchSize` texts and 100,000 characters
 * each. An empty text is not sent, and has the zero vector. Rejects with `MODEL_OUTPUT_INVALID` where a later request
 * gives vectors of another length.
 */
export async function embedInBatches(
  texts: readonly string[],
  { name, batchSize, embed }: BatchedEmbedding,
): Promise<Embedded> {
  const vectors: Float32Array[] = [];
  let usage: Usage = {};
  for (const batch of embeddingBatches(texts, batchSize)) {
    const embedded = await embed(batch.map((text) => (isEmpty(text) ? STAND_IN : text)));
    const next = embedded.vectors[0]?.length;
    const length = vectors[0]?.length ?? next;
    if (next !== length)
      throw new AskemaError(
        'MODEL_OUTPUT_INVALID',
        `${name} gave vectors of length ${length}, and then of ${next}; all must have one length. Check which model the server runs.`,
      );
    for (const [at, vector] of embedded.vectors.entries())
      vectors.push(isEmpty(batch[at] ?? '') ? vector.map(() => 0) : vector);
    usage = addUsage(usage, embedded.usage);
  }
  return { vectors, usage };
}

function isEmpty(text: string): boolean {
  return text.trim() === '';
}

/** The texts in their order, in lists that one request may hold. A text that is too long by itself goes alone. */
function* embeddingBatches(texts: readonly string[], batchSize: number): Generator<readonly string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length > 0 && (batch.length >= batchSize || characters + text.length > MAX_CHARACTERS)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}
