import { negateComparison } from '../lexicon/comparisons.ts';
import { OFTEN, SUPERLATIVES } from '../lexicon/dimensions.ts';
import { SALE_VERBS } from '../lexicon/figures.ts';
import { AUXILIARIES, BE_FORMS, FILLER_ADVERBS, NEGATIONS, NOBODY, PREPOSITIONS } from '../lexicon/function-words.ts';
import { MEASURE_VERBS } from '../lexicon/measure-verbs.ts';
import { phraseTable } from '../lexicon/phrase-table.ts';
import { HAVE_VERBS, NAMING_VERBS } from '../lexicon/verbs.ts';
import type { TermMention } from '../link/links.ts';
import { attributePhrase, comparativeModifiers, conditionPhrases } from './conditions.ts';
import type { Measure, Modifier } from './frame.ts';
import { havingModifiers, quantified } from './having.ts';
import { timeGroups } from './modifiers.ts';
import { comparisonTail, valueList } from './operands.ts';
import { EMPTY_PHRASE, phrase, phraseCore } from './phrases.ts';
import { prepositional, timeModifiers } from './prepositional.ts';
import {
  defineRule,
  map,
  maybe,
  type Parse,
  parse,
  type Reader,
  type Rule,
  sequence,
  skip,
  skipAll,
  wordAt,
} from './reader.ts';
import { counted, RECENTLY, whenDone } from './verb-counts.ts';
import { type Verb, verbAt } from './verbs.ts';

/** "(are) the oldest", "(is) the most expensive". */
const SUPERLATIVE_PREDICATES = defineRule<Modifier>((reader, at) => {
  const start = wordAt(reader, at) === 'the' ? at + 1 : at;
  return SUPERLATIVES.matches(reader.tokens, start).map(({ value, end }) =>
    parse<Modifier>({ kind: 'superlative', measure: { kind: 'dimension', dimension: value }, end: 'high' }, end),
  );
});

/** Extremes behind a verb: "spent the most". */
const MOST = phraseTable<'high' | 'low'>([
  ['the most', 'high'],
  ['most', 'high'],
  ['the most money', 'high'],
  ['the most in total', 'high'],
  ['the least', 'low'],
  ['least', 'low'],
  ['the least money', 'low'],
]);

/**
 * What a subject does or is: "have at least two dogs", "are from France", "do not live in Paris", "weigh more than 5
 * kg".
 */
export const verbPhrase = defineRule<Modifier>((reader, at) =>
  negatable(reader, at).flatMap(({ at: start, negated }) => {
    const readings = [
      ...have(reader, start),
      ...be(reader, start),
      ...measure(reader, start),
      ...active(reader, start),
      ...inverted(reader, start),
      ...byNobody(reader, start),
    ];
    return negated ? negateAll(readings) : readings;
  }),
);

/** Skips "do", "have ever", "did not": every way to leave them out, with what it says. */
function negatable(reader: Reader, at: number): { readonly at: number; readonly negated: boolean }[] {
  const starts = new Set([at, skipAll(reader, at, FILLER_ADVERBS)]);
  const found: { at: number; negated: boolean }[] = [];
  for (const start of starts) {
    found.push({ at: start, negated: false });
    for (const { end } of [...AUXILIARIES.matches(reader.tokens, start), { end: start }]) {
      const behind = skipAll(reader, end, FILLER_ADVERBS);
      if (behind > start) found.push({ at: behind, negated: false });
      for (const not of NEGATIONS.matches(reader.tokens, behind)) {
        const verb = skipAll(reader, not.end, FILLER_ADVERBS);
        found.push({ at: verb, negated: true });
        const auxiliary = skip(reader, verb, AUXILIARIES);
        if (auxiliary > verb) found.push({ at: auxiliary, negated: true });
      }
    }
  }
  return found.filter(
    (entry, place) => found.findIndex((other) => other.at === entry.at && other.negated === entry.negated) === place,
  );
}

function have(reader: Reader, at: number): Parse<Modifier>[] {
  return HAVE_VERBS.matches(reader.tokens, at).flatMap(({ end }) => {
    const start = skipAll(reader, end, FILLER_ADVERBS);
    if (wordAt(reader, start) === 'both')
      return havingModifiers(reader, start + 1).flatMap((first) => haveMore(reader, first));
    const single = [...havingModifiers(reader, start), ...conditionPhrases(reader, start)];
    return [...single, ...single.flatMap((first) => haveMore(reader, first))];
  });
}

/** "orders but no reviews", "a dog and at least two cats". */
function haveMore(reader: Reader, first: Parse<Modifier>): Parse<Modifier>[] {
  if (!['and', 'but'].includes(wordAt(reader, first.end))) return [];
  return map(
    quantified(reader, first.end + 1),
    (second): Modifier => ({ kind: 'all', modifiers: [first.value, second] }),
    first.cost + 0.02,
  );
}

