/**
 * Characters of one request. OpenAI takes 300,000 tokens (CreateEmbeddingRequest), and a character is at most three
 * tokens.
 */
const MAX_CHARACTERS = 100_000;

/** The texts in their order, in lists that one request may hold. A text that is too long by itself goes alone. */
export function* embeddingBatches(texts: readonly string[], batchSize: number): Generator<readonly string[]> {
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
