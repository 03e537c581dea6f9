import { lemma } from '../tokenise/lemma.ts';
import { phraseSet } from './phrase-table.ts';

const set = (words: string): ReadonlySet<string> => new Set(words.split(' '));

/** Nouns for what comes in, where no column is called so. */
export const INCOME_NOUNS = set('revenue revenues turnover sales income earnings proceeds takings');

/** Nouns for what is counted one by one, where no table or column is called so. */
export const UNIT_NOUNS = set(
  'units unit pieces items copies bottles boxes bags packs packages cases cans crates portions servings',
);

/** Names of amounts of money that add up, best first. */
export const MONEY_NAMES: readonly string[] = [
  'revenue',
  'total amount',
  'total price',
  'grand total',
  'line total',
  'total',
  'amount paid',
  'price paid',
  'net amount',
  'amount',
];

/** Words of names of amounts that do not come in. */
export const NO_INCOME: ReadonlySet<string> = new Set(
  'expense refund cost claim discount budget target salary payroll tax tip credit limit debt'.split(' ').map(lemma),
);

/** Names of what is counted one by one in one row. */
export const QUANTITY_NAMES: readonly string[] = [
  'quantity',
  'units',
  'units sold',
  'quantity sold',
  'pieces',
  'copies',
  'items sold',
];

/** Where no amount is stored, it is the product of two attributes of one relation. */
export const AMOUNT_FACTORS: readonly (readonly [string, string])[] = [
  ['quantity', 'unit price'],
  ['quantity', 'price'],
  ['qty', 'price'],
  ['units', 'price'],
];

/** Verbs of what comes in: "how much did we earn". */
export const EARN_VERBS = phraseSet(
  'earn|earned|make|made|collect|collected|take in|took in|taken in|receive|received|bring in|brought in|generate|generated|take|took|get|got'.split(
    '|',
  ),
);

/** Verbs of goods that change hands: what they are said of is counted in units. */
export const SALE_VERBS = set('sold sell sells selling bought buy buys purchased purchase');

/** Nouns for rows that are sums of money: their total is what they come to. */
export const MONEY_NOUNS: RegExp =
  /\b(?:payment|sale|refund|expense|fine|fee|cost|donation|transaction|purchase|invoice|bill|claim|tip|bonus|deposit)/iu;
