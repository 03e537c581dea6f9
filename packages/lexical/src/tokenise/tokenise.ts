import { lemma } from './lemma.ts';
import type { Token, TokenKind } from './token.ts';

interface Pattern {
  readonly kind: TokenKind | 'contraction' | 'blank';
  /** Made when it is first tried: a pattern with `\p` takes long to make. */
  readonly pattern: () => RegExp;
  /** What it begins with; most questions have none of it. */
  readonly first?: string;
}

const QUOTE = "'\u2019";
const DIGIT = '0123456789';

const PATTERNS: readonly Pattern[] = [
  { kind: 'blank', pattern: () => /\s+/uy },
  {
    kind: 'quoted',
    pattern: () => /"([^"]*)"|\u201c([^\u201d]*)\u201d|\u2018([^\u2019]*)\u2019|\u00ab([^\u00bb]*)\u00bb|`([^`]*)`/uy,
  },
  { kind: 'quoted', first: QUOTE, pattern: () => /(?<![\p{L}\p{N}])'(\S(?:[^']|'(?=\p{L}))*?)'(?![\p{L}\p{N}])/uy },
  { kind: 'date', first: DIGIT, pattern: () => /\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?)?(?![\p{L}\p{N}-])/uy },
  { kind: 'number', first: DIGIT, pattern: () => /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?![\p{L}\p{N}])/uy },
  {
    kind: 'number',
    first: DIGIT,
    pattern: () =>
      /\d+(?:\.\d+)?(?=$|[^\p{L}\p{N}]|(?:cm|mm|km|kg|m|g|lbs?|ft|k|mb|gb|mins?|hrs?|st|nd|rd|th)(?![\p{L}\p{N}]))/uy,
  },
  { kind: 'contraction', first: 'nN', pattern: () => /[nN]['\u2019][tT](?!\p{L})/uy },
  { kind: 'possessive', first: QUOTE, pattern: () => /['\u2019][sS](?!\p{L})|(?<=[sS])['\u2019](?!\p{L})/uy },
  // "don't" is "do" and "not"; the word ends before "n't". With `\p`, the flag `i` takes many times as long to make.
  { kind: 'word', pattern: () => /[\p{L}\p{N}_]+?(?=[nN]['\u2019][tT](?!\p{L}))/uy },
  { kind: 'word', pattern: () => /[\p{L}\p{M}\p{N}_]+/uy },
  { kind: 'symbol', pattern: () => /[<>!]=|<>|==|[<>=$%\u20ac\u00a3&+/]/uy },
  { kind: 'stop', pattern: () => /[.?!]+/uy },
  { kind: 'comma', pattern: () => /[,;:]/uy },
  { kind: 'other', pattern: () => /[\s\S]/uy },
];

/** Splits a question into tokens. Never throws; white space is left out, everything else is kept. */
export function tokenise(question: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < question.length) {
    const [kind, match] = firstMatch(question, at);
    const end = at + match[0].length;
    const token = kind === 'blank' ? undefined : createToken(kind, match, at, end);
    if (token !== undefined) tokens.push(token);
    at = end;
  }
  return tokens;
}

function firstMatch(question: string, at: number): readonly [Pattern['kind'], RegExpExecArray] {
  for (const { kind, pattern, first } of PATTERNS) {
    if (first?.includes(question.charAt(at)) === false) continue;
    const sticky = pattern();
    sticky.lastIndex = at;
    const match = sticky.exec(question);
    if (match !== null) return [kind, match];
  }
  throw new Error('The last pattern matches every character.');
}

function createToken(kind: Pattern['kind'], match: RegExpExecArray, start: number, end: number): Token | undefined {
  const whole = match[0];
  if (kind === 'blank') return undefined;
  if (kind === 'contraction') return { kind: 'word', text: whole, lower: 'not', lemma: 'not', start, end };
  const text = kind === 'quoted' ? (match.slice(1).find((group) => group !== undefined) ?? '') : whole;
  const lower = text.toLowerCase();
  const base = { kind, text, lower, lemma: kind === 'word' ? lemma(lower) : lower, start, end };
  if (kind === 'number') return { ...base, value: Number(text.replaceAll(',', '')) };
  if (kind === 'date') return { ...base, isoDate: text.replace(' ', 'T') };
  return base;
}
