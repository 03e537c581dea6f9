import { CLOSINGS, PREAMBLES } from '../lexicon/function-words.ts';
import type { Frame, Phrase } from './frame.ts';
import { modifierList } from './modifiers.ts';
import { isKind, type Parse, parse, type Reader, skipAll } from './reader.ts';
import { listing, sentence } from './sentences.ts';

/** All readings of a whole question: every token is accounted for. */
export function readQuestion(reader: Reader): readonly Parse<Frame>[] {
  const start = skipAll(reader, 0, PREAMBLES);
  return sentence(reader, start).flatMap((first) => [...closing(reader, first), ...secondSentence(reader, first)]);
}

/** The reading, when nothing but closing words and full stops follow. */
function closing(reader: Reader, frame: Parse<Frame>): Parse<Frame>[] {
  const end = skipStops(reader, skipAll(reader, frame.end, CLOSINGS));
  return end === reader.tokens.length ? [{ ...frame, end }] : [];
}

function skipStops(reader: Reader, at: number): number {
  let end = at;
  while (isKind(reader, end, 'stop') || isKind(reader, end, 'comma')) end += 1;
  return end;
}

/** "Which dogs …? List their names." and "… . Sort them by age." */
function secondSentence(reader: Reader, first: Parse<Frame>): Parse<Frame>[] {
  const start = skipStops(reader, skipAll(reader, first.end, CLOSINGS));
  if (start === first.end) return [];
  const listed = listing(reader, skipAll(reader, start, PREAMBLES)).flatMap((second) =>
    closing(reader, { ...second, cost: second.cost + 0.02 }),
  );
  const subject = subjectOf(first.value);
  const replaced = listed.flatMap(({ value, end, cost }) =>
    subject === undefined
      ? []
      : [
          parse<Frame>(
            { ...value, subject, modifiers: [...first.value.modifiers, ...value.modifiers] },
            end,
            cost + first.cost,
          ),
        ],
  );
  const ordered = modifierList(reader, start)
    .filter(({ value }) => value.length > 0 && value.every(({ kind }) => kind === 'order'))
    .flatMap((orders) =>
      closing(
        reader,
        parse(
          { ...first.value, modifiers: [...first.value.modifiers, ...orders.value] },
          orders.end,
          first.cost + orders.cost,
        ),
      ),
    );
  return [...replaced, ...ordered];
}

function subjectOf(frame: Frame): Phrase | undefined {
  const [only, second] = frame.outputs;
  return second === undefined && only?.kind === 'phrase' ? only.phrase : undefined;
}
