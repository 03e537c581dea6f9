import { lemma } from './lemma.ts';
import type { Token } from './token.ts';

const PREPOSITIONS: ReadonlySet<string> = new Set(['for', 'with', 'to', 'by']);
const SAYS_NOTHING: ReadonlySet<string> = new Set(['yet', 'here', 'anything']);
const TIME = /^(?:(?:19|20)\d\d|last|this|since|month|monthly|year|yearly|quarter|quarterly|week|today)$/u;

/**
 * The tokens that say which rows are meant: without those that only say who asks ("with us", "work here"), that it is
 * asked of now ("not shipped yet"), or in what a share is given ("in percent"). "New customers" of some time are those
 * that came then.
 */
export function withoutFillers(tokens: readonly Token[]): readonly Token[] {
  const hasTime = tokens.some(({ lower }) => TIME.test(lower));
  const hasShare = tokens.some(({ lower }) => lower === 'share' || lower === 'proportion' || lower === 'percentage');
  const word = (at: number): string => tokens[at]?.lower ?? '';
  const isUs = (at: number): boolean => tokens[at]?.text === 'us' && !['in', 'from', 'the'].includes(word(at - 1));
  return tokens.filter((token, at) => {
    // "full-time" is two words.
    if (token.text === '-') return tokens[at - 1]?.kind !== 'word' || tokens[at + 1]?.kind !== 'word';
    if (token.kind !== 'word' || token.text !== token.lower) return true;
    if (isUs(at) || (isUs(at + 1) && PREPOSITIONS.has(token.lower)) || SAYS_NOTHING.has(token.lower)) return false;
    if (token.lower === 'money' && word(at - 1) === 'much') return false;
    if ((token.lower === 'so' && word(at + 1) === 'far') || (token.lower === 'far' && word(at - 1) === 'so'))
      return false;
    if (hasShare && token.lower === 'in' && word(at + 1) === 'percent') return false;
    if (hasShare && token.lower === 'percent' && word(at - 1) === 'in') return false;
    const next = tokens[at + 1];
    return !(token.lower === 'new' && hasTime && next?.kind === 'word' && next.text === next.lower);
  });
}

/** "unpaid" is "not paid". */
export function undone(token: Token): readonly Token[] {
  const positive = /^un(paid|sold|sent|[a-z]{4,}ed)$/u.exec(token.lower)?.[1];
  if (token.kind !== 'word' || positive === undefined || NO_OPPOSITES.has(token.lower)) return [token];
  const { start, end } = token;
  return [
    { kind: 'word', text: 'not', lower: 'not', lemma: 'not', start, end: start + 2 },
    { kind: 'word', text: positive, lower: positive, lemma: lemma(positive), start: start + 2, end },
  ];
}

const NO_OPPOSITES: ReadonlySet<string> = new Set(['united', 'unified', 'uniformed']);
