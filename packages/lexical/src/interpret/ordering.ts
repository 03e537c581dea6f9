import { AGGREGATES, COUNT_PHRASES } from '../lexicon/aggregates.ts';
import { SUPERLATIVES } from '../lexicon/dimensions.ts';
import { DETERMINERS } from '../lexicon/function-words.ts';
import { MEASURE_VERBS } from '../lexicon/measure-verbs.ts';
import {
  DIRECTION_PREFIXES,
  type Direction,
  KEY_DIRECTIONS,
  RANGE_DIRECTIONS,
  SORTED_BY,
  THEN_BY,
} from '../lexicon/order-cues.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import type { Measure, Modifier, OrderKey } from './frame.ts';
import { phrase, phraseCore } from './phrases.ts';
import { defineRule, isKind, map, type Parse, parse, type Reader, type Rule, skip, wordAt } from './reader.ts';

/** "by amount spent". */
const SPENT = phraseSet([
  'amount spent',
  'money spent',
  'total spent',
  'total amount spent',
  'how much they spent',
  'amount paid',
]);

const OF = phraseSet(['of', 'of the', 'the']);
const SORTED = phraseSet(['sorted', 'ordered', 'listed', 'ranked', 'arranged', 'and sort them', 'and order them']);
const BY = phraseSet(['by', 'by the', 'according to', 'based on', 'in terms of']);
const COUNT_WORDS = phraseSet([
  'count',
  'the count',
  'number',
  'the number',
  'that number',
  'the frequency',
  'frequency',
  'these counts',
]);

/** "sorted by age", "in descending order of price", "from the oldest to the youngest", "by number of tracks". */
export const orderModifiers = defineRule<Modifier>((reader, at) => [
  ...sortedBy(reader, at),
  ...prefixed(reader, at),
  ...ranges(reader, at),
  ...bareDirection(reader, at),
  ...byKey(reader, at),
]);

const asOrder = (keys: readonly OrderKey[]): Modifier => ({ kind: 'order', keys });

function sortedBy(reader: Reader, at: number): Parse<Modifier>[] {
  return SORTED_BY.matches(reader.tokens, at).flatMap(({ end }) => map(keyList(reader, end), asOrder));
}

/** "in ascending order of age". */
function prefixed(reader: Reader, at: number): Parse<Modifier>[] {
  return DIRECTION_PREFIXES.matches(reader.tokens, at).flatMap(({ value: direction, end }) => {
    const behindBy = [end, skip(reader, end, BY), skip(reader, end, OF)];
    return [...new Set(behindBy)].flatMap((start) =>
      map(
        measure(reader, start),
        (measured): Modifier => asOrder([{ measure: measured, direction }]),
        start === end ? 0.02 : 0,
      ),
    );
  });
}

/** "in descending order" behind what is listed: the key is what is listed first, which the composer decides. */
function bareDirection(reader: Reader, at: number): Parse<Modifier>[] {
  const start = skip(reader, at, SORTED);
  return KEY_DIRECTIONS.matches(reader.tokens, start).flatMap(({ value: direction, end }) =>
    end - start < 2 && start === at
      ? []
      : [parse<Modifier>({ kind: 'order', keys: [{ measure: { kind: 'count' }, direction }] }, end, 0.1)],
  );
}

function ranges(reader: Reader, at: number): Parse<Modifier>[] {
  const start = skip(reader, at, SORTED);
  const adjectives = wordAt(reader, start) === 'from' ? adjectiveRange(reader, start + 1) : [];
  return adjectives;
}

/** "from the oldest to the youngest". */
function adjectiveRange(reader: Reader, at: number): Parse<Modifier>[] {
  return SUPERLATIVES.matches(reader.tokens, skip(reader, at, DETERMINERS)).flatMap(({ value: dimension, end }) => {
    if (wordAt(reader, end) !== 'to') return [];
    return SUPERLATIVES.matches(reader.tokens, skip(reader, end + 1, DETERMINERS)).map((other) =>
      parse<Modifier>(
        { kind: 'order', keys: [{ measure: { kind: 'dimension', dimension }, direction: 'descending' }] },
        other.end,
      ),
    );
  });
}

