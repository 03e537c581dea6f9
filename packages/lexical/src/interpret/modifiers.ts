import { RELATIVES } from '../lexicon/function-words.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import { PER_TIME, TIME_ADJECTIVES } from '../lexicon/time-units.ts';
import { comparativeModifiers, conditionPhrases } from './conditions.ts';
import type { Modifier, Phrase } from './frame.ts';
import { havingModifiers } from './having.ts';
import { orderModifiers } from './ordering.ts';
import { phrase, phraseCore } from './phrases.ts';
import { prepositional } from './prepositional.ts';
import { defineRule, isKind, map, type Parse, parse, type Reader, sequence, skip, wordAt } from './reader.ts';
import { participles, verbPhrase } from './verb-phrases.ts';

const WITH = phraseSet(['with', 'having', 'that have', 'which have', 'who have']);
const WITHOUT = phraseSet([
  'without',
  'without any',
  'without a',
  'without an',
  'lacking',
  'lacking any',
  'with no',
  'having no',
]);
const GROUPING = phraseSet([
  'per',
  'grouped by',
  'group by',
  'broken down by',
  'by each',
  'for each',
  'in each',
  'for every',
  'in every',
  'of each',
  'from each',
  'on each',
  'at each',
  'within each',
  'of every',
  'with each',
  'each',
]);
const MAX_MODIFIERS = 6;
const FAR = 0.15;
const FAR_PRONOUN = 0.4;
/** "by year" may group, sort or relate. */
const BY_GROUP = 0.06;

/** Any number of modifiers one after another, joined by commas, "and" or "but"; none is a reading too. */
export const modifierList = defineRule<readonly Modifier[]>((reader, at) => listFrom(reader, at, MAX_MODIFIERS));

function listFrom(reader: Reader, at: number, depth: number): Parse<readonly Modifier[]>[] {
  const none = parse<readonly Modifier[]>([], at);
  if (depth === 0) return [none];
  const starts = [at, ...joins(reader, at)];
  const lists = starts.flatMap((start) =>
    modifier(reader, start).flatMap((first) =>
      listFrom(reader, first.end, depth - 1).map((rest) => ({
        value: [first.value, ...rest.value],
        end: rest.end,
        cost: first.cost + rest.cost + (start === at ? 0 : 0.01) + farAttachment(first.value, rest.value[0]),
      })),
    ),
  );
  return [none, ...alternatives(reader, at, depth), ...lists];
}

/** Modifiers behind a verb phrase; `last` is what it said, when it ended with a noun. */
export function furtherModifiers(reader: Reader, at: number, last: Modifier | undefined): Parse<readonly Modifier[]>[] {
  return modifierList(reader, at)
    .filter(({ value }) => value.length > 0)
    .map((found) => ({ ...found, cost: found.cost + (last === undefined ? 0 : farAttachment(last, found.value[0])) }));
}

/** What stands behind a related noun rather belongs to that noun; "its" does so nearly always. */
function farAttachment(first: Modifier, second: Modifier | undefined): number {
  if (
    second === undefined ||
    second.kind === 'order' ||
    second.kind === 'group' ||
    second.kind === 'time-group' ||
    !nounBehind(first)
  )
    return 0;
  const about =
    'phrase' in second
      ? second.phrase
      : second.kind === 'compare' && second.measure.kind === 'term'
        ? second.measure.phrase
        : undefined;
  return about?.owner?.pronoun ? FAR_PRONOUN : FAR;
}

/** True for a modifier that ends with a noun. */
function nounBehind(modifier: Modifier): boolean {
  if (modifier.kind === 'related') return modifier.phrase.head !== undefined || modifier.phrase.values.length > 0;
  return modifier.kind === 'superlative' && modifier.measure.kind === 'count' && modifier.measure.phrase !== undefined;
}

