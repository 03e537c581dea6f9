import { BE_FORMS } from '../lexicon/function-words.ts';
import { isLightVerb } from '../lexicon/verbs.ts';
import type { TermMention } from '../link/links.ts';
import { type Parse, parse, type Reader, wordAt } from './reader.ts';

/** A verb of the question; with a mention when it names something of the schema. */
export interface Verb {
  readonly lower: string;
  readonly mention?: TermMention | undefined;
}

const LINKED = 0;
const LIGHT = 0.05;

/** The verb at a token, maybe behind "is being": one that says only that things belong together, or one that the schema knows. */
export function verbAt(reader: Reader, at: number): Parse<Verb>[] {
  const starts = [at, ...BE_FORMS.matches(reader.tokens, at).map(({ end }) => end)];
  return starts.flatMap((start) => {
    const lower = wordAt(reader, start);
    if (lower === '') return [];
    const found: Parse<Verb>[] = [];
    for (const mention of reader.lattice.verbs.get(start) ?? []) found.push(parse({ lower, mention }, mention.end, LINKED));
    if (isLightVerb(lower)) found.push(parse({ lower }, start + 1, LIGHT));
    return found;
  });
}
