import { singularOf, surfaceForms } from '@askema/grounding';

/** A piece of a question or of a name. Offsets are UTF-16 code units into the text. */
export interface Word {
  /** `sign`: what has a meaning that nothing here reads: `>`, `%`, `+`. */
  readonly kind: 'word' | 'number' | 'date' | 'comma' | 'stop' | 'sign';
  /** As it stands, without the ending of `store's`. */
  readonly text: string;
  /** In lower case, without accents. */
  readonly lower: string;
  /** `lower` in the singular: under which words are compared. */
  readonly stem: string;
  readonly start: number;
  readonly end: number;
}

const PIECE =
  /(?<date>\d{4}-\d{2}-\d{2})(?![\p{L}\p{N}-])|(?<number>\d+(?:[.,]\d+)*)(?![\p{L}\p{N}])|(?<word>[\p{L}\p{M}\p{N}]+(?:['\u2019](?!s\b)\p{L}+)*)(?:['\u2019]s\b)?|(?<comma>,)|(?<stop>[.?;:\u2026]|!(?![\p{L}\p{N}]))|(?<nothing>\s+|["'\u2018\u2019\u201c\u201d()_]|(?<=[\p{L}\p{N}])[-\u2013](?=\p{L}))|(?<sign>[\s\S])/gu;

/**
 * The words of a text in their order. Quotation marks, brackets and the hyphens of `year-to-date` are left out, an
 * ending `'s` is dropped. Linear.
 */
export function wordsOf(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const { groups, index, 0: whole } of text.matchAll(PIECE)) {
    if (groups === undefined || groups.nothing !== undefined) continue;
    const { word, number, date, comma, stop } = groups;
    const kind = word ? 'word' : number ? 'number' : date ? 'date' : comma ? 'comma' : stop ? 'stop' : 'sign';
    const piece = word ?? whole;
    const lower = kind === 'word' ? surfaceForms(piece).folded : piece;
    const stem = kind === 'word' ? singularOf(lower) : lower;
    words.push({ kind, text: piece, lower, stem, start: index, end: index + whole.length });
  }
  return words;
}

/** The words of a name: `orderCount` and `order_count` are two. */
export function wordsOfName(name: string): readonly Word[] {
  return wordsOf(name.replace(/(?<=[a-z\d])(?=[A-Z])/gu, ' ').replace(/[_.-]+/gu, ' '));
}

/** Under which two phrases are the same. */
export function phraseKey(words: readonly Word[]): string {
  return words.map(({ stem }) => stem).join(' ');
}

/** The words as they are written, but for case. */
export function spellingOf(words: readonly Word[]): string {
  return words.map(({ lower }) => lower).join(' ');
}
