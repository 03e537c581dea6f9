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

/**
 * Phrases that are made of one phrase of each table, in order, with the value of `valued`. It finds what a table of all
 * combinations would, which are too many to write out at each start.
 */
export function phraseChain<T>(
  before: readonly PhraseTable<unknown>[],
  valued: PhraseTable<T>,
  after: PhraseTable<unknown>,
): PhraseTable<T> {
  const behind = (ends: readonly number[], table: PhraseTable<unknown>, tokens: readonly Token[]): number[] =>
    ends.flatMap((end) => table.matches(tokens, end).map((match) => match.end));
  return {
    words: new Set([...before, valued, after].flatMap(({ words }) => [...words])),
    matches(tokens, at) {
      return before
        .reduce((ends: readonly number[], table) => behind(ends, table, tokens), [at])
        .flatMap((end) => valued.matches(tokens, end))
        .flatMap(({ value, end }) => after.matches(tokens, end).map((match) => ({ value, end: match.end })))
        .sort((a, b) => b.end - a.end);
    },
  };
}

/** A table whose phrases may also be left out. */
export function optional(table: PhraseTable<true>): PhraseTable<true> {
  return {
    words: table.words,
    matches: (tokens, at) => [...table.matches(tokens, at), { value: true, end: at }],
  };
}

function isWord(token: Token | undefined, word: string): boolean {
  return token !== undefined && (token.kind === 'word' || token.kind === 'symbol') && token.lower === word;
}
