import { AUXILIARIES, BE_FORMS } from '../lexicon/function-words.ts';
import { phraseSet, phraseTable } from '../lexicon/phrase-table.ts';
import { COUNT_SUPERLATIVES } from '../lexicon/quantifiers.ts';
import { TIME_UNITS } from '../lexicon/time-units.ts';
import { HAVE_VERBS } from '../lexicon/verbs.ts';
import type { Frame, Modifier, Output } from './frame.ts';
import { plainVerbs, US } from './how-many.ts';
import { timeOperand } from './operands.ts';
import { phrase } from './phrases.ts';
import { defineRule, map, type Parse, parse, type Reader, skip, wordAt } from './reader.ts';
import { verbAt } from './verbs.ts';

const frameOf = (outputs: readonly Output[], modifiers: readonly Modifier[] = []): Frame => ({
  outputs,
  modifiers,
  cost: 0,
});

/** "When was X launched", "When did X sign up". */
export const when = defineRule<Frame>((reader, at) => {
  if (wordAt(reader, at) !== 'when') return [];
  const ends = BE_FORMS.matches(reader.tokens, at + 1).flatMap((be) =>
    ENDS.matches(reader.tokens, be.end).flatMap(({ value, end }) =>
      map(phrase(reader, end), (subject) =>
        frameOf([{ kind: 'measure', dimension: MOMENT, function: value, phrase: subject }]),
      ),
    ),
  );
  return [...ends, ...whenDone(reader, at)];
});

const MOMENT = { word: 'when', scales: [{ noun: 'date', end: 'high', kind: 'time' }] } as const;
const ENDS = phraseTable<'min' | 'max'>([
  ['the first', 'min'],
  ['the earliest', 'min'],
  ['the last', 'max'],
  ['the latest', 'max'],
  ['the most recent', 'max'],
]);

function whenDone(reader: Reader, at: number): Parse<Frame>[] {
  const starts = [...BE_FORMS.matches(reader.tokens, at + 1), ...AUXILIARIES.matches(reader.tokens, at + 1)];
  return starts.flatMap((start) =>
    phrase(reader, start.end).flatMap((subject) =>
      verbAt(reader, subject.end).flatMap(({ value, end, cost }) =>
        value.mention === undefined
          ? []
          : [
              parse(
                frameOf([{ kind: 'moment', verb: value.mention, phrase: subject.value }]),
                end,
                subject.cost + cost,
              ),
            ],
      ),
    ),
  );
}

/** "In which month of 2024 did we have the most bookings": what is counted in each, and the one that comes first. */
export function mostInTime(reader: Reader, at: number): Parse<Frame>[] {
  const start = ['in', 'during'].includes(wordAt(reader, at)) ? at + 1 : at;
  if (!['which', 'what'].includes(wordAt(reader, start))) return [];
  const unit = TIME_UNITS.find((one) => one === wordAt(reader, start + 1));
  if (unit === undefined) return [];
  const group: Modifier = { kind: 'time-group', unit, text: unit };
  const of = wordAt(reader, start + 2) === 'of' ? timeOperand(reader, start + 3) : [];
  const within = of.flatMap(({ value, end }) => {
    const when: Modifier[] =
      value.kind === 'time' ? [{ kind: 'time', comparison: '=', span: value.span, text: value.text }] : [];
    return [{ end, when }];
  });
  return [{ end: start + 2, when: [] as Modifier[] }, ...within].flatMap(({ end, when }) =>
    didMost(reader, end).flatMap((most) =>
      map(phrase(reader, most.end), (counted): Frame => {
        const direction = most.value === 'high' ? 'descending' : 'ascending';
        const order: Modifier = { kind: 'order', keys: [{ measure: { kind: 'count' }, direction }] };
        return frameOf([{ kind: 'count', phrase: { ...counted, count: 1 } }], [group, ...when, order]);
      }),
    ),
  );
}

/** "had the most", "did we sell the most", "were there the most". */
function didMost(reader: Reader, at: number): Parse<'high' | 'low'>[] {
  const verbs = [
    ...HAVE_VERBS.matches(reader.tokens, at).map(({ end }) => end),
    ...BE_FORMS.matches(reader.tokens, at).map(({ end }) => skip(reader, end, THERE)),
    ...AUXILIARIES.matches(reader.tokens, at).flatMap((auxiliary) =>
      US.matches(reader.tokens, auxiliary.end).flatMap((us) => plainVerbs(reader, us.end)),
    ),
  ];
  return verbs.flatMap((end) =>
    COUNT_SUPERLATIVES.matches(reader.tokens, end).map((most) => parse(most.value, most.end)),
  );
}

const THERE = phraseSet(['there']);
