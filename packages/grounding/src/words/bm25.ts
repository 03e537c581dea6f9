import { splitWords } from './split-words.ts';

/** A piece of a document or of a query, and what an occurrence in it counts. */
export interface WeightedText {
  readonly text: string;
  /** 1 is plain text; a name may count more, a comment less. */
  readonly weight: number;
}

export interface Bm25Options {
  /** How soon further occurrences of a word stop counting (k1). */
  readonly saturation?: number | undefined;
  /** How much a long document is held back: 0 not at all, 1 in proportion to its length (b). */
  readonly lengthNormalisation?: number | undefined;
}

export interface Bm25Match {
  /** Position of the document in the list that the index was made of. */
  readonly document: number;
  /** Above 0. Comparable within one query only. */
  readonly score: number;
}

export interface Bm25 {
  /** The documents that share a word with the query, best first; ties in the order of the documents. */
  rank(query: string | readonly WeightedText[]): Bm25Match[];
  /** What each word of the query would add at most: how rare it is. 0 for a word that no document has. */
  rarity(word: string): number;
}

const SATURATION = 1.2;
const LENGTH_NORMALISATION = 0.75;
/** A word that a query repeats counts more, up to this many times (k3 of the original formula). */
const QUERY_SATURATION = 2;

interface Posting {
  readonly document: number;
  readonly frequency: number;
}

/**
 * An index over documents for Okapi BM25 (Robertson and Zaragoza, "The Probabilistic Relevance Framework", 2009), over
 * the words of {@link splitWords}. Weighted pieces are added up before the frequency saturates, as in BM25F. Pure and
 * deterministic; building is linear in the text, ranking in the postings of the query's words.
 */
export function createBm25(documents: readonly (string | readonly WeightedText[])[], options: Bm25Options = {}): Bm25 {
  const { saturation = SATURATION, lengthNormalisation = LENGTH_NORMALISATION } = options;
  const postings = new Map<string, Posting[]>();
  const lengths: number[] = [];
  for (const [document, content] of documents.entries()) {
    const { frequencies, length } = weigh(content);
    lengths.push(length);
    for (const [word, frequency] of frequencies) {
      const list = postings.get(word);
      if (list === undefined) postings.set(word, [{ document, frequency }]);
      else list.push({ document, frequency });
    }
  }
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(lengths.length, 1) || 1;
  const rarity = (word: string): number => {
    const count = postings.get(word)?.length ?? 0;
    return count === 0 ? 0 : Math.log(1 + (documents.length - count + 0.5) / (count + 0.5));
  };

  return {
    rarity,
    rank(query) {
      const scores = new Map<number, number>();
      for (const [word, times] of weigh(query).frequencies) {
        const weight = (rarity(word) * times * (QUERY_SATURATION + 1)) / (QUERY_SATURATION + times);
        for (const { document, frequency } of postings.get(word) ?? []) {
          const norm = 1 - lengthNormalisation + lengthNormalisation * ((lengths[document] ?? 0) / mean);
          const share = (frequency * (saturation + 1)) / (frequency + saturation * norm);
          scores.set(document, (scores.get(document) ?? 0) + weight * share);
        }
      }
      return [...scores]
        .map(([document, score]) => ({ document, score }))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || a.document - b.document);
    },
  };
}

function weigh(content: string | readonly WeightedText[]): { frequencies: Map<string, number>; length: number } {
  const frequencies = new Map<string, number>();
  let length = 0;
  for (const { text, weight } of typeof content === 'string' ? [{ text: content, weight: 1 }] : content) {
    if (weight <= 0) continue;
    for (const word of splitWords(text)) {
      frequencies.set(word, (frequencies.get(word) ?? 0) + weight);
      length += weight;
    }
  }
  return { frequencies, length };
}
