import { HOW_MANY } from '../lexicon/aggregates.ts';
import { SALE_VERBS } from '../lexicon/figures.ts';
import { AUXILIARIES, BE_FORMS, CLOSINGS, FILLER_ADVERBS, PREPOSITIONS, PRONOUNS } from '../lexicon/function-words.ts';
import { phraseSet } from '../lexicon/phrase-table.ts';
import { HAVE_VERBS } from '../lexicon/verbs.ts';
import type { TermLink, TermMention } from '../link/links.ts';
import type { CountOutput, Modifier, Output, Phrase } from './frame.ts';
import { furtherModifiers } from './modifiers.ts';
import { addModifiers, EMPTY_PHRASE, phrase } from './phrases.ts';
import { defineRule, map, maybe, type Parse, parse, type Reader, sequence, skip, skipAll } from './reader.ts';
import { active, verbPhrase, withVerb } from './verb-phrases.ts';
import { verbAt } from './verbs.ts';

/** Who asks, as the one who did it. */
export const US = phraseSet(['we', 'i', 'our company', 'the company']);

const HOW_MANY_ONLY = phraseSet(['how many', 'how many of', 'how many of the', 'how many total']);

/**
 * "how many singers have a song", "how many powers does Amazo have", "how many does it have", "how many documents use
 * each type".
 */
export const howMany = defineRule<Output>((reader, at) => [
  ...HOW_MANY.matches(reader.tokens, at).flatMap(({ end }) => [...counted(reader, end), ...uncounted(reader, at, end)]),
  ...howOften(reader, at),
]);

/** "how many times was each vaccine given", "how often has X been borrowed": what the verb names is counted. */
function howOften(reader: Reader, at: number): Parse<Output>[] {
  return HOW_OFTEN.matches(reader.tokens, at).flatMap(({ end }) =>
    [...AUXILIARIES.matches(reader.tokens, end), ...BE_FORMS.matches(reader.tokens, end)].flatMap((start) =>
      phrase(reader, start.end).flatMap((owner) =>
        verbAt(reader, skip(reader, owner.end, BE_FORMS)).flatMap(({ value: { mention }, end: stop, cost }) => {
          if (mention === undefined) return [];
          const of: Modifier = owner.value.each
            ? { kind: 'group', phrase: owner.value }
            : { kind: 'related', phrase: owner.value, quantifier: { kind: 'some' }, having: false };
          const head: TermMention = { ...mention, links: mention.links.flatMap(asRows) };
          const done = parse<Phrase>({ ...EMPTY_PHRASE, head, modifiers: [of] }, stop, owner.cost + cost);
          return map([done, ...more(reader, done)], (found): Output => ({ kind: 'count', phrase: found }));
        }),
      ),
    ),
  );
}

const HOW_OFTEN = phraseSet(['how many times', 'how often']);

/** What has a time has happened once. */
function asRows({ relation, cost }: TermLink): TermLink[] {
  return [{ kind: 'relation', relation, cost }];
}

/** With a noun. */
function counted(reader: Reader, at: number): Parse<Output>[] {
  const asCount = (found: Phrase): CountOutput => ({ kind: 'count', phrase: found });
  return phrase(reader, at).flatMap((subject) => {
    const closed = skip(reader, subject.end, CLOSINGS);
    const alone = [subject, ...(closed > subject.end ? [{ ...subject, end: closed }] : [])];
    const withModifiers = closed > subject.end ? more(reader, { ...subject, end: closed }) : [];
    const verbal = sequence(
      [subject],
      (end) => verbPhrase(reader, end),
      (noun, said) => addModifiers(noun, [said]),
    ).flatMap((found) => [found, ...more(reader, found, found.value.modifiers.at(-1))]);
    const inverted = sequence(
      [subject],
      (end) => possession(reader, end),
      (noun, said) => addModifiers(noun, [said]),
    ).flatMap((found) => [found, ...more(reader, found)]);
    const ours = AUXILIARIES.matches(reader.tokens, subject.end).flatMap(({ end }) =>
      US.matches(reader.tokens, end).flatMap((us) => [
        ...map(active(reader, us.end), (said) => addModifiers(subject.value, [said]), subject.cost),
        ...plainVerbs(reader, us.end).map((stop) => parse(subject.value, stop, subject.cost)),
      ]),
    );
    const said = [...verbal, ...inverted, ...ours, ...ours.flatMap((found) => more(reader, found))];
    return [
      ...map([...alone, ...withModifiers, ...said], asCount),
      ...said.flatMap((found) => unitsSold(reader, subject, found)),
    ];
  });
}

