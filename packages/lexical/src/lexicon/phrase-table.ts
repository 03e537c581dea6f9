import type { Token } from '../tokenise/token.ts';

/** Phrases of one or more words with what they mean. */
export interface PhraseTable<T> {
  /** All phrases that stand at this token, longest first. */
  matches(tokens: readonly Token[], at: number): readonly PhraseMatch<T>[];
  /** All words that occur in its phrases. */
  readonly words: ReadonlySet<string>;
}

interface PhraseMatch<T> {
  readonly value: T;
  /** The token behind the phrase. */
  readonly end: number;
}

interface Entry<T> {
  readonly words: readonly string[];
  readonly value: T;
}

/** Builds a table. Phrases are lower case, words parted by single blanks; symbols like `>=` count as words. */
export function phraseTable<T>(phrases: readonly (readonly [phrase: string, value: T])[]): PhraseTable<T> {
  const byFirstWord = new Map<string, Entry<T>[]>();
  for (const [phrase, value] of phrases) {
    const words = phrase.split(' ');
    const first = words[0] ?? '';
    const group = byFirstWord.get(first);
    if (group === undefined) byFirstWord.set(first, [{ words, value }]);
    else group.push({ words, value });
  }
  for (const group of byFirstWord.values()) group.sort((a, b) => b.words.length - a.words.length);
  return {
    words: new Set(phrases.flatMap(([phrase]) => phrase.split(' '))),
    matches(tokens, at) {
      const token = tokens[at];
      if (token === undefined || (token.kind !== 'word' && token.kind !== 'symbol')) return [];
      return (byFirstWord.get(token.lower) ?? [])
        .filter(({ words }) => words.every((word, offset) => isWord(tokens[at + offset], word)))
        .map(({ words, value }) => ({ value, end: at + words.length }));
    },
  };
}

/** A table whose phrases all mean the same: for groups of words. */
export function phraseSet(phrases: readonly string[]): PhraseTable<true> {
  return phraseTable(phrases.map((phrase) => [phrase, true]));
}

function isWord(token: Token | undefined, word: string): boolean {
  return token !== undefined && (token.kind === 'word' || token.kind === 'symbol') && token.lower === word;
}
