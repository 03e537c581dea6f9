import { statementsOf } from '../check/conflicts/statements.ts';
import type { KnowledgeText } from '../model/knowledge.ts';
import { proseWords } from './prose-words.ts';

/** A statement of a text: what is searched, and chosen by itself where the text is long. */
export interface TextPiece {
  readonly text: KnowledgeText;
  /** The statement, or the whole of a short text. */
  readonly shown: string;
  readonly words: string;
  /** Words of the term that it defines, or of what it is for: `To get X, …`. Empty where it says neither. */
  readonly about: string;
  /** Statements with the same one say the same. */
  readonly key: string;
}

/** So much of a text is one thought and stays whole. */
const SHORT_CHARACTERS = 240;
/** Begins what cannot be read without the statement before it. */
const LEANS_BACK = /^(?:it|its|this|that|these|those|they|then|otherwise|but|also|therefore|so|and|or)\b/iu;
const PURPOSE = /^(?:to|for|when|if|where)\b([^,=]{3,120}),/iu;
const TERM = /^([^=]{2,80}?) ?=/u;
/** What turns a statement into its opposite, and is no word to search for. */
const TURNS = /\b(?:not|no|never|without|except|instead)\b|n't\b|[<>=!]+/giu;

export function textPieces(text: KnowledgeText): TextPiece[] {
  const whole = plain(text.text);
  const isShort = whole.length <= SHORT_CHARACTERS;
  return statements(text).map((said) => ({
    text,
    shown: isShort ? whole : said,
    words: proseWords(said),
    about: proseWords((PURPOSE.exec(said) ?? TERM.exec(said))?.[1] ?? ''),
    key: [...proseWords(said).split(' ').sort(), ...(said.toLowerCase().match(TURNS) ?? [])].join(' '),
  }));
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

function plain(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
