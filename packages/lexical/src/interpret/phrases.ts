import { COMMON, SUPERLATIVES } from '../lexicon/dimensions.ts';
import { DETERMINERS, PRONOUNS } from '../lexicon/function-words.ts';
import { MEASURE_VERBS } from '../lexicon/measure-verbs.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import { TIME_ADJECTIVES } from '../lexicon/time-units.ts';
import { NAMING_VERBS } from '../lexicon/verbs.ts';
import type { TermMention } from '../link/links.ts';
import { readNumber } from '../tokenise/numbers.ts';
import { tokenise } from '../tokenise/tokenise.ts';
import type { Modifier, Phrase, ValueOperand } from './frame.ts';
import { modifierList } from './modifiers.ts';
import { numberOperand, textOperand } from './operands.ts';
import { defineRule, isKind, map, type Parse, parse, type Reader, sequence, skip, wordAt } from './reader.ts';

/** What stands in front of a noun. */
interface Lead {
  readonly distinct: boolean;
  readonly each: boolean;
  readonly possessive: boolean;
  readonly count?: number | undefined;
  readonly top: boolean;
  readonly superlatives: readonly Modifier[];
}

const NO_LEAD: Lead = { distinct: false, each: false, possessive: false, top: false, superlatives: [] };

export const EMPTY_PHRASE: Phrase = {
  pronoun: false,
  distinct: false,
  each: false,
  top: false,
  values: [],
  modifiers: [],
};

/** A noun with everything behind it: "the oldest singers from France who have a song". */
export const phrase = defineRule<Phrase>((reader, at) =>
  sequence(
    phraseCore(reader, at),
    (end, core) => [...ownerOf(reader, end, core), parse(core, end)],
    (_, whole) => whole,
  ).flatMap((whole) =>
    modifierList(reader, whole.end).map(({ value: modifiers, end, cost }) => ({
      value: extremeBy(addModifiers(whole.value, modifiers)),
      end,
      cost: whole.cost + cost + (whole.value.owner === undefined ? 0 : behindOwner(modifiers[0])),
    })),
  ),
);

/** "the largest order by freight": the extreme of what stands behind "by". */
function extremeBy(whole: Phrase): Phrase {
  const lead = whole.modifiers.find(
    (modifier) => modifier.kind === 'superlative' && modifier.measure.kind === 'dimension',
  );
  const order = whole.modifiers.find((modifier) => modifier.kind === 'order' && modifier.loose);
  if (lead?.kind !== 'superlative' || lead.measure.kind !== 'dimension' || order?.kind !== 'order') return whole;
  const end = SIZES.get(lead.measure.dimension.word);
  const [key, second] = order.keys;
  if (end === undefined || key === undefined || second !== undefined) return whole;
  const modifiers = whole.modifiers.filter((modifier) => modifier !== order);
  return { ...whole, modifiers: modifiers.map((one) => (one === lead ? { ...lead, measure: key.measure, end } : one)) };
}

const SIZES: ReadonlyMap<string, 'high' | 'low'> = new Map([
  ...['largest', 'biggest', 'highest', 'best'].map((word) => [word, 'high'] as const),
  ...['smallest', 'worst'].map((word) => [word, 'low'] as const),
]);

/** What stands behind "powers of heroes" is rather said of the heroes. */
function behindOwner(first: Modifier | undefined): number {
  return first === undefined || first.kind === 'order' || first.kind === 'group' || first.kind === 'time-group'
    ? 0
    : BEHIND_OWNER;
}

const BEHIND_OWNER = 0.12;

export function addModifiers(target: Phrase, modifiers: readonly Modifier[]): Phrase {
  return modifiers.length === 0 ? target : { ...target, modifiers: [...target.modifiers, ...modifiers] };
}

/** "of the singers", "of France". */
function ownerOf(reader: Reader, at: number, core: Phrase): Parse<Phrase>[] {
  const word = wordAt(reader, at);
  if ((word !== 'of' && word !== 'about') || core.head === undefined || core.owner !== undefined) return [];
  return [
    ...map(phrase(reader, at + 1), (owner) => ({ ...core, owner })),
    ...map(values(reader, skip(reader, at + 1, DETERMINERS)), (found) => ({
      ...core,
      values: [...core.values, ...found],
      valuesBehindOf: true,
    })),
  ];
}

/** A noun with what stands in front of it and cells beside it, without anything that follows. */
export const phraseCore = defineRule<Phrase>((reader, at) =>
  leads(reader, at).flatMap((lead) => map(nucleus(reader, lead.end), (core) => withLead(core, lead.value), lead.cost)),
);

