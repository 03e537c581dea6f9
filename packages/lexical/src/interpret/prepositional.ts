import { TIME_COMPARATORS } from '../lexicon/comparisons.ts';
import { DETERMINERS, PREPOSITIONS } from '../lexicon/function-words.ts';
import { readMonthRange } from '../tokenise/read-time.ts';
import type { Modifier } from './frame.ts';
import { timeOperand, valueList } from './operands.ts';
import { phrase } from './phrases.ts';
import { defineRule, map, maybe, type Parse, parse, type Reader, sequence, wordAt } from './reader.ts';

/** A preposition says little about how two things belong together. */
const RELATED = 0.04;

/** "in France", "from 2014", "on the course X", "for each year" (as a group). */
export const prepositional = defineRule<Modifier>((reader, at) => [
  ...timeModifiers(reader, at),
  ...PREPOSITIONS.matches(reader.tokens, at).flatMap(({ end }) => [
    ...located(reader, end),
    ...related(reader, end, wordAt(reader, at)),
  ]),
]);

function located(reader: Reader, at: number): Parse<Modifier>[] {
  return maybe(reader, at, DETERMINERS).flatMap((start) =>
    map(
      valueList(reader, start).filter(({ value }) => value.values.every(({ kind }) => kind === 'cell')),
      ({ values, connective }): Modifier => ({ kind: 'values', values, connective, negated: false }),
    ),
  );
}

function related(reader: Reader, at: number, preposition: string): Parse<Modifier>[] {
  return map(
    phrase(reader, at),
    (other): Modifier =>
      other.each
        ? { kind: 'group', phrase: other }
        : { kind: 'related', phrase: other, quantifier: { kind: 'some' }, having: preposition === 'with' },
    RELATED,
  );
}

/** "after 2014", "in March 2012", "between 2010 and 2012", "in 2014 or 2015". */
export const timeModifiers = defineRule<Modifier>((reader, at) => [
  ...TIME_COMPARATORS.matches(reader.tokens, at).flatMap(({ value, end }) =>
    map(timeOperand(reader, end), (time): Modifier => {
      const { span, text } = time as Extract<typeof time, { kind: 'time' }>;
      return { kind: 'time', comparison: value, span, text };
    }),
  ),
  ...timeRanges(reader, at),
  ...map(RELATIVE.has(wordAt(reader, at)) ? timeOperand(reader, at) : [], (time): Modifier => {
    const { span, text } = time as Extract<typeof time, { kind: 'time' }>;
    return { kind: 'time', comparison: '=', span, text };
  }),
]);

/** Words that begin a time without a preposition: "orders last year". */
const RELATIVE: ReadonlySet<string> = new Set('last previous past this current today yesterday'.split(' '));

function timeRanges(reader: Reader, at: number): Parse<Modifier>[] {
  const word = wordAt(reader, at);
  if (word !== 'between' && word !== 'from') return [];
  const joints = word === 'between' ? ['and'] : ['to', 'until', 'till', 'through'];
  const months = readMonthRange(reader.tokens, at + 1, joints);
  if (months !== undefined) {
    const text = reader.lattice.question.slice(reader.tokens[at + 1]?.start, reader.tokens[months.end - 1]?.end);
    return [parse<Modifier>({ kind: 'time', comparison: '=', span: months.span, text }, months.end)];
  }
  return sequence(
    timeOperand(reader, at + 1),
    (end) => (joints.includes(wordAt(reader, end)) ? timeOperand(reader, end + 1) : []),
    (first, last): Modifier | undefined =>
      first.kind === 'time' && last.kind === 'time'
        ? {
            kind: 'time',
            comparison: '=',
            span: { start: first.span.start, end: last.span.end },
            text: `${first.text} to ${last.text}`,
          }
        : undefined,
  ).flatMap(({ value, end, cost }) => (value === undefined ? [] : [{ value, end, cost }]));
}