/** "are female", "is not from France", "is older than 30", "are the oldest", "are offered by". */
function be(reader: Reader, at: number): Parse<Modifier>[] {
  return BE_FORMS.matches(reader.tokens, at).flatMap(({ end }) => {
    const start = skipAll(reader, end, FILLER_ADVERBS);
    const positive = predicates(reader, start);
    const negative = NEGATIONS.matches(reader.tokens, start).flatMap((not) => negateAll(predicates(reader, not.end)));
    return [...positive, ...negative];
  });
}

const predicates = defineRule<Modifier>((reader, at) => [
  ...map(
    valueList(reader, skipArticle(reader, at)),
    ({ values, connective }): Modifier => ({ kind: 'values', values, connective, negated: false }),
  ),
  ...prepositional(reader, at),
  ...participles(reader, at),
  ...comparativeModifiers(reader, at),
  ...SUPERLATIVE_PREDICATES(reader, at),
  ...map(
    phrase(reader, at),
    (other): Modifier => ({ kind: 'related', phrase: other, quantifier: { kind: 'some' }, having: false }),
    0.08,
  ),
]);

function skipArticle(reader: Reader, at: number): number {
  return ['a', 'an', 'the'].includes(reader.tokens[at]?.lower ?? '') ? at + 1 : at;
}

/** "weigh more than 5 kg", "cost the most", "spent more than 100". */
function measure(reader: Reader, at: number): Parse<Modifier>[] {
  return MEASURE_VERBS.matches(reader.tokens, at).flatMap(({ value, end }) => {
    const measured: Measure = { kind: 'dimension', dimension: value, summed: value.summed };
    return [
      ...map(
        comparisonTail(reader, end),
        ({ comparison, operand, upper }): Modifier => ({
          kind: 'compare',
          measure: measured,
          comparison,
          operand,
          ...(upper === undefined ? {} : { upper }),
        }),
      ),
      ...MOST.matches(reader.tokens, end).flatMap((match) => [
        parse<Modifier>({ kind: 'superlative', measure: measured, end: match.value }, match.end),
        ...inNamed(reader, match),
      ]),
    ];
  });
}

/** "paid the most in fines": the column that is added up. */
function inNamed(reader: Reader, most: { readonly value: 'high' | 'low'; readonly end: number }): Parse<Modifier>[] {
  if (wordAt(reader, most.end) !== 'in') return [];
  return map(attributePhrase(reader, most.end + 1), (what) => ({
    kind: 'superlative',
    measure: { kind: 'term', phrase: what, function: 'sum' },
    end: most.value,
  }));
}

/** A participle behind a noun: "enrolled in the course X", "published by Y", "released in 2014", "named Z". */
export const participles: Rule<Modifier> = defineRule((reader, at) => [
  ...(skipAll(reader, at, FILLER_ADVERBS) > at ? participles(reader, skipAll(reader, at, FILLER_ADVERBS)) : []),
  ...NAMING_VERBS.matches(reader.tokens, at).flatMap(({ end }) =>
    map(
      valueList(reader, end),
      ({ values, connective }): Modifier => ({ kind: 'values', values, connective, negated: false }),
    ),
  ),
  ...measure(reader, at),
  ...have(reader, at).filter(() => reader.tokens[at]?.lower.endsWith('ing') ?? false),
  ...active(reader, at),
  ...NEGATIONS.matches(reader.tokens, at).flatMap(({ end }) => negateAll(active(reader, end))),
]);

/** A verb with what follows it. */
export const active = defineRule<Modifier>((reader, at) =>
  verbAt(reader, at).flatMap((verb) => {
    const behind = skipAll(reader, verb.end, FILLER_ADVERBS);
    const objects = maybe(reader, behind, PREPOSITIONS).flatMap((start) => [
      ...map(quantified(reader, start), (modifier) => withVerb(modifier, verb.value)),
      ...map(
        valueList(reader, skipArticle(reader, start)),
        ({ values, connective }): Modifier =>
          withVerb({ kind: 'values', values, connective, negated: false }, verb.value),
      ),
      ...(verb.value.mention === undefined
        ? [...conditionPhrases(reader, start), ...comparativeModifiers(reader, start)]
        : []),
      ...map(
        havingModifiers(reader, start).filter(({ value }) => value.kind === 'superlative'),
        (modifier) => modifier,
      ),
    ]);
    const timed = map([...timeModifiers(reader, behind), ...timeGroups(reader, behind)], (modifier) =>
      withVerb(modifier, verb.value),
    );
    const often = OFTEN.matches(reader.tokens, behind).map((match) =>
      parse<Modifier>(
        {
          kind: 'superlative',
          measure: countOf(verb.value, ['most', 'least'].includes(wordAt(reader, match.end - 1))),
          end: match.value,
        },
        match.end,
      ),
    );
    const recently = RECENTLY.matches(reader.tokens, behind).flatMap((match) =>
      whenDone(verb.value).map((measured) =>
        parse<Modifier>({ kind: 'superlative', measure: measured, end: match.value }, match.end),
      ),
    );
    return [
      ...objects,
      ...timed,
      ...often,
      ...recently,
      ...counted(reader, behind, verb.value),
      ...byGroup(reader, verb),
      ...withoutObject(reader, verb),
    ].map((found) => ({
      ...found,
      cost: found.cost + verb.cost,
    }));
  }),
);

