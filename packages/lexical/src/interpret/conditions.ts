import { AGGREGATES, COUNT_PHRASES } from '../lexicon/aggregates.ts';
import { COMPARATORS, type Comparison, negateComparison, TIME_COMPARATORS } from '../lexicon/comparisons.ts';
import { COMPARATIVES, type Dimension, GENERIC_SUPERLATIVES, SUPERLATIVES } from '../lexicon/dimensions.ts';
import { BE_FORMS, DETERMINERS, NEGATIONS } from '../lexicon/function-words.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import { LIKE, MISSING, PRESENT } from '../lexicon/text-cues.ts';
import type { Measure, Modifier, Operand, Phrase } from './frame.ts';
import { comparable, comparisonTail, numberOperand, timeOperand, valueList } from './operands.ts';
import { EMPTY_PHRASE, phraseCore, terms } from './phrases.ts';
import { defineRule, isKind, map, maybe, type Parse, parse, type Reader, sequence, skip, wordAt } from './reader.ts';

const AUXILIARY_NOT = phraseSet(['does not', 'do not', 'did not', 'not', 'is not', 'are not', 'was not', 'were not']);

/**
 * An attribute with what it must be: "age is over 30", "name starts with A", "average price above 5", "email is
 * missing".
 */
export const conditionPhrases = defineRule<Modifier>((reader, at) =>
  sequence(
    measured(reader, at),
    (end, measure) =>
      tails(reader, end).flatMap((tail) => {
        const made = tail.value(measure);
        return made === undefined ? [] : [parse(made, tail.end, tail.cost)];
      }),
    (_, modifier) => modifier,
  ),
);

/** What a condition is about: an attribute, an aggregate of one, or a count. */
const measured = defineRule<Measure>((reader, at) => {
  const start = skip(reader, at, DETERMINERS);
  const counts = COUNT_PHRASES.matches(reader.tokens, start).flatMap(({ end }) =>
    map(phraseCore(reader, end), (phrase): Measure => ({ kind: 'count', phrase })),
  );
  const aggregates = AGGREGATES.matches(reader.tokens, start).flatMap(({ value, end }) =>
    map(phraseCore(reader, skip(reader, end, OF)), (phrase): Measure => ({ kind: 'term', function: value, phrase })),
  );
  const plain = map(attributePhrase(reader, at), (phrase): Measure => ({ kind: 'term', phrase }));
  return [...plain, ...aggregates, ...counts];
});

const OF = phraseSet(['of', 'of the', 'of all', 'of all the']);

/** A noun without cells beside it, and "their age", "age of the singer". */
export const attributePhrase = defineRule<Phrase>((reader, at) =>
  phraseCore(reader, at).filter(({ value }) => value.head !== undefined && value.values.length === 0),
);

/** A text without quotation marks is one word. */
const UNQUOTED = 0.05;

type Tail = (measure: Measure) => Modifier | undefined;

/** What follows the attribute. */
function tails(reader: Reader, at: number): Parse<Tail>[] {
  return linked(reader, at).flatMap(({ at: start, negated, linkedBy }) => [
    ...compared(reader, start, negated),
    ...superlative(reader, start, negated, linkedBy),
    ...timed(reader, start, negated),
    ...equal(reader, start, negated, linkedBy),
    ...like(reader, start, negated),
    ...missing(reader, start, negated),
  ]);
}

interface Link {
  readonly at: number;
  readonly negated: boolean;
  readonly linkedBy: 'verb' | 'of' | 'nothing';
}

/** "is", "is not", "of", "does not", or nothing. */
function linked(reader: Reader, at: number): Link[] {
  const relative = ['that', 'which'].includes(wordAt(reader, at)) ? linked(reader, at + 1) : [];
  return [...relative, ...linkedHere(reader, at)];
}

function linkedHere(reader: Reader, at: number): Link[] {
  const links: Link[] = [{ at, negated: false, linkedBy: 'nothing' }];
  for (const { end } of BE_FORMS.matches(reader.tokens, at)) {
    links.push({ at: end, negated: false, linkedBy: 'verb' });
    for (const not of NEGATIONS.matches(reader.tokens, end))
      links.push({ at: not.end, negated: true, linkedBy: 'verb' });
  }
  for (const { end } of AUXILIARY_NOT.matches(reader.tokens, at))
    links.push({ at: end, negated: true, linkedBy: 'verb' });
  if (['of', 'in', 'at', ':'].includes(wordAt(reader, at))) links.push({ at: at + 1, negated: false, linkedBy: 'of' });
  if (isKind(reader, at, 'comma')) return links.filter((link) => link.at !== at);
  return links;
}

