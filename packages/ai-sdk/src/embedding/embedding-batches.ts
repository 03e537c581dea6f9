/** Characters of one request: vendors count tokens, of which a character has at most three. */
const MAX_CHARACTERS = 100_000;

/** The texts in their order, in lists that one request may hold. A text that is too long by itself goes alone. */
export function* embeddingBatches(texts: readonly string[], most: number): Generator<readonly string[]> {
  let batch: string[] = [];
  let characters = 0;
  for (const text of texts) {
    if (batch.length > 0 && (batch.length >= most || characters + text.length > MAX_CHARACTERS)) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(text);
    characters += text.length;
  }
  if (batch.length > 0) yield batch;
}