/** "top 5 countries by number of invoices". */
function byKey(reader: Reader, at: number): Parse<Modifier>[] {
  const starts = BY.matches(reader.tokens, at);
  return starts.flatMap(({ end }) =>
    map(
      measure(reader, end),
      (measured): Modifier => ({ kind: 'order', keys: [{ measure: measured }], loose: true }),
      0.05,
    ),
  );
}

/** One or more keys, each with its direction: "last name, sequence by age descending". */
const keyList: Rule<readonly OrderKey[]> = defineRule((reader, at) =>
  directedKey(reader, at).flatMap((first) => [
    { ...first, value: [first.value] },
    ...(['comma', 'word'] as const).flatMap((kind) => {
      if (!isKind(reader, first.end, kind)) return [];
      const start = kind === 'comma' ? first.end + 1 : first.end;
      const next = THEN_BY.matches(reader.tokens, start).map(({ end }) => end);
      return (kind === 'comma' ? [...next, start] : next).flatMap((key) =>
        map(keyList(reader, key), (rest) => [first.value, ...rest], first.cost),
      );
    }),
  ]),
);

const directedKey = defineRule<OrderKey>((reader, at) => {
  const leading = KEY_DIRECTIONS.matches(reader.tokens, at);
  const prefixedKeys = leading.flatMap(({ value, end }) =>
    map(measure(reader, end), (measured): OrderKey => ({ measure: measured, direction: value })),
  );
  const keys = measure(reader, at).flatMap((key) => {
    const start = isKind(reader, key.end, 'comma') || isKind(reader, key.end, 'other') ? key.end + 1 : key.end;
    const directions = [...directionsAt(reader, key.end), ...directionsAt(reader, start)];
    return [
      { ...key, value: { measure: key.value } },
      ...directions.map(({ value, end }) =>
        parse<OrderKey>({ measure: key.value, direction: value }, closeBracket(reader, end), key.cost),
      ),
    ];
  });
  return [...prefixedKeys, ...keys];
});

function directionsAt(reader: Reader, at: number): readonly { readonly value: Direction; readonly end: number }[] {
  return [...KEY_DIRECTIONS.matches(reader.tokens, at), ...RANGE_DIRECTIONS.matches(reader.tokens, at)];
}

function closeBracket(reader: Reader, at: number): number {
  return isKind(reader, at, 'other') && reader.tokens[at]?.text === ')' ? at + 1 : at;
}

/** What is sorted by. */
const measure = defineRule<Measure>((reader, at) => {
  const start = skip(reader, at, DETERMINERS);
  const counts = COUNT_PHRASES.matches(reader.tokens, start).flatMap(({ end }) =>
    map(phrase(reader, end), (counted): Measure => ({ kind: 'count', phrase: counted })),
  );
  const bareCounts = COUNT_WORDS.matches(reader.tokens, at).map(({ end }) =>
    parse<Measure>({ kind: 'count' }, end, 0.03),
  );
  const aggregates = AGGREGATES.matches(reader.tokens, start).flatMap(({ value, end }) =>
    map(
      phraseCore(reader, skip(reader, end, OF)),
      (measured): Measure => ({ kind: 'term', phrase: measured, function: value }),
    ),
  );
  const spent = SPENT.matches(reader.tokens, start).flatMap(({ end }) =>
    MEASURE_VERBS.matches(reader.tokens, end - 1).map(({ value: dimension, end: stop }) =>
      parse<Measure>({ kind: 'dimension', dimension, summed: true }, stop),
    ),
  );
  const plain = map(phraseWithOwner(reader, at), (measured): Measure => ({ kind: 'term', phrase: measured }));
  return [...spent, ...plain, ...aggregates, ...counts, ...bareCounts];
});

/** "their age", "age of the singer". */
const phraseWithOwner = defineRule((reader, at) =>
  phrase(reader, at).filter(
    ({ value }) => value.head !== undefined && value.values.length === 0 && value.modifiers.length === 0,
  ),
);