function compared(reader: Reader, at: number, negated: boolean): Parse<Tail>[] {
  const tail = (comparison: Comparison, operand: Operand, upper?: Operand): Tail => {
    if (negated && upper !== undefined) return () => undefined;
    const holds = negated ? negateComparison(comparison) : comparison;
    return (measure) => ({
      kind: 'compare',
      measure,
      comparison: holds,
      operand,
      ...(upper === undefined ? {} : { upper }),
    });
  };
  return [
    ...map(comparisonTail(reader, at), ({ comparison, operand, upper }) => tail(comparison, operand, upper)),
    ...[...COMPARATORS.matches(reader.tokens, at), ...comparativeWords(reader, at)].flatMap(({ value, end }) =>
      map(averageOperand(reader, end), (operand) => tail(value, operand)),
    ),
    ...comparativeWords(reader, at).flatMap(({ value, end }) =>
      map(comparable(reader, end), (operand) => tail(value, operand)),
    ),
  ];
}

/** "older than" of an age that is named: the direction follows from the adjective's first scale. */
function comparativeWords(reader: Reader, at: number): { readonly value: Comparison; readonly end: number }[] {
  return COMPARATIVES.matches(reader.tokens, at).flatMap(({ value, end }) => {
    const scale = value.scales[0];
    if (wordAt(reader, end) !== 'than' || scale === undefined) return [];
    return [{ value: scale.end === 'high' ? ('>' as const) : ('<' as const), end: end + 1 }];
  });
}

/** "the average", "the average age", "the average of all singers". */
const averageOperand = defineRule<Operand>((reader, at) => {
  const start = skip(reader, at, DETERMINERS);
  return AGGREGATES.matches(reader.tokens, start).flatMap(({ value, end }) => [
    parse<Operand>({ kind: 'aggregate', function: value }, end, 0.02),
    ...map(
      phraseCore(reader, skip(reader, end, OF)),
      (phrase): Operand => ({ kind: 'aggregate', function: value, phrase }),
    ),
  ]);
});

/** "whose price is the highest", "whose age is the oldest". */
function superlative(reader: Reader, at: number, negated: boolean, linkedBy: Link['linkedBy']): Parse<Tail>[] {
  if (negated || linkedBy !== 'verb') return [];
  const start = wordAt(reader, at) === 'the' ? at + 1 : at;
  const generic = GENERIC_SUPERLATIVES.matches(reader.tokens, start).map(({ value, end }) =>
    parse<Tail>((measure) => ({ kind: 'superlative', measure, end: value }), end),
  );
  const adjectives = SUPERLATIVES.matches(reader.tokens, start).map(({ value, end }) =>
    parse<Tail>((measure) => ({ kind: 'superlative', measure, end: value.scales[0]?.end ?? 'high' }), end, 0.01),
  );
  return [...generic, ...adjectives];
}

function timed(reader: Reader, at: number, negated: boolean): Parse<Tail>[] {
  return TIME_COMPARATORS.matches(reader.tokens, at).flatMap(({ value, end }) =>
    map(timeOperand(reader, end), (operand): Tail => {
      const comparison = negated ? negateComparison(value) : value;
      return (measure) => ({ kind: 'compare', measure, comparison, operand });
    }),
  );
}

function equal(reader: Reader, at: number, negated: boolean, linkedBy: Link['linkedBy']): Parse<Tail>[] {
  const bare = linkedBy === 'nothing' ? 0.05 : 0;
  const starts = maybe(reader, at, EQUALS).flatMap((start) => maybe(reader, start, ARTICLES));
  return [...new Set(starts)].flatMap((start) =>
    map(
      valueList(reader, start),
      ({ values, connective }): Tail =>
        (measure) =>
          measure.kind === 'term' && measure.function === undefined
            ? { kind: 'values', phrase: measure.phrase, values, connective, negated }
            : undefined,
      bare,
    ),
  );
}

const EQUALS = phraseSet(['=', 'equal to', 'equals', 'exactly', 'in', 'either', 'as']);
const ARTICLES = phraseSet(['the', 'a', 'an']);

function like(reader: Reader, at: number, negated: boolean): Parse<Tail>[] {
  return LIKE.matches(reader.tokens, at).flatMap(({ value: position, end }) => {
    const start = skip(reader, end, DETERMINERS);
    const token = reader.tokens[start];
    if (token?.kind !== 'quoted' && token?.kind !== 'word') return [];
    const tail: Tail = (measure) =>
      measure.kind === 'term' && measure.function === undefined
        ? { kind: 'like', phrase: measure.phrase, position, text: token.text, negated }
        : undefined;
    return [parse(tail, start + 1, token.kind === 'quoted' ? -0.05 : UNQUOTED)];
  });
}

