import { HOW_ADJECTIVES } from '../lexicon/dimensions.ts';
import { AUXILIARIES, BE_FORMS } from '../lexicon/function-words.ts';
import { MEASURE_VERBS } from '../lexicon/measure-verbs.ts';
import type { Frame } from './frame.ts';
import { phrase } from './phrases.ts';
import { defineRule, map, parse, wordAt } from './reader.ts';
import { frameOf } from './sentences.ts';
import { verbAt } from './verbs.ts';

/** "How much does X cost", "How much did X spend". */
export const howMuch = defineRule<Frame>((reader, at) => {
  if (wordAt(reader, at) !== 'how' || wordAt(reader, at + 1) !== 'much') return [];
  const starts = ['money', 'in total'].includes(wordAt(reader, at + 2)) ? [at + 3] : [at + 2];
  return starts.flatMap((start) =>
    AUXILIARIES.matches(reader.tokens, start).flatMap((auxiliary) =>
      phrase(reader, auxiliary.end).flatMap((subject) =>
        MEASURE_VERBS.matches(reader.tokens, subject.end).map(({ value, end }) =>
          parse(
            frameOf([{ kind: 'measure', dimension: value, summed: value.summed, phrase: subject.value }]),
            end,
            subject.cost,
          ),
        ),
      ),
    ),
  );
});

/** "When was X launched", "When did X sign up". */
export const when = defineRule<Frame>((reader, at) => {
  if (wordAt(reader, at) !== 'when') return [];
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
});

/** "How old is X": the attribute that the adjective measures. */
export const howAdjective = defineRule<Frame>((reader, at) => {
  if (wordAt(reader, at) !== 'how') return [];
  return HOW_ADJECTIVES.matches(reader.tokens, at + 1).flatMap(({ value: dimension, end }) =>
    BE_FORMS.matches(reader.tokens, end).flatMap((be) =>
      map(phrase(reader, be.end), (subject): Frame => frameOf([{ kind: 'measure', dimension, phrase: subject }])),
    ),
  );
});
