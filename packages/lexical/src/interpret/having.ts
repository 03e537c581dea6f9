import { AGGREGATES } from '../lexicon/aggregates.ts';
import { COMPARATORS, type Comparison, POSTFIX_COMPARATORS } from '../lexicon/comparisons.ts';
import { GENERIC_SUPERLATIVES, SUPERLATIVES } from '../lexicon/dimensions.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import { COUNT_SUPERLATIVES, QUANTIFIERS, type WordQuantifier } from '../lexicon/quantifiers.ts';
import { readNumber } from '../tokenise/numbers.ts';
import { attributePhrase } from './conditions.ts';
import type { Modifier, Quantifier } from './frame.ts';
import { phrase } from './phrases.ts';
import { defineRule, map, type Parse, parse, type Reader, skip, wordAt } from './reader.ts';

const DIFFERENT = phraseSet(['different', 'distinct', 'unique']);
const OF = phraseSet(['of', 'of the']);
const MOST: ReadonlySet<string> = new Set(['most', 'least', 'fewest']);

/** What stands behind "have" and "with": "the most orders", "at least two dogs", "no email", "the highest price". */
export const havingModifiers = defineRule<Modifier>((reader, at) => [
  ...superlatives(reader, at),
  ...quantified(reader, at),
  ...textInside(reader, at),
]);

function superlatives(reader: Reader, at: number): Parse<Modifier>[] {
  // "at least three", "at most three"
  if (wordAt(reader, at - 1) === 'at') return [];
  const counts = COUNT_SUPERLATIVES.matches(reader.tokens, at).flatMap(({ value, end }) =>
    map(
      phrase(reader, end),
      (counted): Modifier => ({ kind: 'superlative', measure: { kind: 'count', phrase: counted }, end: value }),
    ),
  );
  const start = ['the', 'a', 'an'].includes(wordAt(reader, at)) ? at + 1 : at;
  // "the most bottles" counts them, or adds them up.
  const generic = MOST.has(wordAt(reader, start)) ? [] : GENERIC_SUPERLATIVES.matches(reader.tokens, start);
  const attributes = generic.flatMap(({ value, end }) => [
    ...map(
      attributePhrase(reader, end),
      (measured): Modifier => ({
        kind: 'superlative',
        measure: { kind: 'term', phrase: measured },
        end: value,
      }),
    ),
    ...AGGREGATES.matches(reader.tokens, end).flatMap((aggregate) =>
      map(
        attributePhrase(reader, skip(reader, aggregate.end, OF)),
        (measured): Modifier => ({
          kind: 'superlative',
          measure: { kind: 'term', phrase: measured, function: aggregate.value },
          end: value,
        }),
      ),
    ),
  ]);
  const adjectives = SUPERLATIVES.matches(reader.tokens, start).flatMap(({ value, end }) =>
    map(
      attributePhrase(reader, end),
      (measured): Modifier => ({
        kind: 'superlative',
        measure: { kind: 'term', phrase: measured },
        end: value.scales[0]?.end ?? 'high',
      }),
      0.02,
    ),
  );
  return [...counts, ...attributes, ...adjectives];
}

/** A number of related things. */
export const quantified = defineRule<Modifier>((reader, at) => {
  return quantifiers(reader, at).flatMap(({ value: quantifier, end, cost }) => {
    const start = skip(reader, end, DIFFERENT);
    return map(
      phrase(reader, start),
      (other): Modifier => ({
        kind: 'related',
        phrase: start > end ? { ...other, distinct: true } : other,
        quantifier,
        having: true,
      }),
      cost,
    );
  });
});

/** "no", "any", "at least two", "3 or more", "more than one", or nothing. */
const quantifiers = defineRule<Quantifier>((reader, at) => {
  const words = QUANTIFIERS.matches(reader.tokens, at).map(({ value, end }) => parse(wordQuantifier(value), end));
  const compared = COMPARATORS.matches(reader.tokens, at).flatMap(({ value, end }) => counted(reader, end, value));
  const exact = counted(reader, at, '=');
  const postfix = exact.flatMap(({ value, end }) =>
    value.kind === 'count'
      ? POSTFIX_COMPARATORS.matches(reader.tokens, end).map((match) =>
          parse<Quantifier>({ ...value, comparison: match.value }, match.end),
        )
      : [],
  );
  return [
    ...words,
    ...compared,
    ...postfix,
    ...exact.map((found) => ({ ...found, cost: 0.03 })),
    parse<Quantifier>({ kind: 'some', definite: wordAt(reader, at) === 'the' }, at),
  ];
});

function wordQuantifier(word: WordQuantifier): Quantifier {
  if (word === 'several') return { kind: 'count', comparison: '>', number: 1 };
  return word === 'none' ? { kind: 'none' } : { kind: 'some' };
}

function counted(reader: Reader, at: number, comparison: Comparison): Parse<Quantifier>[] {
  const number = readNumber(reader.tokens, at);
  if (number === undefined || !Number.isInteger(number.value)) return [];
  return [parse<Quantifier>({ kind: 'count', comparison, number: number.value }, number.end)];
}

/** "with 'Hey' in its name". */
function textInside(reader: Reader, at: number): Parse<Modifier>[] {
  const start = skip(reader, at, WORDS);
  const token = reader.tokens[start];
  if (token?.kind !== 'quoted' || !['in', 'within'].includes(wordAt(reader, start + 1))) return [];
  return map(
    attributePhrase(reader, start + 2),
    (inside): Modifier => ({
      kind: 'like',
      phrase: inside,
      position: 'inside',
      text: token.text,
      negated: false,
    }),
    -0.05,
  );
}

const WORDS = phraseSet([
  'the word',
  'the text',
  'the substring',
  'the letter',
  'the phrase',
  'the string',
  'a',
  'the words',
  'the letters',
]);