function withLead(core: Phrase, lead: Lead): Phrase {
  if (core.possessive && core.owner !== undefined) return { ...core, owner: withLead(core.owner, lead) };
  return {
    ...core,
    distinct: core.distinct || lead.distinct,
    each: core.each || lead.each,
    top: lead.top,
    ...(lead.count === undefined ? {} : { count: lead.count }),
    ...(lead.possessive && core.owner === undefined ? { owner: { ...EMPTY_PHRASE, pronoun: true } } : {}),
    modifiers: [...lead.superlatives, ...core.modifiers],
  };
}

/** All ways to read determiners, a count and superlatives, in any order people use. */
function leads(reader: Reader, at: number, lead: Lead = NO_LEAD, depth = 0): Parse<Lead>[] {
  const here = parse(lead, at);
  if (depth > 4) return [here];
  const next: Parse<Lead>[] = [];
  // "different kinds of" is no mere determiner where a column is called `kind`.
  const isColumn = (end: number): boolean =>
    wordAt(reader, end - 1) === 'of' &&
    terms(reader, end - 2).some(({ links }) => links.some(({ kind, cost }) => kind === 'attribute' && cost < 0.05));
  const determiners = DETERMINERS.matches(reader.tokens, at).filter(({ end }) => !isColumn(end));
  for (const { value, end } of determiners.slice(0, 1)) {
    next.push(
      parse(
        {
          ...lead,
          distinct: lead.distinct || value === 'distinct',
          each: lead.each || value === 'each',
          possessive: lead.possessive || value === 'possessive',
        },
        end,
      ),
    );
  }
  if (lead.count === undefined) next.push(...counts(reader, at, lead));
  for (const { value, end } of COMMON.matches(reader.tokens, at)) {
    const modifier: Modifier = { kind: 'superlative', measure: { kind: 'count' }, end: value };
    next.push(parse({ ...lead, superlatives: [...lead.superlatives, modifier] }, end));
  }
  // "the most prescribed drugs": most often so.
  if (['most', 'least'].includes(wordAt(reader, at)) && /(?:ed|en|old|ought)$/u.test(wordAt(reader, at + 1)))
    for (const head of reader.lattice.verbs.get(at + 1) ?? []) {
      const measure = { kind: 'count', phrase: { ...EMPTY_PHRASE, head } } as const;
      const end = wordAt(reader, at) === 'most' ? 'high' : 'low';
      next.push(
        parse({ ...lead, superlatives: [...lead.superlatives, { kind: 'superlative', measure, end }] }, head.end),
      );
    }
  for (const { end } of BEST_SELLING.matches(reader.tokens, at))
    for (const { value: dimension } of MEASURE_VERBS.matches(SOLD, 0)) {
      const modifier: Modifier = {
        kind: 'superlative',
        measure: { kind: 'dimension', dimension, summed: true },
        end: 'high',
      };
      next.push(parse({ ...lead, superlatives: [...lead.superlatives, modifier] }, end));
    }
  for (const { value, end } of TIME_ADJECTIVES.matches(reader.tokens, at)) {
    const modifier: Modifier = { kind: 'time-group', unit: value, text: value };
    next.push(parse({ ...lead, superlatives: [...lead.superlatives, modifier] }, end));
  }
  for (const { value, end } of SUPERLATIVES.matches(reader.tokens, at)) {
    const modifier: Modifier = { kind: 'superlative', measure: { kind: 'dimension', dimension: value }, end: 'high' };
    next.push(parse({ ...lead, superlatives: [...lead.superlatives, modifier] }, end));
  }
  return [here, ...next.flatMap(({ value, end }) => leads(reader, end, value, depth + 1))];
}

const BEST_SELLING = phraseSet(['best selling', 'bestselling', 'top selling', 'most sold', 'best sold']);
const SOLD = tokenise('sold');

function counts(reader: Reader, at: number, lead: Lead): Parse<Lead>[] {
  const top = ['top', 'first'].includes(wordAt(reader, at));
  const number = readNumber(reader.tokens, top ? at + 1 : at);
  if (number === undefined || !Number.isInteger(number.value) || number.value < 1)
    return wordAt(reader, at) === 'top' ? [parse({ ...lead, top: true }, at + 1)] : [];
  return [parse({ ...lead, count: number.value, top: lead.top || wordAt(reader, at) === 'top' }, number.end)];
}

/** A noun, cells in front of a noun, cells alone, or a pronoun; then a possessive or cells behind it. */
const nucleus = defineRule<Phrase>((reader, at) => {
  const pronouns = PRONOUNS.matches(reader.tokens, at).map(({ end }) =>
    parse<Phrase>({ ...EMPTY_PHRASE, pronoun: true }, end, 0.05),
  );
  const nouns = map(nounGroup(reader, at), (noun) => noun);
  const withValues = values(reader, at).flatMap((found) => [
    parse<Phrase>({ ...EMPTY_PHRASE, values: found.value }, found.end, found.cost),
    ...map(nounGroup(reader, found.end), (noun) => ({ ...noun, values: [...found.value, ...noun.values] }), found.cost),
    ...valuedNoun(reader, found),
  ]);
  return [...nouns, ...withValues, ...pronouns].flatMap((base) => [base, ...possessed(reader, base)]);
});

