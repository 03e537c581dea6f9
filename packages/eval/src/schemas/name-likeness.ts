import { splitWords } from '@askema/grounding';
import { plainName } from './compared-schema.ts';

/** Whether two words, in lower case and singular, mean the same. */
export interface Synonyms {
  /** Who says so: `wordnet 3.1`. */
  readonly name: string;
  areSynonyms(a: string, b: string): boolean;
}

/** A name, taken apart once. */
export interface NameWords {
  readonly plain: string;
  /** Folded: singular, abbreviations written out, small words left out. */
  readonly words: readonly string[];
}

/** Pairs of attributes below it are none. */
export const ATTRIBUTE_THRESHOLD = 0.75;

/** What two different names can have in common at most, so that the same name always goes first. */
const ALMOST = 0.99;
/** What is left of a likeness that holds only without the name of the table. */
const WITHOUT_TABLE = 0.95;
const SYNONYM = 0.95;
/**
 * One word is the beginning of the other, or a letter differs: not enough for a match alone, but beside another word
 * that is the same.
 */
const SAME_STEM = 0.7;
const DATE_AND_TIME = 0.8;
/** What `Stack Position ID` and `Stack Position Name` have in common at most. */
const OTHER_KIND = 0.5;
/**
 * One name is the end of the other, and says more than a kind: `Quantity` of `Sales Quantity`, but not `ID` of `Order
 * ID`.
 */
const SAME_HEAD = 0.75;

/**
 * Abbreviations of identifiers that have one reading. What is called a number in a schema identifies, as an ID does.
 */
const WRITTEN_OUT: ReadonlyMap<string, string> = new Map([
  ['no', 'id'],
  ['nr', 'id'],
  ['num', 'id'],
  ['number', 'id'],
  ['identifier', 'id'],
  ['identification', 'id'],
  ['qty', 'quantity'],
  ['amt', 'amount'],
  ['addr', 'address'],
  ['tel', 'telephone'],
  ['phone', 'telephone'],
  ['desc', 'description'],
  ['dept', 'department'],
  ['info', 'information'],
  ['org', 'organization'],
  ['organisation', 'organization'],
  ['qualif', 'qualification'],
  ['cat', 'category'],
  ['img', 'image'],
  ['pwd', 'password'],
  ['min', 'minimum'],
  ['max', 'maximum'],
  ['avg', 'average'],
  ['datetime', 'time'],
  ['timestamp', 'time'],
]);

const SMALL: ReadonlySet<string> = new Set(['a', 'an', 'and', 'at', 'for', 'in', 'of', 'on', 'the', 'to', 'with']);

/** Words that say what kind of value it is, and little about which one. */
const KINDS: ReadonlySet<string> = new Set(['address', 'date', 'id', 'name', 'time', 'url']);
const KIND_WEIGHT = 0.5;

/** Words that say next to nothing. */
const FILLERS: ReadonlySet<string> = new Set(['data', 'information', 'record', 'table']);
const FILLER_WEIGHT = 0.3;

/** Takes a name apart: case, separators, camelCase, plurals and abbreviations are folded. */
export function nameWords(name: string): NameWords {
  const words = splitWords(name).map((word) => WRITTEN_OUT.get(word) ?? word);
  const telling = words.filter((word) => !SMALL.has(word));
  return { plain: plainName(name), words: telling.length === 0 ? words : telling };
}

/**
 * How alike two names are, in [0, 1]: 1 for the same name whatever its case and separators; else the Dice coefficient
 * of their words, in which words that only name a kind (`ID`, `name`, `date`, …) weigh half, and fillers (`record`,
 * `table`, …) less. Words are paired where they are the same, synonyms by the port, share their stem, or are `date` and
 * `time`. A name that is the end of the other has 0.75 at least: `Quantity` and `Sales Quantity`. Names that end in
 * different kinds have 0.5 at most, and names that both end in `ID` are as alike as what stands in front: `Project ID`
 * is no `Project Manager ID`. Substrings do not count: `Order ID` and `Video Name` have nothing in common.
 */
