import { AGGREGATES, type AggregateFunction, COUNT_PHRASES, SHARES } from '../lexicon/aggregates.ts';
import { DETERMINERS, LIST_SEPARATORS } from '../lexicon/function-words.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import type { Modifier, Output, Phrase, ShareOutput } from './frame.ts';
import { howMany } from './how-many.ts';
import { phrase } from './phrases.ts';
import { defineRule, isKind, map, type Parse, parse, type Reader, type Rule, skip, wordAt } from './reader.ts';
import { verbPhrase } from './verb-phrases.ts';

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
      listFrom(reader, start, depth - 1).map((rest) => ({
        value: [...first.value, ...rest.value],
        end: rest.end,
        cost: first.cost + rest.cost + cost + (isClosed(first.value.at(-1)) && isClosed(rest.value[0]) ? ANOTHER : 0),
      }));
    const rests = separators(reader, first.end).flatMap((start) => more(start, 0));
    // "with the name of its customer" asks for one more thing, where it is no condition.
    const beside = wordAt(reader, first.end) === 'with' ? more(first.end + 1, BESIDE) : [];
    return [alone, ...rests, ...beside];
  });
}

/** "channels that play X and cartoons by Y": who says so much of one thing rather goes on about it. */
function isClosed(output: Output | undefined): boolean {
  const { phrase: said } = output ?? {};
  const whole = said?.owner ?? said;
  return whole?.modifiers.some(({ kind }) => kind === 'related' || kind === 'values') ?? false;
}

const ANOTHER = 0.3;

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
  ...map(share(reader, at), (output) => [output]),
  ...phrase(reader, at).map(
    (found): Parse<readonly Output[]> => ({
      ...found,
      value: [{ kind: 'phrase', phrase: found.value }],
      cost:
        found.cost + (isTotalOfMany(found.value) ? LISTED_TOTALS : isAmountOfMany(found.value) ? LISTED_AMOUNTS : 0),
    }),
  ),
]);

/** "the total amount": an attribute that is called a total by itself. */
function isTotal({ head }: Phrase): boolean {
  return head !== undefined && !head.plural && /^(?:total|sum)\b/iu.test(head.text);
}

/** "the total amount of the orders", "the total amount by region": a sum, not the total of each order. */
function isTotalOfMany(found: Phrase): boolean {
  if (!isTotal(found) || found.values.length > 0) return false;
  return found.owner === undefined
    ? found.modifiers.length > 0
    : (found.owner.head === undefined || found.owner.head.plural) && !found.owner.each;
}

const LISTED_TOTALS = 0.15;

/** "the revenue in 2024": the sum over many rows, or that of each row; nothing says which. */
function isAmountOfMany({ head, owner, values, modifiers }: Phrase): boolean {
  if (head === undefined || owner !== undefined || values.length > 0) return false;
  const words = head.text.toLowerCase().split(' ');
  if (AMOUNTS.has(words.join(' '))) return modifiers.some(({ kind }) => MANY.has(kind));
  return ADDED_UP.has(words.at(-1) ?? '') && modifiers.some(({ kind }) => kind === 'group' || kind === 'time-group');
}

/** "monthly freight cost": what is added up where it is asked for by groups. */
const ADDED_UP: ReadonlySet<string> = new Set(
  'amount amounts cost costs fee fees hours quantity total spend expenses freight sales revenue charges minutes'.split(
    ' ',
  ),
);

const AMOUNTS: ReadonlySet<string> = new Set('revenue sales profit turnover income spending amount'.split(' '));
const MANY: ReadonlySet<Modifier['kind']> = new Set(['time', 'values', 'related', 'group', 'time-group', 'all']);
const LISTED_AMOUNTS = 0.04;
const SUMMED_AMOUNTS = 0.02;
/** Where a column is called so, it is rather listed. */
const OWNED_AMOUNTS = 0.1;
const BESIDE = 0.06;

/** "the percentage of orders that were cancelled", "percentage of tickets are critical". */
export const share = defineRule<ShareOutput>((reader, at) =>
  SHARES.matches(reader.tokens, skip(reader, at, DETERMINERS)).flatMap(({ end }) =>
    phrase(reader, end).flatMap((whole) => {
      const { modifiers } = whole.value;
      const last = modifiers.at(-1);
      const inside =
        last === undefined ? [] : [{ ...whole, value: shareOf(whole.value, modifiers.slice(0, -1), last) }];
      const behind = map(verbPhrase(reader, whole.end), (part) => shareOf(whole.value, modifiers, part), whole.cost);
      return [...inside.filter(() => last?.kind !== 'group' && last?.kind !== 'time-group'), ...behind];
    }),
  ),
);

function shareOf(phrase: Phrase, modifiers: readonly Modifier[], part: Modifier): ShareOutput {
  return { kind: 'share', phrase: { ...phrase, modifiers }, part };
}

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
  const amounts = phrase(reader, start)
    .filter(({ value }) => isAmountOfMany(value))
    .map(
      (found): Parse<readonly Output[]> => ({
        ...found,
        value: [{ kind: 'aggregate', function: 'sum', phrase: found.value }],
        cost: found.cost + SUMMED_AMOUNTS,
      }),
    );
  const owned = phrase(reader, start)
    .filter(({ value: { head, owner } }) => owner !== undefined && AMOUNTS.has(head?.text.toLowerCase() ?? ''))
    .map(
      (found): Parse<readonly Output[]> => ({
        ...found,
        value: [{ kind: 'aggregate', function: 'sum', phrase: found.value }],
        cost: found.cost + OWNED_AMOUNTS,
      }),
    );
  return [...totals, ...amounts, ...owned, ...aggregatesOf(reader, start)];
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
