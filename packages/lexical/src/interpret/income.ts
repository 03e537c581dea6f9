import { EARN_VERBS } from '../lexicon/figures.ts';
import { AUXILIARIES, BE_FORMS } from '../lexicon/function-words.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import type { TermMention } from '../link/links.ts';
import type { Output, Phrase } from './frame.ts';
import { US } from './how-many.ts';
import { modifierList } from './modifiers.ts';
import { EMPTY_PHRASE, phrase } from './phrases.ts';
import { defineRule, map, type Parse, parse, type Reader, skip, wordAt } from './reader.ts';

/** "How much did we earn in 2024", "what has each vet earned in fees": a sum of money. `at` is behind "how much". */
export const income = defineRule<Output>((reader, at) => [...passive(reader, at), ...active(reader, at)]);

function active(reader: Reader, at: number): Parse<Output>[] {
  return AUXILIARIES.matches(reader.tokens, at).flatMap(({ end }) => [
    ...US.matches(reader.tokens, end).flatMap((us) => earned(reader, us.end, undefined)),
    ...phrase(reader, end).flatMap((who) =>
      earned(reader, who.end, who.value).map((found) => ({ ...found, cost: found.cost + who.cost })),
    ),
  ]);
}

/** "how much was paid in cash". */
function passive(reader: Reader, at: number): Parse<Output>[] {
  const starts = [...BE_FORMS.matches(reader.tokens, at), ...AUXILIARIES.matches(reader.tokens, at)].map(({ end }) =>
    skip(reader, end, BE_FORMS),
  );
  return starts.flatMap((start) =>
    PAID.matches(reader.tokens, start).flatMap(({ end }) => unnamed(reader, end, undefined)),
  );
}

const PAID = phraseSet(['paid', 'spent', 'earned', 'collected', 'received', 'invoiced', 'billed', 'donated']);

function earned(reader: Reader, at: number, owner: Phrase | undefined): Parse<Output>[] {
  return EARN_VERBS.matches(reader.tokens, at).flatMap(({ end }) => [
    ...named(reader, end, owner),
    ...unnamed(reader, end, owner),
  ]);
}

/** "in fees", "from fees": the column that is added up. */
function named(reader: Reader, at: number, owner: Phrase | undefined): Parse<Output>[] {
  if (!['in', 'from'].includes(wordAt(reader, at))) return [];
  return map(phrase(reader, at + 1), (what) => sumOf(owner === undefined ? what : { ...what, owner }), 0.02);
}

/** What comes in, where nothing says what it is called. */
function unnamed(reader: Reader, at: number, owner: Phrase | undefined): Parse<Output>[] {
  const { money } = reader.lattice.figures;
  if (money.length === 0) return [];
  const head: TermMention = { start: at, end: at, text: 'income', plural: false, links: money };
  const what: Phrase = { ...EMPTY_PHRASE, head, ...(owner === undefined ? {} : { owner }) };
  return [
    parse(sumOf(what), at),
    ...modifierList(reader, at)
      .filter(({ value }) => value.length > 0)
      .map(({ value, end, cost }) => parse(sumOf({ ...what, modifiers: value }), end, cost)),
  ];
}

function sumOf(what: Phrase): Output {
  return { kind: 'aggregate', function: 'sum', phrase: what };
}
