import { COMPARATORS } from '../lexicon/comparisons.ts';
import { phraseTable } from '../lexicon/phrase-table.ts';
import { readNumber } from '../tokenise/numbers.ts';
import type { Measure, Modifier, Phrase } from './frame.ts';
import { EMPTY_PHRASE } from './phrases.ts';
import { type Parse, parse, type Reader, wordAt } from './reader.ts';
import type { Verb } from './verbs.ts';

/** "hired most recently": the time that the verb names. */
export function whenDone({ mention }: Verb): Measure[] {
  const links = mention?.links.filter(({ kind }) => kind === 'attribute') ?? [];
  if (mention === undefined || links.length === 0) return [];
  return [{ kind: 'term', phrase: { ...EMPTY_PHRASE, head: { ...mention, links } } }];
}

export const RECENTLY = phraseTable<'high' | 'low'>([
  ['most recently', 'high'],
  ['last', 'high'],
  ['earliest', 'low'],
  ['first', 'low'],
]);

/** "borrowed more than three times", "booked at least twice". */
export function counted(reader: Reader, at: number, { mention }: Verb): Parse<Modifier>[] {
  const links = mention?.links.filter(({ kind }) => kind === 'relation') ?? [];
  if (mention === undefined || links.length === 0) return [];
  const done: Phrase = { ...EMPTY_PHRASE, head: { ...mention, links } };
  return [...COMPARATORS.matches(reader.tokens, at), { value: '=' as const, end: at }].flatMap(({ value, end }) => {
    const word = TIMES.matches(reader.tokens, end)[0];
    const number = readNumber(reader.tokens, end);
    const found =
      word ??
      (number !== undefined && wordAt(reader, number.end) === 'times' ? { ...number, end: number.end + 1 } : undefined);
    return found === undefined
      ? []
      : [
          parse<Modifier>(
            {
              kind: 'related',
              phrase: done,
              quantifier: { kind: 'count', comparison: value, number: found.value },
              having: true,
            },
            found.end,
          ),
        ];
  });
}

const TIMES = phraseTable<number>([
  ['once', 1],
  ['twice', 2],
  ['one time', 1],
]);
