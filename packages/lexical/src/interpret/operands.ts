import { COMPARATORS, type Comparison, POSTFIX_COMPARATORS } from '../lexicon/comparisons.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import { UNIT_PHRASES } from '../lexicon/units.ts';
import { readNumber } from '../tokenise/numbers.ts';
import { readTime } from '../tokenise/read-time.ts';
import type { Operand, ValueOperand } from './frame.ts';
import { defineRule, isKind, map, type Parse, parse, type Reader, sequence, wordAt } from './reader.ts';

const PACES = phraseSet(
  ['hour', 'day', 'night', 'week', 'month', 'year'].flatMap((unit) => [`a ${unit}`, `per ${unit}`, `an ${unit}`]),
);
const UNITS = phraseSet(UNIT_PHRASES);
const EITHER = phraseSet(['either', 'both', 'one of', 'any of']);
/** Cells of stop words or names of the schema are less likely than the words themselves. */
const COMMON_WORD = 0.12;
const UNKNOWN_TEXT = 0.05;

/** A number in digits or words, with a currency in front or a unit behind. */
export const numberOperand = defineRule<ValueOperand>((reader, at) => {
  const currency = ['$', '€', '£'].includes(wordAt(reader, at)) ? 1 : 0;
  const number = readNumber(reader.tokens, at + currency);
  if (number === undefined) return [];
  const text = textBetween(reader, at, number.end);
  const operand = { kind: 'number', value: number.value, text } as const;
  const units = UNITS.matches(reader.tokens, number.end).map(({ end }) =>
    parse<ValueOperand>({ ...operand, unit: textBetween(reader, number.end, end).toLowerCase() }, end),
  );
  const paced = PACES.matches(reader.tokens, number.end).map(({ end }) => parse<ValueOperand>(operand, end, 0.02));
  const bare: ValueOperand = currency === 1 ? { ...operand, unit: '$' } : operand;
  return [...units, ...paced, parse(bare, number.end)];
});

/** A cell that was found, or something in quotation marks that was not. */
export const textOperand = defineRule<ValueOperand>((reader, at) => {
  const mentions = reader.lattice.values.get(at) ?? [];
  const found = mentions.map((mention) => {
    const common = !mention.quoted && mention.end - mention.start === 1 && isCommonWord(reader, at);
    return parse<ValueOperand>({ kind: 'cell', mention }, mention.end, common ? COMMON_WORD : 0);
  });
  const token = reader.tokens[at];
  if (token?.kind !== 'quoted' || token.text.trim() === '' || found.length > 0) return found;
  return [parse<ValueOperand>({ kind: 'text', text: token.text, quoted: true }, at + 1, UNKNOWN_TEXT)];
});

/** A word in lower case that also names something of the schema. */
function isCommonWord(reader: Reader, at: number): boolean {
  const token = reader.tokens[at];
  return token !== undefined && token.text === token.lower && reader.lattice.terms.has(at);
}

const valueOperand = defineRule<ValueOperand>((reader, at) => [
  ...textOperand(reader, at),
  ...(['a', 'an'].includes(wordAt(reader, at)) ? textOperand(reader, at + 1) : []),
  ...numberOperand(reader, at),
]);

export interface ValueList {
  readonly values: readonly ValueOperand[];
  readonly connective: 'any' | 'all';
}

/** "France", "cat or dog", "either English or Dutch", "2014 and 2015", "A, B or C". */
export const valueList = defineRule<ValueList>((reader, at) => {
  const lead = EITHER.matches(reader.tokens, at)[0];
  const start = lead?.end ?? at;
  const both = wordAt(reader, at) === 'both';
  return valueOperand(reader, start).flatMap((first) => [
    ...(lead === undefined ? [{ ...first, value: { values: [first.value], connective: 'any' as const } }] : []),
    ...moreValues(reader, first.end).map((rest) => ({
      value: {
        values: [first.value, ...rest.value.values],
        connective: both ? ('all' as const) : rest.value.connective,
      },
      end: rest.end,
      cost: first.cost + rest.cost,
    })),
  ]);
});

const moreValues = defineRule<ValueList>((reader, at) => {
  const separators: { readonly end: number; readonly connective: 'any' | 'all' | undefined }[] = [];
  const comma = isKind(reader, at, 'comma') ? at + 1 : at;
  const word = wordAt(reader, comma);
  if (word === 'or' || word === '/') separators.push({ end: comma + 1, connective: 'any' });
  if (word === 'and') separators.push({ end: comma + 1, connective: 'all' });
  if (comma > at) separators.push({ end: comma, connective: undefined });
  return separators.flatMap(({ end, connective }) =>
    valueOperand(reader, end).flatMap((next): Parse<ValueList>[] => {
      const rest = map(moreValues(reader, next.end), (more) => ({
        values: [next.value, ...more.values],
        connective: more.connective,
      }));
      const last = connective === undefined ? [] : [{ ...next, value: { values: [next.value], connective } }];
      return [...last, ...rest.map((parsed) => ({ ...parsed, cost: parsed.cost + next.cost }))];
    }),
  );
});

/** A time by itself: a year, a month, a day, "last month". */
export const timeOperand = defineRule<Operand>((reader, at) => {
  const time = readTime(reader.tokens, at, reader.today);
  if (time === undefined) return [];
  return [parse<Operand>({ kind: 'time', span: time.span, text: textBetween(reader, at, time.end) }, time.end)];
});

export interface ComparisonTail {
  readonly comparison: Comparison;
  readonly operand: Operand;
  readonly upper?: Operand | undefined;
}

/** "more than 5", "between 3 and 7", "5 or more", "> 5", "after 2014". */
export const comparisonTail = defineRule<ComparisonTail>((reader, at) => [
  ...between(reader, at),
  ...COMPARATORS.matches(reader.tokens, at).flatMap(({ value, end }) =>
    map(comparable(reader, end), (operand): ComparisonTail => ({ comparison: value, operand })),
  ),
  ...sequence(
    numberOperand(reader, at),
    (end) => POSTFIX_COMPARATORS.matches(reader.tokens, end).map((match) => parse(match.value, match.end)),
    (operand, comparison): ComparisonTail => ({ comparison, operand }),
  ),
]);

/** What may stand behind "more than": a number, a time, a cell. Averages are added where phrases are known. */
export const comparable = defineRule<Operand>((reader, at) => {
  const start = ['the', 'a', 'an'].includes(wordAt(reader, at)) ? at + 1 : at;
  return [...numberOperand(reader, start), ...timeOperand(reader, at), ...textOperand(reader, start)];
});

function between(reader: Reader, at: number): Parse<ComparisonTail>[] {
  const word = wordAt(reader, at);
  if (word !== 'between' && word !== 'from') return [];
  const joins = word === 'between' ? ['and', 'to'] : ['to', 'until', 'through'];
  return sequence(
    comparable(reader, at + 1),
    (end) => (joins.includes(wordAt(reader, end)) ? comparable(reader, end + 1) : []),
    (operand, upper): ComparisonTail => ({ comparison: '>=', operand, upper }),
  );
}

function textBetween(reader: Reader, start: number, end: number): string {
  return reader.lattice.question.slice(reader.tokens[start]?.start ?? 0, reader.tokens[end - 1]?.end ?? 0);
}