function joins(reader: Reader, at: number): number[] {
  const comma = isKind(reader, at, 'comma') ? at + 1 : at;
  const word = wordAt(reader, comma);
  const behindWord = ['and', 'but'].includes(word) ? [comma + 1] : [];
  return comma > at ? [comma, ...behindWord] : behindWord;
}

/** "older than 30 or from France". */
function alternatives(reader: Reader, at: number, depth: number): Parse<readonly Modifier[]>[] {
  return modifier(reader, at).flatMap((first) => {
    if (wordAt(reader, first.end) !== 'or') return [];
    return modifier(reader, first.end + 1).flatMap((second) => {
      const either: Modifier = { kind: 'either', options: [[first.value], [second.value]] };
      return map(listFrom(reader, second.end, depth - 1), (rest) => [either, ...rest], first.cost + second.cost + 0.02);
    });
  });
}

/** One thing that is said of a noun behind it. */
const modifier = defineRule<Modifier>((reader, at) => [
  ...relativeClauses(reader, at),
  ...having(reader, at),
  ...grouping(reader, at),
  ...orderModifiers(reader, at),
  ...prepositional(reader, at),
  ...participles(reader, at),
  ...comparativeModifiers(reader, at),
]);

function relativeClauses(reader: Reader, at: number): Parse<Modifier>[] {
  const clauses = RELATIVES.matches(reader.tokens, at).flatMap(({ end }) => verbPhrase(reader, end));
  if (wordAt(reader, at) === 'whose') return [...clauses, ...conditionPhrases(reader, at + 1)];
  if (['where', 'when', 'if'].includes(wordAt(reader, at))) return [...clauses, ...conditionPhrases(reader, at + 1)];
  return clauses;
}

function having(reader: Reader, at: number): Parse<Modifier>[] {
  const without = WITHOUT.matches(reader.tokens, at).flatMap(({ end }) =>
    map(
      phrase(reader, end),
      (related): Modifier => ({ kind: 'related', phrase: related, quantifier: { kind: 'none' }, having: true }),
    ),
  );
  const withThat = WITH.matches(reader.tokens, at).flatMap(({ end }) => [
    ...havingModifiers(reader, end),
    ...conditionPhrases(reader, end),
  ]);
  return [...without, ...withThat];
}

function grouping(reader: Reader, at: number): Parse<Modifier>[] {
  const asGroup = (group: Phrase): Modifier => ({ kind: 'group', phrase: { ...group, each: true } });
  const two = (start: number): Parse<Modifier>[] =>
    sequence(
      phraseCore(reader, start),
      (end) => (wordAt(reader, end) === 'and' ? phraseCore(reader, skip(reader, end + 1, EACH)) : []),
      (first, second): Modifier => ({ kind: 'all', modifiers: [asGroup(first), asGroup(second)] }),
    );
  const groups = (start: number): Parse<Modifier>[] => [...map(phrase(reader, start), asGroup), ...two(start)];
  const each = GROUPING.matches(reader.tokens, at).flatMap(({ end }) => groups(end));
  const by = wordAt(reader, at) === 'by' ? map(groups(skip(reader, at + 1, EACH)), (group) => group, BY_GROUP) : [];
  return [...each, ...by, ...timeGroups(reader, at)];
}

/** Where a column is called so, that column is rather meant. */
const RATHER_COLUMN = 0.1;

export function timeGroups(reader: Reader, at: number): Parse<Modifier>[] {
  return [...PER_TIME.matches(reader.tokens, at), ...TIME_ADJECTIVES.matches(reader.tokens, at)].map(
    ({ value: unit, end }) => {
      const isNamed = reader.lattice.terms.get(end - 1)?.some(({ links }) => links.some(({ cost }) => cost < 0.05));
      return parse<Modifier>({ kind: 'time-group', unit, text: unit }, end, isNamed ? RATHER_COLUMN : 0.02);
    },
  );
}

const EACH = phraseSet(['each', 'every']);
