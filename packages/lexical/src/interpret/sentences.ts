import { HOW_MANY } from '../lexicon/aggregates.ts';
import { HOW_ADJECTIVES } from '../lexicon/dimensions.ts';
import { AUXILIARIES, BE_FORMS, LIST_VERBS, PREAMBLES } from '../lexicon/function-words.ts';
import { MEASURE_VERBS } from '../lexicon/measure-verbs.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import type { Frame, Modifier, Output } from './frame.ts';
import { howMany, plainVerbs, possession, US } from './how-many.ts';
import { income } from './income.ts';
import { furtherModifiers, timeGroups } from './modifiers.ts';
import { outputList, share } from './outputs.ts';
import { addModifiers, EMPTY_PHRASE, phrase } from './phrases.ts';
import {
  defineRule,
  isKind,
  map,
  type Parse,
  parse,
  type Reader,
  type Rule,
  sequence,
  skip,
  skipAll,
  wordAt,
} from './reader.ts';
import { mostInTime, when } from './time-questions.ts';
import { verbPhrase } from './verb-phrases.ts';

/** "How much does X cost", "How much did X spend". */
const howMuch = defineRule<Frame>((reader, at) => {
  const start = wordAt(reader, at) === 'what' ? at + 1 : at + 2;
  if (start === at + 2 && (wordAt(reader, at) !== 'how' || wordAt(reader, at + 1) !== 'much')) return [];
  const starts = ['money', 'in total'].includes(wordAt(reader, start)) ? [start + 1] : [start];
  const incomes = starts.flatMap((start) => map(income(reader, start), (output) => frameOf([output])));
  const measured = starts.flatMap((start) =>
    AUXILIARIES.matches(reader.tokens, start).flatMap((auxiliary) =>
      phrase(reader, auxiliary.end).flatMap((subject) =>
        MEASURE_VERBS.matches(reader.tokens, subject.end).flatMap(({ value, end }) => {
          // "What did repairs cost": all of them together; what they do cost may be asked of each.
          const isMany = subject.value.head?.plural === true && !subject.value.each && !value.summed;
          if (isMany && wordAt(reader, start) !== 'did') return [];
          const total = isMany ? ({ function: 'sum' } as const) : {};
          const output: Output = {
            kind: 'measure',
            dimension: value,
            summed: value.summed,
            phrase: subject.value,
            ...total,
          };
          return [parse(frameOf([output]), end, subject.cost)];
        }),
      ),
    ),
  );
  return [...incomes, ...[...measured].flatMap((found) => [found, ...more(reader, found)])];
});

/** "How old is X": the attribute that the adjective measures. */
const howAdjective = defineRule<Frame>((reader, at) => {
  if (wordAt(reader, at) !== 'how') return [];
  return HOW_ADJECTIVES.matches(reader.tokens, at + 1).flatMap(({ value: dimension, end }) =>
    BE_FORMS.matches(reader.tokens, end).flatMap((be) =>
      map(phrase(reader, be.end), (subject): Frame => frameOf([{ kind: 'measure', dimension, phrase: subject }])),
    ),
  );
});

const WHAT = phraseSet([
  'what',
  'which',
  'what kind of',
  'what kinds of',
  'what type of',
  'what types of',
  'what sort of',
  'in which',
  'in what',
  'for which',
  'from which',
  'at which',
  'on which',
  'which of the',
  'which of',
]);
const AMONG = phraseSet([
  'among',
  'out of',
  'of',
  'of all',
  'out of all',
  'among all',
  'considering',
  'for',
  'in',
  'from',
]);
const GROUP_LEADS = phraseSet([
  'for each',
  'for every',
  'in each',
  'in every',
  'within each',
  'per',
  'of each',
  'from each',
  'by',
  'at each',
  'on each',
  'for all',
]);
const CALLED = phraseSet(['called', 'named', 'known as']);

const frameOf = (outputs: readonly Output[], modifiers: readonly Modifier[] = []): Frame => ({
  outputs,
  modifiers,
  cost: 0,
});

/** One sentence, with modifiers at its end. */
export const sentence: Rule<Frame> = defineRule((reader, at) => [
  ...listing(reader, at),
  ...whatIs(reader, at),
  ...which(reader, at),
  ...counting(reader, at),
  ...mostInTime(reader, at),
  ...who(reader, at),
  ...howAdjective(reader, at),
  ...howMuch(reader, at),
  ...when(reader, at),
  ...grouped(reader, at),
  ...among(reader, at),
  ...map(outputList(reader, at), (outputs) => frameOf(outputs), 0.05),
  ...groupedCounts(reader, at),
]);

