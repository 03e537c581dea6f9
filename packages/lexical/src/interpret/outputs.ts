import { AGGREGATES, type AggregateFunction, COUNT_PHRASES } from '../lexicon/aggregates.ts';
import { DETERMINERS, LIST_SEPARATORS } from '../lexicon/function-words.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import type { Output, Phrase } from './frame.ts';
import { howMany } from './how-many.ts';
import { phrase } from './phrases.ts';
import { defineRule, isKind, map, type Parse, parse, type Reader, type Rule, skip, wordAt } from './reader.ts';

const OF = phraseSet([
  'of',
  'of the',
  'of all',
  'of all the',
  'the',
  'value of',
  'amount of',
  'value of the',
  'amount of the',
  'value for',
]);
const TOTALS = phraseSet(['total', 'the total']);
const MAX_OUTPUTS = 8;

/**
 * What is asked for: "names and ages of the singers", "the average, minimum and maximum age", "the number of songs".
 */
export const outputList = defineRule<readonly Output[]>((reader, at) => listFrom(reader, at, MAX_OUTPUTS));

function listFrom(reader: Reader, at: number, depth: number): Parse<readonly Output[]>[] {
  return outputItem(reader, at).flatMap((first) => {
    const alone: Parse<readonly Output[]> = { ...first, value: first.value };
    if (depth <= 1) return [alone];
    const more = (start: number, cost: number): Parse<readonly Output[]>[] =>
      map(listFrom(reader, start, depth - 1), (rest) => [...first.value, ...rest], first.cost + cost);
    const rests = separators(reader, first.end).flatMap((start) => more(start, 0));
    // "with the name of its customer" asks for one more thing, where it is no condition.
    const beside = wordAt(reader, first.end) === 'with' ? more(first.end + 1, BESIDE) : [];
    return [alone, ...rests, ...beside];
  });
}

/** Behind "and", ",", ", and", "along with". */
function separators(reader: Reader, at: number): number[] {
  const comma = isKind(reader, at, 'comma') ? at + 1 : at;
  const word = skip(reader, comma, LIST_SEPARATORS);
  return [...new Set([word, comma])].filter((end) => end > at);
}

/** One thing asked for; an aggregate list makes several outputs of one phrase. */
const outputItem = defineRule<readonly Output[]>((reader, at) => [
  ...counted(reader, at),
  ...aggregated(reader, at),
  ...map(howMany(reader, at), (output) => [output]),
  ...phrase(reader, at).map(
    (found): Parse<readonly Output[]> => ({
      ...found,
      value: [{ kind: 'phrase', phrase: found.value }],
      cost: found.cost + (isTotalOfMany(found.value) ? LISTED_TOTALS : 0),
    }),
  ),
]);

/** "the total amount": an attribute that is called a total by itself. */
function isTotal({ head }: Phrase): boolean {
  return head !== undefined && !head.plural && /^(?:total|sum)\b/iu.test(head.text);
}

/** "the total amount of the orders" asks for one sum, not for the total of each order. */
function isTotalOfMany(found: Phrase): boolean {
  return isTotal(found) && found.owner?.head?.plural === true && !found.owner.each;
}

const LISTED_TOTALS = 0.15;
const BESIDE = 0.06;

function counted(reader: Reader, at: number): Parse<readonly Output[]>[] {
  const start = skip(reader, at, DETERMINERS);
  const counts = COUNT_PHRASES.matches(reader.tokens, start).flatMap(({ end }) =>
    map(phrase(reader, end), (found): readonly Output[] => [{ kind: 'count', phrase: found }]),
  );
  const totals = TOTALS.matches(reader.tokens, start).flatMap(({ end }) =>
    map(phrase(reader, end), (found): readonly Output[] => [{ kind: 'count', phrase: found, entityOnly: true }], 0.02),
  );
  return [...counts, ...totals];
}

function aggregated(reader: Reader, at: number): Parse<readonly Output[]>[] {
  const start = skip(reader, at, DETERMINERS);
  const totals = phrase(reader, start)
    .filter(({ value }) => isTotal(value))
    .map(
      (found): Parse<readonly Output[]> => ({
        ...found,
        value: [{ kind: 'aggregate', function: 'sum', phrase: found.value }],
        cost: found.cost + (isTotalOfMany(found.value) ? 0 : LISTED_TOTALS),
      }),
    );
  return [...totals, ...aggregatesOf(reader, start)];
}

function aggregatesOf(reader: Reader, at: number): Parse<readonly Output[]>[] {
  return aggregateList(reader, skip(reader, at, DETERMINERS)).flatMap(({ value: functions, end }) =>
    [...new Set([end, skip(reader, end, OF)])].flatMap((start) =>
      map(phrase(reader, start), (found: Phrase): readonly Output[] =>
        functions.map((name) => ({ kind: 'aggregate', function: name, phrase: found })),
      ),
    ),
  );
}

/** "average", "minimum and maximum", "average, minimum, and maximum". */
const aggregateList: Rule<readonly AggregateFunction[]> = defineRule((reader, at) =>
  AGGREGATES.matches(reader.tokens, at).flatMap(({ value, end }) => {
    const rests = separators(reader, end).flatMap((start) =>
      map(aggregateList(reader, skip(reader, start, DETERMINERS)), (rest) => [value, ...rest]),
    );
    return [parse<readonly AggregateFunction[]>([value], end), ...rests];
  }),
);
