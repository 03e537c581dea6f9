import { statementsOf } from '../check/conflicts/statements.ts';
import type { KnowledgeText } from '../model/knowledge.ts';
import { proseWords } from './prose-words.ts';

/** A statement of a text: what is searched, and chosen by itself where the text is long. */
export interface TextPiece {
  readonly text: KnowledgeText;
  /** The statement, or the whole of a short text. */
  readonly shown: string;
  readonly words: ReadonlySet<string>;
  /** Words of the term that it defines, or of what it is for: `To get X, …`. Empty where it says neither. */
  readonly about: string;
  readonly isDefinition: boolean;
  /** What turns it into its opposite, and its numbers, as they stand: no two that differ in them say the same. */
  readonly turns: string;
}

/** So much of a text is one thought and stays whole. */
const SHORT_CHARACTERS = 240;
/** Begins what cannot be read without the statement before it. */
const LEANS_BACK = /^(?:it|its|this|that|these|those|they|then|otherwise|but|also|therefore|so|and|or)\b/iu;
const PURPOSE = /^(?:to|for|when|if|where)\b([^,=]{3,120}),/iu;
const TERM = /^([^=]{2,80}?) ?=\s/u;
const TURNS = /\b(?:not|no|never|without|except|instead)\b|n't\b|[<>=!]+|\d+/giu;
/** Of the words of two statements, the part that both have where they say the same. */
const SAME = 0.75;

export function textPieces(text: KnowledgeText): TextPiece[] {
  const whole = plain(text.text);
  const isShort = whole.length <= SHORT_CHARACTERS;
  return statements(text).map((said) => ({
    text,
    isDefinition: TERM.test(said),
    shown: isShort ? whole : said,
    words: new Set(proseWords(said).split(' ')),
    about: proseWords((PURPOSE.exec(said) ?? TERM.exec(said))?.[1] ?? ''),
    turns: (said.toLowerCase().match(TURNS) ?? []).join(' '),
  }));
}

/** Two wordings of one thing. */
export function saySame(a: TextPiece, b: TextPiece): boolean {
  if (a.turns !== b.turns) return false;
  let shared = 0;
  for (const word of a.words) if (b.words.has(word)) shared += 1;
  return shared >= SAME * (a.words.size + b.words.size - shared);
}

function statements(text: KnowledgeText): string[] {
  const found: string[] = [];
  for (const { text: said } of statementsOf({ texts: [{ ...text, kind: 'rule' }] })) {
    const before = found.at(-1);
    if (before !== undefined && LEANS_BACK.test(said)) found[found.length - 1] = `${before}. ${said}`;
    else found.push(said);
  }
  return found.map(plain);
}

/** In one line. */
export function plain(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
