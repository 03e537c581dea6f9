import { SUPERLATIVES } from '../lexicon/dimensions.ts';
import type { Modifier } from './frame.ts';
import { defineRule, parse, wordAt } from './reader.ts';

/** "(are) the oldest", "(is) the most expensive". */
export const SUPERLATIVE_PREDICATES = defineRule<Modifier>((reader, at) => {
  const start = wordAt(reader, at) === 'the' ? at + 1 : at;
  return SUPERLATIVES.matches(reader.tokens, start).map(({ value, end }) =>
    parse<Modifier>({ kind: 'superlative', measure: { kind: 'dimension', dimension: value }, end: 'high' }, end),
  );
});