/** "Bookings per year": what is grouped without a figure is counted. */
function groupedCounts(reader: Reader, at: number): Parse<Frame>[] {
  return phrase(reader, at)
    .filter(({ value }) => value.head?.plural === true && value.modifiers.some(isGroup))
    .map((found) => ({ ...found, value: frameOf([{ kind: 'count', phrase: found.value }]), cost: found.cost + 0.08 }));
}

function isGroup(modifier: Modifier): boolean {
  if (modifier.kind === 'all') return modifier.modifiers.every(isGroup);
  return modifier.kind === 'group' || modifier.kind === 'time-group';
}

/** "List the names of …", "Show me …". */
export const listing = defineRule<Frame>((reader, at) =>
  LIST_VERBS.matches(reader.tokens, at).flatMap(({ end }) => [
    ...map(outputList(reader, end), (outputs) => frameOf(outputs)),
    ...sentenceBehindVerb(reader, end),
  ]),
);

/** "Tell me how many …", "Find which …". */
function sentenceBehindVerb(reader: Reader, at: number): Parse<Frame>[] {
  return [
    ...whatIs(reader, at),
    ...which(reader, at),
    ...counting(reader, at),
    ...who(reader, at),
    ...grouped(reader, at),
  ];
}

/** "What are the names of …", "What is Copycat's race", "what are X called". */
const whatIs = defineRule<Frame>((reader, at) => {
  if (wordAt(reader, at) !== 'what' && wordAt(reader, at) !== 'which' && wordAt(reader, at) !== 'who') return [];
  const behindBe = isKind(reader, at + 1, 'possessive')
    ? [at + 2]
    : BE_FORMS.matches(reader.tokens, at + 1).map(({ end }) => end);
  return behindBe.flatMap((end) =>
    outputList(reader, end).flatMap((outputs) => {
      const called = skip(reader, outputs.end, CALLED);
      return [
        map([outputs], (found) => frameOf(found))[0],
        ...(called > outputs.end ? [{ ...outputs, value: frameOf(outputs.value), end: called }] : []),
      ].filter((found) => found !== undefined);
    }),
  );
});

/** "Which singers have …", "Which country does X belong to", "What song names were …". */
const which = defineRule<Frame>((reader, at) =>
  WHAT.matches(reader.tokens, at).flatMap(({ end }) => {
    const shares = map(share(reader, end), (output) => frameOf([output]));
    const subjects = phrase(reader, end);
    const lists = outputList(reader, end).filter(({ value }) => value.every((output) => output.kind === 'phrase'));
    const bare = map(lists, (outputs) => frameOf(outputs), 0.03);
    const active = sequence(
      subjects,
      (next) => predicate(reader, next),
      (noun, said) => frameOf([{ kind: 'phrase', phrase: addModifiers(noun, said) }]),
    );
    const inverted = sequence(
      subjects,
      (next) => possession(reader, next),
      (noun, said) => frameOf([{ kind: 'phrase', phrase: addModifiers(noun, [said]) }]),
    );
    const ours = subjects.flatMap((subject) =>
      AUXILIARIES.matches(reader.tokens, subject.end).flatMap((auxiliary) =>
        US.matches(reader.tokens, auxiliary.end).flatMap((us) =>
          plainVerbs(reader, us.end).map((stop) =>
            parse(frameOf([{ kind: 'phrase', phrase: subject.value }]), stop, subject.cost),
          ),
        ),
      ),
    );
    const followed = [
      ...active.flatMap((found) => more(reader, found, found.value.outputs[0]?.phrase?.modifiers.at(-1))),
      ...[...inverted, ...ours].flatMap((found) => more(reader, found)),
    ];
    return [
      ...ours,
      ...shares,
      ...shares.flatMap((found) => more(reader, found, found.value.outputs[0]?.phrase?.modifiers.at(-1))),
      ...active,
      ...inverted,
      ...followed,
      ...bare,
      ...withSecondOutputs(reader, [...active]),
    ];
  }),
);

/** A verb phrase and, behind "and", another one. */
function predicate(reader: Reader, at: number): Parse<readonly Modifier[]>[] {
  return verbPhrase(reader, at).flatMap((first) => [
    { ...first, value: [first.value] },
    ...(['and', 'but'].includes(wordAt(reader, first.end))
      ? map(verbPhrase(reader, first.end + 1), (second) => [first.value, second], first.cost)
      : []),
  ]);
}

