import { splitWords } from '../../../text/index.ts';
import type { ResolvedQuery } from '../../resolved-query.ts';
import { MAX_QUESTION_CHARACTERS } from './question-cues.ts';

/** What stands in quotation marks is a value and says nothing about the shape of a statement. */
const QUOTED = /"[^"]{0,200}"|“[^”]{0,200}”|‘[^’]{0,200}’|(?<![\p{L}\p{N}])'[^']{1,200}'(?![\p{L}\p{N}])/gu;

/** The question as rules read it: its beginning, without quoted values, blanks made one; undefined where there is none. */
export function questionText({ question }: Pick<ResolvedQuery, 'question'>): string | undefined {
  const text = question?.slice(0, MAX_QUESTION_CHARACTERS).replaceAll(QUOTED, ' ').replaceAll(/\s+/g, ' ').trim();
  return text === '' ? undefined : text;
}

/** True where these words stand one behind the other in the question, plurals folded. */
export function saysInOrder(question: readonly string[], words: readonly string[]): boolean {
  return question.some((_, at) => words.every((word, offset) => question[at + offset] === word));
}

/** The shorter of two words that are grown from one stem has at least so many letters. */
const MIN_STEM = 4;

/**
 * Whether two words are the same, or one is in the other as names shorten and compose words: `enrolled` and `enrolment`, `cyl` and
 * `cylinder`, `name` and `lname`.
 */
export function haveOneStem(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  if (short.length < MIN_STEM) return short.length === MIN_STEM - 1 && long.length > 5 && long.startsWith(short);
  return long.startsWith(short) || long.endsWith(short) || (short.length > 5 && long.startsWith(short.slice(0, -2)));
}

/** Words of names that say what kind of thing a column is, and not which. */
const EMPTY_WORDS = new Set('id of the a an in at on no nr num code key is has and or for by to'.split(' '));

/** The words of a name that tell it from others. */
export function contentWords(name: string): readonly string[] {
  return splitWords(name).filter((word) => !EMPTY_WORDS.has(word));
}
