import type { RelationId } from '@askema/core';
import { AGGREGATES, COUNT_PHRASES, HOW_MANY, SHARES } from '../lexicon/aggregates.ts';
import { COMPARATORS, POSTFIX_COMPARATORS, TIME_COMPARATORS } from '../lexicon/comparisons.ts';
import {
  COMMON,
  COMPARATIVES,
  GENERIC_SUPERLATIVES,
  HOW_ADJECTIVES,
  OFTEN,
  SUPERLATIVES,
} from '../lexicon/dimensions.ts';
import * as functionWords from '../lexicon/function-words.ts';
import { MEASURE_VERBS } from '../lexicon/measure-verbs.ts';
import { DIRECTION_PREFIXES, KEY_DIRECTIONS, RANGE_DIRECTIONS, SORTED_BY } from '../lexicon/order-cues.ts';
import { COUNT_SUPERLATIVES, QUANTIFIERS } from '../lexicon/quantifiers.ts';
import { LIKE, MISSING, PRESENT } from '../lexicon/text-cues.ts';
import { PER_TIME, TIME_ADJECTIVES } from '../lexicon/time-units.ts';
import { HAVE_VERBS, LIGHT_VERB_FORMS, NAMING_VERBS } from '../lexicon/verbs.ts';
import type { Lattice, LinkedCatalog } from '../link/lattice.ts';
import { readNumber } from '../tokenise/numbers.ts';

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
  PER_TIME,
  TIME_ADJECTIVES,
  SHARES,
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

/** Words of the question that nothing knows: no name, no cell, no word of the lexicon. In order, each once. */
export function unknownWords(lattice: Lattice): readonly string[] {
  const covered = new Set<number>();
  for (const mentions of [...lattice.terms.values(), ...lattice.values.values(), ...lattice.verbs.values()]) {
    for (const { start, end } of mentions) for (let at = start; at < end; at += 1) covered.add(at);
  }
  const unknown = lattice.tokens.filter((token, at) => {
    if (covered.has(at)) return false;
    if (token.kind === 'quoted') return token.text.trim() !== '';
    return token.kind === 'word' && !KNOWN_WORDS.has(token.lower) && readNumber(lattice.tokens, at) === undefined;
  });
  return [...new Set(unknown.map((token) => token.text))];
}

const MAX_LISTED = 3;

/** Which relations were not searched, with their rows, and what helps; undefined when there are none. */
export function describeUnsearched(
  unsearched: ReadonlySet<RelationId>,
  { catalog, index }: LinkedCatalog,
): string | undefined {
  const rows = (id: RelationId): number | undefined => catalog.relations[id]?.rowCount;
  const ids = [...unsearched].sort((a, b) => (rows(b) ?? 0) - (rows(a) ?? 0));
  if (ids.length === 0) return undefined;
  const listed = ids.slice(0, MAX_LISTED).map((id) => {
    const count = rows(id);
    return `${index.relation(id)?.name ?? ''}${count === undefined ? '' : ` (${count.toLocaleString('en-US')} ${count === 1 ? 'row' : 'rows'})`}`;
  });
  const rest = ids.length - listed.length;
  return `Not searched in full: ${listed.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}. Build an index with \`askema index DATABASE\` and pass it with --value-index.`;
}

/** Why no reading of the whole question was found. */
export function explainDecline(
  lattice: Lattice,
  furthest: number,
  unknown: readonly string[],
  unsearched: string | undefined,
): string {
  const words = unknown.map((word) => `'${word}'`).join(', ');
  if (unknown.length > 0 && unsearched !== undefined)
    return `Nothing that was searched matches ${words}. ${unsearched}`;
  if (unknown.length > 0) return `Nothing in the database matches ${words}.`;
  const rest = lattice.tokens.slice(furthest).filter((token) => token.kind !== 'stop');
  const place = lattice.tokens[furthest];
  if (rest.length === 0 || place === undefined)
    return 'The words are known, but the question as a whole could not be read. Ask it in simpler words.';
  return `The question could not be read from '${lattice.question.slice(place.start).trim().slice(0, 80)}' on. Ask it in simpler words.`;
}
