import { splitWords } from '@askema/grounding';
import type { ResolvedQuery } from '../../resolve/resolved-query.ts';

/**
 * Words of English questions and what they ask of a statement. Each pattern is linear in the length of the question, of
 * which no more than {@link MAX_QUESTION_CHARACTERS} are read.
 */
const MAX_QUESTION_CHARACTERS = 2000;

const NUMBER_WORDS: Readonly<Record<string, number>> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
};
const NUMBER = `(\\d{1,5}|${Object.keys(NUMBER_WORDS).join('|')})`;

/** The number that a group of a cue caught. */
export function cueNumber(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = NUMBER_WORDS[text.toLowerCase()] ?? Number(text);
  return Number.isInteger(number) ? number : undefined;
}

/** Asks for rows in an order, whatever by. */
export const ORDER_CUES: readonly RegExp[] = [
  /\bin\s(?:an?\s|the\s)?(?:(?:de|a)scending|alphabetical|reverse|lexicographical|chronological|increasing|decreasing)\b/i,
  /\b(?:de|a)scending(?:ly)?\s(?:order|by)\b/i,
  /\balphabetically\b/i,
  /\b(?:sort(?:ed)?|ranked)\s(?:\w+\s){0,4}?by\b/i,
  /\bfrom\s(?:the\s)?(?:most|highest|largest|biggest|oldest|youngest|earliest|latest|newest|longest|shortest|cheapest|least|lowest|smallest|high|low|old|young)\b[^.?!,]{0,40}?\sto\s(?:the\s)?(?:most|highest|largest|biggest|oldest|youngest|earliest|latest|newest|longest|shortest|least|lowest|smallest|low|high|young|old)\b/i,
];

/** "ordered by" may also be about purchases. It asks for an order only where the name of an attribute follows. */
export const ORDERED_BY = /\bordered\sby\s(?:the\s|their\s|its\s)?([\w ]{1,60})/i;

export const DESCENDING = /\b(?:descending|decreasing)\b/i;
export const ASCENDING = /\b(?:ascending|alphabetical(?:ly)?|increasing)\b/i;

/** What is not a number of rows behind "first" and "last". */
const NO_ROWS =
  '(?!\\s(?:\\w+\\s)?(?:letters?|characters?|digits?|words?|names?|seconds?|minutes?|hours?|days?|weeks?|months?|quarters?|years?|decades?|seasons?|times?)\\b)';

/** The n first rows by something: group 1 is n. */
export const TOP_CUES: readonly RegExp[] = [
  new RegExp(`\\btop\\s${NUMBER}\\b(?!\\s?(?:%|percent))`, 'i'),
  new RegExp(`\\b(?:first|last)\\s${NUMBER}\\b${NO_ROWS}`, 'i'),
  new RegExp(
    `\\bthe\\s${NUMBER}\\s(?:most|least|fewest|highest|lowest|largest|smallest|biggest|oldest|youngest|longest|shortest|tallest|cheapest|latest|earliest|newest)\\b`,
    'i',
  ),
];

/**
 * One row, by a superlative: group 1 is the superlative. "the most of" and "at the latest" are none; "the first" and
 * "the last" mostly are parts of names.
 */
export const SUPERLATIVE =
  /\b(?<!\bat\s)the\s(?:single\s)?(most|least|fewest|highest|lowest|largest|smallest|biggest|greatest|oldest|youngest|longest|shortest|tallest|heaviest|lightest|earliest|latest|newest|cheapest|priciest|fastest|slowest|strongest|weakest|richest|poorest)\b(?!\sof\b)/i;

/** An order that begins with an extreme: with ORDER BY nothing more is asked for. */
export const ORDER_FROM_EXTREME =
  /\b(?:order(?:ed|ing)?|sort(?:ed|ing)?|rank(?:ed|ing)?|starting|beginning|listed)\b[^.?!]{0,60}?\s(?:by|with|from|on)\s(?:the\s)?/i;

/** Any rows will do. */
export const ANY_ROWS = /\b(?:any|some|sample|samples|example|examples|preview|random|arbitrary)\b/i;

/** Things without repetition. "Different from" compares, "unique identifier" names, "across different" groups. */
export const DISTINCT_CUE =
  /\b(?<!\b(?:across|among|between|over)\s(?:the\s)?)(different|distinct|unique)\b(?!\s(?:from|than|to)\b)(?!\s(?:id|ids|identifier|identifiers|key|keys|code|codes|number|value|reference)\b)/i;

/**
 * Words of questions that mean what names of attributes call otherwise. Only whole words count: `age`, not `average`.
 */