/** "high priority orders": the cell, its column, and what has it. */
function valuedNoun(reader: Reader, { value, end, cost }: Parse<readonly ValueOperand[]>): Parse<Phrase>[] {
  return terms(reader, end)
    .filter(({ plural, links }) => !plural && links.some(({ kind }) => kind === 'attribute'))
    .flatMap((head) => {
      const has: Modifier = {
        kind: 'values',
        phrase: { ...EMPTY_PHRASE, head: { ...head, links: head.links.filter(({ kind }) => kind === 'attribute') } },
        values: value,
        connective: 'all',
        negated: false,
      };
      return map(nounGroup(reader, head.end), (noun) => addModifiers(noun, [has]), cost + 0.02);
    });
}

/** "the owner's first name", "Copycat's race". */
function possessed(reader: Reader, owner: Parse<Phrase>): Parse<Phrase>[] {
  if (!isKind(reader, owner.end, 'possessive')) return [];
  return sequence(
    [owner],
    (end) => nucleusBehindPossessive(reader, end + 1),
    (first, second) => attachOwner(second, first),
  );
}

const nucleusBehindPossessive = defineRule<Phrase>((reader, at) => [
  ...leads(reader, at).flatMap((lead) =>
    map(nounGroup(reader, lead.end), (noun) => withLead(noun, lead.value), lead.cost),
  ),
  ...nounGroup(reader, at).flatMap((base) => possessed(reader, base)),
]);

/** Puts an owner behind the last owner of a chain: "the owner's dog's name". */
function attachOwner(target: Phrase, owner: Phrase): Phrase {
  return { ...target, possessive: true, owner: target.owner === undefined ? owner : attachOwner(target.owner, owner) };
}

/**
 * One noun, or two in a row, of which the first owns the second ("airline abbreviations"); then cells in apposition.
 */
const nounGroup = defineRule<Phrase>((reader, at) => {
  const nouns = terms(reader, at).map((term) => parse<Phrase>({ ...EMPTY_PHRASE, head: term }, term.end));
  // "room type" is what `room_type` is called, and no type of each room.
  const isWhole = (end: number): boolean =>
    terms(reader, at).some(
      (term) => term.end === end && term.links.some(({ kind, cost }) => kind === 'attribute' && cost < 0.05),
    );
  const compounds = nouns.flatMap((first) =>
    terms(reader, first.end)
      .filter(({ end }) => !isWhole(end))
      .map((second) => parse<Phrase>({ ...EMPTY_PHRASE, head: second, owner: first.value }, second.end, 0.08)),
  );
  const flagged = nouns.flatMap((first) =>
    terms(reader, first.end).map((second) => {
      const flag: Modifier = { kind: 'flag', phrase: first.value, negated: false };
      return parse<Phrase>({ ...EMPTY_PHRASE, head: second, modifiers: [flag] }, second.end, 0.04);
    }),
  );
  return [...nouns, ...compounds, ...flagged].flatMap((noun) => [
    noun,
    ...map(appositions(reader, noun.end), (found) => ({ ...noun.value, values: found }), noun.cost),
  ]);
});

export function terms(reader: Reader, at: number): readonly TermMention[] {
  return reader.lattice.terms.get(at) ?? [];
}

/** Cells behind a noun: "course ACCT-211", "the singer named X", "grade 10", "ID 1". */
function appositions(reader: Reader, at: number): Parse<readonly ValueOperand[]>[] {
  const named = skip(reader, isKind(reader, at, 'comma') ? at + 1 : at, NAMING_VERBS);
  const behindName = NAMING_VERBS.matches(reader.tokens, at).length > 0 ? values(reader, named) : [];
  const numbers = map(numberOperand(reader, at), (value) => [value], 0.05);
  return [...behindName, ...values(reader, at), ...numbers];
}

/** One cell, or two or three in a row: first and last name. */
const values = defineRule<readonly ValueOperand[]>((reader, at) => {
  const first = textOperand(reader, at);
  return first.flatMap((one) => [
    { ...one, value: [one.value] },
    ...textOperand(reader, one.end).flatMap((two) => [
      parse([one.value, two.value], two.end, one.cost + two.cost + 0.02),
      ...textOperand(reader, two.end).map((three) =>
        parse([one.value, two.value, three.value], three.end, one.cost + two.cost + three.cost + 0.04),
      ),
    ]),
  ]);
});
