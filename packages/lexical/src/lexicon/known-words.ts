import { AGGREGATES, COUNT_PHRASES, HOW_MANY } from './aggregates.ts';
import { COMPARATORS, POSTFIX_COMPARATORS, TIME_COMPARATORS } from './comparisons.ts';
import { COMMON, COMPARATIVES, GENERIC_SUPERLATIVES, HOW_ADJECTIVES, OFTEN, SUPERLATIVES } from './dimensions.ts';
import * as functionWords from './function-words.ts';
import { MEASURE_VERBS } from './measure-verbs.ts';
import { DIRECTION_PREFIXES, KEY_DIRECTIONS, RANGE_DIRECTIONS, SORTED_BY } from './order-cues.ts';
import { COUNT_SUPERLATIVES, QUANTIFIERS } from './quantifiers.ts';
import { LIKE, MISSING, PRESENT } from './text-cues.ts';
import { HAVE_VERBS, LIGHT_VERB_FORMS, NAMING_VERBS } from './verbs.ts';

const TABLES = [
  AGGREGATES,
  COUNT_PHRASES,
  HOW_MANY,
  COMPARATORS,
  POSTFIX_COMPARATORS,
  TIME_COMPARATORS,
  COMMON,
  COMPARATIVES,
  OFTEN,
  GENERIC_SUPERLATIVES,
  HOW_ADJECTIVES,
  SUPERLATIVES,
  MEASURE_VERBS,
  DIRECTION_PREFIXES,
  KEY_DIRECTIONS,
  RANGE_DIRECTIONS,
  SORTED_BY,
  COUNT_SUPERLATIVES,
  QUANTIFIERS,
  HAVE_VERBS,
  LIKE,
  MISSING,
  PRESENT,
  NAMING_VERBS,
  ...Object.values(functionWords),
];

/** Words of the grammar that stand in no table. */
const OTHER =
  'but what whose when how much between and or either both one of than if then or not per grouped by without lacking aged top first'.split(
    ' ',
  );

/** Every word that the lexicon knows, whatever it means. */
export const KNOWN_WORDS: ReadonlySet<string> = new Set([
  ...TABLES.flatMap((table) => [...table.words]),
  ...LIGHT_VERB_FORMS,
  ...OTHER,
]);