export function nameLikeness(a: NameWords, b: NameWords, synonyms?: Synonyms | undefined): number {
  if (a.plain === b.plain) return 1;
  if (a.plain.replaceAll(' ', '') === b.plain.replaceAll(' ', '')) return ALMOST;
  const dice = wordDice(a.words, b.words, synonyms);
  const [lastA, lastB] = [a.words.at(-1) ?? '', b.words.at(-1) ?? ''];
  if (KINDS.has(lastA) && KINDS.has(lastB)) {
    if (lastA !== lastB && wordLikeness(lastA, lastB, undefined) === 0) return Math.min(dice, OTHER_KIND);
    if (lastA === 'id' && lastB === 'id' && a.words.length > 1 && b.words.length > 1)
      return Math.min(dice, wordDice(a.words.slice(0, -1), b.words.slice(0, -1), synonyms), ALMOST);
  }
  return Math.min(ALMOST, isHeadOf(a.words, b.words) ? Math.max(dice, SAME_HEAD) : dice);
}

/** Pairs the words greedily, best pairs first. */
function wordDice(a: readonly string[], b: readonly string[], synonyms: Synonyms | undefined): number {
  const pairs = a.flatMap((left, leftAt) =>
    b.flatMap((right, rightAt) => {
      const score = wordLikeness(left, right, synonyms);
      return score === 0 ? [] : [{ left, leftAt, right, rightAt, score }];
    }),
  );
  pairs.sort((x, y) => y.score - x.score);
  const leftTaken = new Set<number>();
  const rightTaken = new Set<number>();
  let common = 0;
  for (const { left, leftAt, right, rightAt, score } of pairs) {
    if (leftTaken.has(leftAt) || rightTaken.has(rightAt)) continue;
    leftTaken.add(leftAt);
    rightTaken.add(rightAt);
    common += score * (weightOf(left) + weightOf(right));
  }
  const all = sumOfWeights(a) + sumOfWeights(b);
  return all === 0 ? 0 : common / all;
}

function isHeadOf(a: readonly string[], b: readonly string[]): boolean {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  const rest = long.length - short.length;
  return short.some((word) => weightOf(word) === 1) && short.every((word, at) => long[rest + at] === word);
}

/** Whether a name says more than a kind of value: `Review Status`, but not `Name` or `ID`. */
export function isTelling({ words }: NameWords): boolean {
  return words.some((word) => weightOf(word) === 1);
}

/** Of attributes of two tables: `Name` of a student is `Student Name`, when the table is called so. */
export function attributeLikeness(
  a: NameWords,
  tableA: NameWords,
  b: NameWords,
  tableB: NameWords,
  synonyms?: Synonyms | undefined,
): number {
  const whole = nameLikeness(a, b, synonyms);
  if (whole === 1) return 1;
  const [shortA, shortB] = [withoutTable(a, tableA), withoutTable(b, tableB)];
  if (shortA === a && shortB === b) return whole;
  const bare = nameLikeness({ ...shortA, plain: 'a' }, { ...shortB, plain: 'b' }, synonyms);
  return Math.max(whole, WITHOUT_TABLE * bare);
}

/** Only where the whole name of the table stands in front: `Order ID` of an order detail is no `Detail ID`. */
function withoutTable(attribute: NameWords, table: NameWords): NameWords {
  const { words } = attribute;
  const length = table.words.length;
  const starts = length > 0 && words.length > length && table.words.every((word, at) => words[at] === word);
  return starts ? { ...attribute, words: words.slice(length) } : attribute;
}

function wordLikeness(a: string, b: string, synonyms: Synonyms | undefined): number {
  if (a === b) return 1;
  if ((a === 'date' && b === 'time') || (a === 'time' && b === 'date')) return DATE_AND_TIME;
  if (synonyms?.areSynonyms(a, b) === true) return SYNONYM;
  return shareStem(a, b) ? SAME_STEM : 0;
}

/**
 * `registration` and `register`, `employee` and `employes`: six letters at least in common, half of the longer word.
 */
function shareStem(a: string, b: string): boolean {
  const longer = Math.max(a.length, b.length);
  let common = 0;
  while (common < longer && a[common] !== undefined && a[common] === b[common]) common += 1;
  return common >= 6 && common >= longer / 2;
}

function weightOf(word: string): number {
  if (KINDS.has(word)) return KIND_WEIGHT;
  return FILLERS.has(word) ? FILLER_WEIGHT : 1;
}

function sumOfWeights(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + weightOf(word), 0);
}
