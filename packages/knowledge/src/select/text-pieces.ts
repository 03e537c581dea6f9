import { statementsOf } from '../check/conflicts/statements.ts';
import type { KnowledgeText } from '../model/knowledge.ts';
import { proseWords } from './prose-words.ts';

/** A statement of a text: what is searched, and chosen by itself where the text is long. */
export interface TextPiece {
  readonly text: KnowledgeText;
  /** Of the text, in one line; cut where it is long. */
  readonly title: string;
  /** The statement, or the whole of a short text. */
  readonly shown: string;
  readonly words: ReadonlySet<string>;
  /** Words of the term that it defines, or of what it is for: `To get X, …`. Empty where it says neither. */
  readonly about: string;
  readonly isDefinition: boolean;
  /** What turns it into its opposite, and its numbers, as they stand: no two that differ in them say the same. */
  readonly turns: string;
}

const MAX_TITLE = 200;
/** So much of a text is one thought and stays whole. */
const SHORT_CHARACTERS = 240;
/** Begins what cannot be read without the statement before it. */
const LEANS_BACK = /^(?:it|its|this|that|these|those|they|then|otherwise|but|also|therefore|so|and|or)\b/iu;
/** Ends what cannot be read without the statement behind it: `To calculate the` before `TSC = …`. */
const LEANS_ON = /\b(?:the|an?|of|for|to|and|or|by|with|in)$/iu;
const PURPOSE = /^(?:to|for|when|if|where)\b([^,=]{3,120}),/iu;
const TERM = /^([^=]{2,80}?) ?=\s/u;
const FENCE = /^```[^\n]*\n([\s\S]*?)^```[^\n]*$/mu;
const TURNS = /\b(?:not|no|never|without|except|instead)\b|n't\b|[<>=!]+|\d+/giu;
/** Of the words of two statements, the part that both have where they say the same. */
const SAME = 0.75;

export function textPieces(text: KnowledgeText): TextPiece[] {
  const whole = laidOut(text.text);
  const title = plain(text.title.slice(0, MAX_TITLE));
  const isShort = whole.length <= SHORT_CHARACTERS;
  return statements(text).map((said) => ({
    text,
    title,
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

/** Code stays with the statement before it. */
function statements(text: KnowledgeText): string[] {
  const found: string[] = [];
  const addTo = (before: string | undefined, more: string, mark: string): void => {
    if (before === undefined) found.push(more.trim());
    else found[found.length - 1] = `${before}${mark}${more}`;
  };
  const addStatement = (said: string): void => {
    const before = found.at(-1);
    if (before !== undefined && LEANS_ON.test(before)) addTo(before, said, ' ');
    else addTo(LEANS_BACK.test(said) ? before : undefined, said, '. ');
  };
  for (const [at, part] of text.text.split(FENCE).entries())
    if (at % 2 === 1) addTo(found.at(-1), indented(part), '');
    else
      for (const { text: said } of statementsOf({ texts: [{ ...text, text: part, kind: 'rule' }] }))
        addStatement(plain(said));
  return found;
}

function laidOut(text: string): string {
  return text
    .split(FENCE)
    .map((part, at) => (at % 2 === 1 ? indented(part) : plain(part)))
    .join('')
    .trim();
}

/** Below a line, as the statements of examples are. */
export function indented(code: string): string {
  return `\n${code.trim()}`.replaceAll(/\r?\n/gu, '\n  ');
}

/** In one line. */
export function plain(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}