/** Behind "we", a verb that says no more than that there are such things: "have", "offer", "look after". */
export function plainVerbs(reader: Reader, at: number): number[] {
  const verbs = [...HAVE_VERBS.matches(reader.tokens, at), ...(reader.lattice.verbs.has(at) ? [] : verbAt(reader, at))];
  return verbs.flatMap(({ end }) => maybe(reader, end, AFTER));
}

const AFTER = phraseSet(['after', 'for']);

/** "how many croissants did we sell": how many of them, all sales together. */
function unitsSold(reader: Reader, { value: subject, end }: Parse<Phrase>, found: Parse<Phrase>): Parse<Output>[] {
  const { quantity } = reader.lattice.figures;
  const isSale = reader.tokens.slice(end, found.end).some(({ lower }) => SALE_VERBS.has(lower));
  if (!isSale || quantity.length === 0) return [];
  const head: TermMention = { start: end, end, text: 'quantity', plural: false, links: quantity };
  const said = found.value.modifiers.slice(subject.modifiers.length);
  const counted: Phrase = { ...EMPTY_PHRASE, head, owner: subject, modifiers: said };
  return [parse<Output>({ kind: 'aggregate', function: 'sum', phrase: counted }, found.end, found.cost)];
}

function more(reader: Reader, found: Parse<Phrase>, last?: Modifier): Parse<Phrase>[] {
  return map(
    furtherModifiers(reader, found.end, last),
    (modifiers) => addModifiers(found.value, modifiers),
    found.cost,
  );
}

/** "does Amazo have", "did customers place", "are in each city": the owner stands behind an auxiliary. */
export function possession(reader: Reader, at: number): Parse<Modifier>[] {
  const starts = [...AUXILIARIES.matches(reader.tokens, at), ...BE_FORMS.matches(reader.tokens, at)].map(
    ({ end }) => end,
  );
  return starts.flatMap((start) =>
    phrase(reader, start).flatMap((owner) => {
      const related: Modifier = owner.value.each
        ? { kind: 'group', phrase: owner.value }
        : { kind: 'related', phrase: owner.value, quantifier: { kind: 'some' }, having: false };
      const behind = skipAll(reader, owner.end, FILLER_ADVERBS);
      const have = HAVE_VERBS.matches(reader.tokens, behind).map(({ end }) => parse(related, end, owner.cost));
      const verbs = verbAt(reader, behind).flatMap((verb) =>
        maybe(reader, verb.end, PREPOSITIONS).map((end) =>
          parse(withVerb(related, verb.value), end, owner.cost + verb.cost),
        ),
      );
      const closed = PREPOSITIONS.matches(reader.tokens, behind).map(({ end }) =>
        parse(related, end, owner.cost + 0.1),
      );
      return [...have, ...verbs, ...closed];
    }),
  );
}

/** "how many does it have", "how many are there", "how many of them use it": what is counted was named before. */
function uncounted(reader: Reader, at: number, end: number): Parse<CountOutput>[] {
  const again: CountOutput = { kind: 'count' };
  if (HOW_MANY_ONLY.matches(reader.tokens, at)[0]?.end !== end) return [];
  const have = AUXILIARIES.matches(reader.tokens, end).flatMap((auxiliary) =>
    PRONOUNS.matches(reader.tokens, auxiliary.end).flatMap((pronoun) =>
      HAVE_VERBS.matches(reader.tokens, pronoun.end).map((verb) => parse(again, verb.end)),
    ),
  );
  const there = phraseSet([
    'are there',
    'there are',
    'are there of each',
    'there are of each',
    'it has',
    'they have',
    'it is',
    'there are in each',
  ]).matches(reader.tokens, end);
  return [...have, ...there.map((match) => parse(again, match.end))];
}