/** "sold by category": not who sold it ("by members"), but what it is grouped by. */
function byGroup(reader: Reader, { value, end }: Parse<Verb>): Parse<Modifier>[] {
  if (!['by', 'per'].includes(wordAt(reader, end)) || (value.mention !== undefined && !SALE_VERBS.has(value.lower)))
    return [];
  return phrase(reader, end + 1)
    .filter(({ value: { head, values } }) => head !== undefined && !head.plural && values.length === 0)
    .map((group) =>
      parse<Modifier>({ kind: 'group', phrase: { ...group.value, each: true } }, group.end, group.cost + 0.08),
    );
}

/** "booked the most": the bookings are counted. */
function countOf({ mention }: Verb, done: boolean): Measure {
  const links = mention?.links.filter(({ kind }) => kind === 'relation') ?? [];
  return mention === undefined || links.length === 0
    ? { kind: 'count' }
    : { kind: 'count', done, phrase: { ...EMPTY_PHRASE, head: { ...mention, links } } };
}

/** "(have never been) ordered", "(that are) discontinued": the verb says it all. */
function withoutObject(reader: Reader, { value, end }: Parse<Verb>): Parse<Modifier>[] {
  // Who did it follows: "borrowed by children" is not "borrowed" and something else.
  if (value.mention === undefined || wordAt(reader, end) === 'by') return [];
  const alone: Modifier = {
    kind: 'related',
    phrase: { ...EMPTY_PHRASE, pronoun: true },
    quantifier: { kind: 'some' },
    having: true,
  };
  return [parse(withVerb(alone, value), end, 0.02)];
}

/** "(which) nobody has attended", "(which plans) does nobody subscribe to". */
function byNobody(reader: Reader, at: number): Parse<Modifier>[] {
  const start = skip(reader, at, AUXILIARIES);
  return NOBODY.matches(reader.tokens, start).flatMap(({ end }) =>
    verbAt(reader, skip(reader, skipAll(reader, end, FILLER_ADVERBS), AUXILIARIES)).flatMap((verb) =>
      maybe(reader, verb.end, PREPOSITIONS).flatMap((stop) =>
        negateAll(withoutObject(reader, { ...verb, end: stop })).map((found) => ({
          ...found,
          cost: found.cost + verb.cost,
        })),
      ),
    ),
  );
}

/** "(which) Anguilla belongs to", "(that) Ben Jones directs": the subject stands between. */
const inverted = defineRule<Modifier>((reader, at) =>
  sequence(
    phraseCore(reader, skip(reader, at, AUXILIARIES)),
    (end) => {
      const start = skip(reader, skipAll(reader, end, FILLER_ADVERBS), AUXILIARIES);
      return verbAt(reader, start).flatMap((verb) =>
        maybe(reader, verb.end, PREPOSITIONS).map((stop) => parse(verb.value, stop, verb.cost)),
      );
    },
    (subject, verb): Modifier =>
      withVerb({ kind: 'related', phrase: subject, quantifier: { kind: 'some' }, having: false }, verb),
  ),
);

export function withVerb(modifier: Modifier, verb: Verb): Modifier {
  const mention: TermMention | undefined = verb.mention;
  if (mention === undefined) return modifier;
  if (
    modifier.kind === 'related' ||
    modifier.kind === 'values' ||
    modifier.kind === 'time' ||
    modifier.kind === 'time-group'
  )
    return { ...modifier, verb: mention };
  return modifier;
}

/** The opposite of each modifier that has one. */
function negateAll(parses: readonly Parse<Modifier>[]): Parse<Modifier>[] {
  return parses.flatMap(({ value, end, cost }) => {
    const negated = negate(value);
    return negated === undefined ? [] : [{ value: negated, end, cost }];
  });
}

function negate(modifier: Modifier): Modifier | undefined {
  if (modifier.kind === 'values' || modifier.kind === 'like' || modifier.kind === 'null' || modifier.kind === 'flag')
    return { ...modifier, negated: !modifier.negated };
  if (modifier.kind === 'compare')
    return modifier.upper === undefined
      ? { ...modifier, comparison: negateComparison(modifier.comparison) }
      : undefined;
  if (modifier.kind === 'time') return { ...modifier, negated: modifier.negated !== true };
  if (modifier.kind !== 'related') return undefined;
  if (modifier.quantifier.kind === 'some') return { ...modifier, quantifier: { kind: 'none' } };
  if (modifier.quantifier.kind === 'count')
    return {
      ...modifier,
      quantifier: { ...modifier.quantifier, comparison: negateComparison(modifier.quantifier.comparison) },
    };
  return undefined;
}