export const IMPLIED_WORDS: Readonly<Record<string, readonly string[]>> = {
  old: ['age'],
  older: ['age'],
  oldest: ['age', 'birth', 'birthday'],
  younger: ['age'],
  youngest: ['age', 'birth', 'birthday'],
  heavier: ['weight'],
  heaviest: ['weight'],
  taller: ['height'],
  tallest: ['height'],
  cheaper: ['price', 'cost'],
  cheapest: ['price', 'cost'],
  expensive: ['price', 'cost', 'amount'],
  cost: ['price', 'amount'],
  costs: ['price', 'amount'],
  pay: ['amount', 'total', 'payment', 'price'],
  paid: ['amount', 'total', 'payment', 'price'],
  spend: ['amount', 'total', 'spent', 'payment', 'price', 'cost'],
  spent: ['amount', 'total', 'payment', 'price', 'cost'],
  earn: ['salary', 'income', 'wage', 'earnings'],
  earns: ['salary', 'income', 'wage', 'earnings'],
  larger: ['size', 'area'],
  largest: ['size', 'area', 'population'],
  longer: ['length', 'duration'],
  longest: ['length', 'duration'],
  born: ['birth', 'birthday', 'birthdate'],
  nation: ['country', 'nationality'],
  nationality: ['country'],
  place: ['location', 'city', 'venue'],
  where: ['location', 'city', 'venue', 'address', 'country', 'state'],
  live: ['city', 'address', 'state', 'country', 'residence'],
  gender: ['sex'],
  sex: ['gender'],
  color: ['colour'],
  colour: ['color'],
  when: ['date', 'year', 'time'],
};

/** "The largest number of" is about rows, and no size. */
export const COUNT_SUPERLATIVE = /\b(?:larger|largest|longer|longest)\s(?:number|amount|count|share|total)s?\b/gi;

/** Words of names that say: this only tells one row from another. */
export const ID_WORDS: ReadonlySet<string> = new Set('id identifier uid uuid guid key'.split(' '));

/** Asks for ids and codes, also by a name that ends so: `StudyUIDs`. */
export const ID_CUE = /\b(?:ids?|identifiers?|u[iu]ids?|keys?|codes?|numbers?(?!\sof\b))\b/i;
export const ID_NAME_CUE = /[A-Za-z]IDs?\b/;

/** Asks for a point in time, whatever happened then. */
export const TIME_CUE = /\b(?:dates?|days?|times?|when|timestamps?)\b/i;

/** Names that say only that there is something in the column. */
export const OPAQUE_WORDS: ReadonlySet<string> = new Set(
  'text value val content body data datum info field'.split(' '),
);

/** Asks for whole rows: "all information", "the details". */
export const ALL_CUE =
  /\b(?:all|every|full|complete|the) (?:of the |the |available )?(?:information|info|details?|data|columns|attributes|fields)\b/i;

/** Asks for something worked out for each of several things. */
export const EACH_CUE = /\b(?:each|every|per|different|across|respective(?:ly)?)\b/i;

/** Asks for people, whatever the relation that holds them is called: they are shown by their names. */
export const PERSON_CUE = /\b(?:who|whom|whose|anybody|anyone|somebody|someone|everybody|everyone|people|persons?)\b/i;

/** Words of names that stand for the thing itself: such columns are shown where the thing is asked for. */
export const LABEL_WORDS: ReadonlySet<string> = new Set('name title label description'.split(' '));

/** What stands in quotation marks is a value and says nothing about the shape of a statement. */
const QUOTED = /"[^"]{0,200}"|“[^”]{0,200}”|‘[^’]{0,200}’|(?<![\p{L}\p{N}])'[^']{1,200}'(?![\p{L}\p{N}])/gu;

/**
 * The question as rules read it: its beginning, without quoted values, blanks made one; undefined where there is none.
 */
export function questionText({ question }: Pick<ResolvedQuery, 'question'>): string | undefined {
  const text = question?.slice(0, MAX_QUESTION_CHARACTERS).replaceAll(QUOTED, ' ').replaceAll(/\s+/g, ' ').trim();
  return text === '' ? undefined : text;
}

/** True where these words stand one behind the other in the question, plurals folded. */
export function saysInOrder(question: readonly string[], words: readonly string[]): boolean {
  return question.some((_, at) => words.every((word, offset) => question[at + offset] === word));
}

/**
 * Whether the question names something by these words alone, and not only in a phrase that what the statement reads
 * stands for: a "connecting flight" is no flight where `minimum_connect_time` is read.
 */
export function isNamedAlone(question: string, words: readonly string[], read: readonly string[]): boolean {
  return question.split(/[^\p{L}\p{N}\s'_-]+/u).some((phrase) => {
    const said = splitWords(phrase);
    return said.some((_, at) => {
      if (!words.every((word, offset) => said[at + offset] === word)) return false;
      const before = said[at - 1] ?? '';
      return before.length < MIN_STEM || !read.some((word) => haveOneStem(before, word));
    });
  });
}

/** The shorter of two words that are grown from one stem has at least so many letters. */
const MIN_STEM = 4;

/**
 * Whether two words are the same, or one is in the other as names shorten and compose words: `enrolled` and
 * `enrolment`, `cyl` and `cylinder`, `name` and `lname`.
 */
export function haveOneStem(a: string, b: string): boolean {
  if (a === b) return true;
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  // `copy` and `copied`
  if (short.length >= MIN_STEM && short.endsWith('y') && long.startsWith(`${short.slice(0, -1)}i`)) return true;
  if (short.length < MIN_STEM) return short.length === MIN_STEM - 1 && long.length > 5 && long.startsWith(short);
  return long.startsWith(short) || long.endsWith(short) || (short.length > 5 && long.startsWith(short.slice(0, -2)));
}

/** Words of names that say what kind of thing a column is, and not which. */
const EMPTY_WORDS = new Set('id of the a an in at on no nr num code key is has and or for by to'.split(' '));

/** The words of a name that tell it from others. */
export function contentWords(name: string): readonly string[] {
  return splitWords(name).filter((word) => !EMPTY_WORDS.has(word));
}
