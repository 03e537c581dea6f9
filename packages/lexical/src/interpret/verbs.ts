import { BE_FORMS } from '../lexicon/function-words.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import { isLightVerb } from '../lexicon/verbs.ts';
import type { TermMention } from '../link/links.ts';
import { type Parse, parse, type Reader, wordAt } from './reader.ts';

/** A verb of the question; with a mention when it names something of the schema. */
export interface Verb {
  readonly lower: string;
  readonly mention?: TermMention | undefined;
}

/** Verbs of several words. */
const IDIOMS = phraseSet([
  'take place',
  'takes place',
  'took place',
  'taking place',
  'taken place',
  'took part',
  'take part',
  'takes part',
  'taking part',
  'made up',
]);
const LINKED = 0;
const LIGHT = 0.05;
/** The schema knows the verb: it hardly stands there for nothing. */
const LIGHT_BUT_LINKED = 0.3;

/**
 * The verb at a token, maybe behind "is being": one that says only that things belong together, or one that the schema
 * knows.
 */
export function verbAt(reader: Reader, at: number): Parse<Verb>[] {
  const starts = [at, ...BE_FORMS.matches(reader.tokens, at).map(({ end }) => end)];
  return starts.flatMap((start) => {
    const lower = wordAt(reader, start);
    if (lower === '') return [];
    const found: Parse<Verb>[] = [];
    for (const mention of reader.lattice.verbs.get(start) ?? [])
      found.push(parse({ lower, mention }, mention.end, LINKED));
    const idiom = IDIOMS.matches(reader.tokens, start)[0];
    if (idiom !== undefined) found.push(parse({ lower }, idiom.end, LIGHT));
    if (isLightVerb(lower)) found.push(parse({ lower }, start + 1, found.length > 0 ? LIGHT_BUT_LINKED : LIGHT));
    return found;
  });
}
