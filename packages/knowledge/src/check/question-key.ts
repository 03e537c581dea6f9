import { plainQuestion } from '../verified/plain-question.ts';
import { wordsOf } from '../words/words-of.ts';

/** Words without which a question asks the same. Others, such as `without`, turn it into another. */
const SAYS_NOTHING: ReadonlySet<string> = new Set(
  'a an the of for in is are was were do does did what which show list give get me us our'.split(' '),
);

/** Equal for questions that ask the same in nearly the same words, in the same order. */
export function questionKey(question: string): string {
  const words = plainQuestion(question).flatMap(({ plain }) => wordsOf(plain));
  return words
    .filter(({ lower }) => !SAYS_NOTHING.has(lower))
    .map(({ stem }) => stem)
    .join(' ');
}