function missing(reader: Reader, at: number, negated: boolean): Parse<Tail>[] {
  const tail =
    (absent: boolean): Tail =>
    (measure) =>
      measure.kind === 'term' && measure.function === undefined
        ? { kind: 'null', phrase: measure.phrase, negated: absent === negated }
        : undefined;
  return [
    ...MISSING.matches(reader.tokens, at).map(({ end }) => parse(tail(true), end)),
    ...PRESENT.matches(reader.tokens, at).map(({ end }) => parse(tail(false), end)),
  ];
}

/** "older than 30", "over 200 cm", "under age 30", "aged 30", "older than the average", "above the average age". */
export const comparativeModifiers = defineRule<Modifier>((reader, at) => [
  ...adjectives(reader, at),
  ...amounts(reader, at),
  ...attributeBehind(reader, at),
  ...aged(reader, at),
]);

function adjectives(reader: Reader, at: number): Parse<Modifier>[] {
  return COMPARATIVES.matches(reader.tokens, at).flatMap(({ value: dimension, end }) => {
    if (wordAt(reader, end) !== 'than') return [];
    return map(
      [...comparable(reader, end + 1), ...averageOperand(reader, end + 1)],
      (operand): Modifier => ({ kind: 'compare', measure: { kind: 'dimension', dimension }, comparison: '>', operand }),
    );
  });
}

/** "payments above 400": of what they come to. */
function amounts(reader: Reader, at: number): Parse<Modifier>[] {
  const start = ['of', 'worth'].includes(wordAt(reader, at)) ? at + 1 : at;
  const ranges = ['between', 'from'].includes(wordAt(reader, start))
    ? comparisonTail(reader, start).flatMap(({ value, end, cost }) =>
        value.operand.kind === 'number' && value.upper?.kind === 'number' && !isYearText(value.upper.text)
          ? [
              parse<Modifier>(
                { kind: 'compare', measure: { kind: 'dimension', dimension: AMOUNT }, ...value },
                end,
                cost + 0.1,
              ),
            ]
          : [],
      )
    : [];
  const single = COMPARATORS.matches(reader.tokens, start).flatMap(({ value: comparison, end }) =>
    numberOperand(reader, end)
      .filter((number) => !reader.lattice.terms.has(number.end))
      .map((number) =>
        parse<Modifier>(
          { kind: 'compare', measure: { kind: 'dimension', dimension: AMOUNT }, comparison, operand: number.value },
          number.end,
          number.cost + 0.1,
        ),
      ),
  );
  return [...ranges, ...single];
}

function isYearText(text: string): boolean {
  return /^(?:19|20)\d\d$/u.test(text);
}

const AMOUNT: Dimension = {
  word: 'amount',
  scales: ['amount', 'total amount', 'total', 'total price', 'grand total'].map((noun) => ({
    noun,
    end: 'high',
    kind: 'measure',
  })),
};

/** "under age 30", "above the average age": the attribute stands behind the comparison. */
function attributeBehind(reader: Reader, at: number): Parse<Modifier>[] {
  return COMPARATORS.matches(reader.tokens, at).flatMap(({ value: comparison, end }) => {
    const compare = (phrase: Phrase, operand: Operand): Modifier => ({
      kind: 'compare',
      measure: { kind: 'term', phrase },
      comparison,
      operand,
    });
    const start = skip(reader, end, DETERMINERS);
    const named = terms(reader, start).flatMap((head) => {
      const behind = wordAt(reader, head.end) === 'of' ? head.end + 1 : head.end;
      return map(comparable(reader, behind), (operand) => compare({ ...EMPTY_PHRASE, head }, operand));
    });
    const averages = averageOperand(reader, end).flatMap(({ value, end: next, cost }) =>
      value.kind === 'aggregate' && value.phrase !== undefined ? [parse(compare(value.phrase, value), next, cost)] : [],
    );
    const measured = sequence(
      comparable(reader, end),
      (next) =>
        ['of', 'in'].includes(wordAt(reader, next)) ? attributePhrase(reader, next + 1) : attributePhrase(reader, next),
      (operand, phrase) => compare(phrase, operand),
    ).map((found) => ({ ...found, cost: found.cost + 0.05 }));
    return [...named, ...averages, ...measured];
  });
}

const AGE = { word: 'aged', scales: [{ noun: 'age', end: 'high', kind: 'measure' }] } as const;

function aged(reader: Reader, at: number): Parse<Modifier>[] {
  if (wordAt(reader, at) !== 'aged') return [];
  const measure: Measure = { kind: 'dimension', dimension: AGE };
  return [
    ...map(
      comparisonTail(reader, at + 1),
      ({ comparison, operand, upper }): Modifier => ({
        kind: 'compare',
        measure,
        comparison,
        operand,
        ...(upper === undefined ? {} : { upper }),
      }),
    ),
    ...map(comparable(reader, at + 1), (operand): Modifier => ({ kind: 'compare', measure, comparison: '=', operand })),
  ];
}
