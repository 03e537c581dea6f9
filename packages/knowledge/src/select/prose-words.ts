import { splitWords } from '@askema/grounding';
import { isEmpty, wordOf } from '../check/conflicts/meaning-words.ts';

/** What makes an abbreviation a word of its own, which no other word equals. */
const MARK = 'abbreviated';
const ABBREVIATION = /(?<![\p{L}\p{N}])\p{Lu}[\p{Lu}\p{N}]{1,9}(?![\p{L}\p{N}])/gu;

/**
 * The words of prose by which it is searched: stems of those that can name something, and abbreviations as they are
 * written: `US` is not "us".
 */
export function proseWords(text: string): string {
  const words = splitWords(text).flatMap((word) => (isEmpty(word) ? [] : [wordOf(word)]));
  for (const [abbreviation] of text.matchAll(ABBREVIATION)) words.push(MARK + abbreviation.toLowerCase());
  return words.join(' ');
}

/** Of those words: it stands for an abbreviation. */
export function isAbbreviation(word: string): boolean {
  return word.startsWith(MARK) && word !== MARK;
}

/**
 * Those of a question, each with what stands there for it. The initials of three to five words are there as well:
 * "average order value" finds `AOV`.
 */
export function questionWords(question: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const tokens = question.match(/[\p{L}\p{M}\p{N}_]+/gu) ?? [];
  for (const token of tokens) for (const word of proseWords(token).split(' ')) found.set(word, token);
  for (const at of tokens.keys())
    for (const run of [3, 4, 5].map((length) => tokens.slice(at, at + length))) {
      const initials = MARK + run.map((token) => token.charAt(0).toLowerCase()).join('');
      if (run.length > 2 && !found.has(initials)) found.set(initials, run.join(' '));
    }
  found.delete('');
  return found;
}
