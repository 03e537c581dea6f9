import { splitWords } from './split-words.ts';

/** Words of questions that name nothing. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  'a about after all also among an and any are as at based be been before being between both by can could did do does during each either every for from had has have having he her his how i if in including into is it its list may me more most much my no not of on only or other our out over per please provide return she should show so some such tell than that the their them then there these they this those to under up us was we were what when where whether which while who whose why will with within without would you your'.split(
    ' ',
  ),
);

/** The words of a question that can name something, once each. */
export function contentWords(question: string): Set<string> {
  return new Set(splitWords(question).filter((word) => !STOP_WORDS.has(word)));
}