/** Further modifiers behind a whole reading: orders, groups, conditions. */
function more(reader: Reader, found: Parse<Frame>, last?: Modifier): Parse<Frame>[] {
  return map(
    furtherModifiers(reader, found.end, last),
    (modifiers) => ({ ...found.value, modifiers: [...found.value.modifiers, ...modifiers] }),
    found.cost,
  );
}

/** "… and how many does it have?", ", and what is its price?" */
function withSecondOutputs(reader: Reader, parses: readonly Parse<Frame>[]): Parse<Frame>[] {
  return parses.flatMap((found) => {
    const comma = isKind(reader, found.end, 'comma') ? found.end + 1 : found.end;
    const start = wordAt(reader, comma) === 'and' ? comma + 1 : comma;
    if (start === found.end) return [];
    const what =
      wordAt(reader, start) === 'what' ? BE_FORMS.matches(reader.tokens, start + 1).map(({ end }) => end) : [start];
    return what.flatMap((end) =>
      map(
        outputList(reader, end),
        (outputs) => ({ ...found.value, outputs: [...found.value.outputs, ...outputs] }),
        found.cost + 0.02,
      ),
    );
  });
}

const counting = defineRule<Frame>((reader, at) => {
  const counts = map(howMany(reader, at), (output) => frameOf([output]));
  const followed = counts.flatMap((found) => more(reader, found, found.value.outputs[0]?.phrase?.modifiers.at(-1)));
  return [...counts, ...followed];
});

/** "Who has the most orders": only where the entity is named later, "Who is the oldest student". */
const who = defineRule<Frame>((reader, at) => {
  if (wordAt(reader, at) !== 'who') return [];
  const someone = { ...EMPTY_PHRASE, pronoun: true };
  const doing = predicate(reader, at + 1).map((said) => ({
    ...said,
    value: frameOf([{ kind: 'phrase', phrase: addModifiers(someone, said.value) }]),
  }));
  return [...doing, ...doing.flatMap((found) => more(reader, found)), ...whoIs(reader, at)];
});

function whoIs(reader: Reader, at: number): Parse<Frame>[] {
  return BE_FORMS.matches(reader.tokens, at + 1).flatMap(({ end }) =>
    map(outputList(reader, end), (outputs) => frameOf(outputs)),
  );
}

/** "For each country, what is the average age", "In each year, how many …". */
const grouped: Rule<Frame> = defineRule((reader, at) => [
  ...timeGrouped(reader, at),
  ...GROUP_LEADS.matches(reader.tokens, at).flatMap(({ end }) =>
    phrase(reader, end).flatMap((group) => {
      const start = isKind(reader, group.end, 'comma') ? group.end + 1 : group.end;
      const modifier: Modifier = { kind: 'group', phrase: { ...group.value, each: true } };
      return map(
        sentence(reader, skipAll(reader, start, PREAMBLES)),
        (frame) => ({ ...frame, modifiers: [...frame.modifiers, modifier] }),
        group.cost,
      );
    }),
  ),
]);

/** "Per month, how many …", "Monthly, what is …". */
function timeGrouped(reader: Reader, at: number): Parse<Frame>[] {
  return timeGroups(reader, at).flatMap((group) =>
    isKind(reader, group.end, 'comma')
      ? map(
          sentence(reader, group.end + 1),
          (frame) => ({ ...frame, modifiers: [...frame.modifiers, group.value] }),
          group.cost,
        )
      : [],
  );
}

/** "Among the singers from France, how many …", "Of all products, which …". */
const among: Rule<Frame> = defineRule((reader, at) =>
  AMONG.matches(reader.tokens, at).flatMap(({ end }) =>
    phrase(reader, end).flatMap((pool) => {
      if (!isKind(reader, pool.end, 'comma')) return [];
      const start = pool.end + 1;
      const counts = HOW_MANY.matches(reader.tokens, start).flatMap((match) => {
        const behind = skip(reader, match.end, OF_THEM);
        return map(
          verbPhrase(reader, behind),
          (said): Frame => frameOf([{ kind: 'count', phrase: addModifiers(pool.value, [said]) }]),
          pool.cost,
        );
      });
      const lists = map(sentence(reader, start), (frame): Frame => ({ ...frame, subject: pool.value }), pool.cost);
      return [...counts, ...lists];
    }),
  ),
);

const OF_THEM = phraseSet(['of them', 'them', 'of these', 'of those']);
