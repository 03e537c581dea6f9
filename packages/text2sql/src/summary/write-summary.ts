import { checkProse, PLACE } from './check-prose.ts';
import { type CitedPart, type FilledMark, fillMark } from './fill-mark.ts';
import { MAX_CELL_CHARACTERS, MAX_COLUMNS } from './part-table.ts';
import { directionOf } from './say-direction.ts';
import type { Citation, Summary } from './summary.ts';

/** What a text with marks becomes, or why it cannot be taken. */
export type WrittenSummary =
  | { readonly summary: Summary; readonly refused?: undefined }
  | { readonly summary?: undefined; readonly refused: readonly string[] };

/** Four long sentences with their marks. */
const MAX_CHARACTERS = 2_000;
/** Reasons beyond these help nobody. */
const MAX_REASONS = 8;

const MARK = /\[\[([^[\]]{1,300})\]\]/u;

/**
 * Fills the marks of a text, each once: what is put in is never read again. `questions` are those that its numbers may
 * be taken from.
 */
export function writeSummary(text: string, parts: readonly CitedPart[], questions: readonly string[]): WrittenSummary {
  const plain = visible(text);
  if (plain.length > MAX_CHARACTERS) return { refused: [`the text is longer than ${MAX_CHARACTERS} characters`] };
  // Text and the insides of marks, in turn.
  const pieces = plain.split(MARK);
  const between = pieces.filter((_, at) => at % 2 === 0);
  const fills = pieces.filter((_, at) => at % 2 === 1).map((body) => fillMark(body, parts));
  const directions = directionsOf(fills, between);
  const beside = fills.map((fill, at) => {
    const [before = '', behind = ''] = [between[at], between[at + 1]];
    return fill.refused ?? checkBeside({ fill, last: fills[at - 1], before, behind, direction: directions[at] });
  });
  const facts = { questions, quotable: quotableIn(parts) };
  const refused = [...checkProse(between.join(PLACE), facts), ...beside.filter((reason) => reason !== undefined)];
  if (refused.length > 0) return { refused: refused.slice(0, MAX_REASONS) };
  let written = between[0] ?? '';
  const citations: Citation[] = [];
  for (const [at, fill] of fills.entries()) {
    if (fill.refused !== undefined) continue;
    const behind = between[at + 1] ?? '';
    const start = written.length;
    written += directions[at] === undefined ? fill.text : fill.unsigned;
    citations.push({ start, end: written.length, kind: fill.kind, cells: fill.cells });
    // A change brings its sign along.
    written += fill.kind === 'change' ? behind.replace(/^%/, '') : behind;
  }
  return { summary: { text: written, citations } };
}

/** What words say of each difference and change: that it rose or fell. */
function directionsOf(fills: readonly FilledMark[], between: readonly string[]): readonly (1 | -1 | undefined)[] {
  const directions: (1 | -1 | undefined)[] = [];
  for (const [at, fill] of fills.entries()) {
    const [before = '', behind = ''] = [between[at], between[at + 1]];
    const text = between.slice(0, at + 1).join(PLACE);
    const isSigned = fill.refused === undefined && fill.sign !== undefined;
    directions.push(isSigned ? directionOf({ text, before, behind, last: directions[at - 1] }) : undefined);
  }
  return directions;
}

/** On one line, without what nobody sees and what could stand for a mark that was taken out. */
function visible(text: string): string {
  return text
    .replaceAll(/\s+/gu, ' ')
    .replaceAll(/[\p{C}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .trim();
}

const SCALED_BEFORE = /\b(?:half|twice|double|triple|minus|negative)\s$/iu;
const SCALED_BEHIND = /^[\s-]?(?:(?:dozen|hundred|thousand|million|billion|trillion|lakh|crore)|(?:mn|bn)\b)/iu;
const PERCENT_BEHIND = /^\s?(?:[%％﹪٪‰‱]|percent\b|per cent\b)/iu;
const JOINED_BEFORE = /(?:^|[^\p{L}\p{N}\])])[\p{Pd}\p{Sm}➕➖.,]$|[%％﹪٪‰‱]$|−\s$/u;
const LETTER_BEFORE = /\p{Script=Latin}$/u;
const JOINED_BEHIND = /^\p{Script=Latin}|^[.,'’·٫٬_^]?\p{N}/u;
/** A number behind these goes on with the digits before it. */
const DIGITS_BEFORE = /\p{N}%?[.,'’·٫٬_^\p{M}]?$/u;
/** As `12 345` is written in many countries. */
const GROUP_BEFORE = /(?<!\p{N})\p{N}{1,3}\s$/u;
const GROUP = /^\p{N}{3}(?!\p{N})/u;
/** Also text of a cell, and a date. */
const BEGINS_OR_ENDS_AS_NUMBER = /^[-+]?\p{N}|\p{N}%?$/u;

/** Why what stands around a mark makes another value of it; undefined where it does not. */
function checkBeside({
  fill,
  last,
  before,
  behind,
  direction,
}: {
  readonly fill: Exclude<FilledMark, { readonly refused: string }>;
  /** The mark before it. */
  readonly last: FilledMark | undefined;
  readonly before: string;
  readonly behind: string;
  readonly direction: 1 | -1 | undefined;
}): string | undefined {
  if (!BEGINS_OR_ENDS_AS_NUMBER.test(fill.text)) return undefined;
  const left = `${last === undefined || last.refused !== undefined ? '' : last.text}${before}`;
  if (DIGITS_BEFORE.test(left) || (GROUP_BEFORE.test(left) && GROUP.test(fill.unsigned)))
    return 'two numbers stand together and make another number';
  if (JOINED_BEFORE.test(before) || LETTER_BEFORE.test(left) || JOINED_BEHIND.test(behind))
    return 'a sign or a letter stands directly beside the mark of a number';
  const isScaled = SCALED_BEFORE.test(before) || SCALED_BEHIND.test(behind);
  const takesPercent = fill.kind === 'cell' || (fill.kind === 'change' && !/^\s?[‰‱]/u.test(behind));
  if (isScaled || (!takesPercent && PERCENT_BEHIND.test(behind)))
    return 'a word or a sign beside the mark of a number makes another number of it';
  if (direction === undefined || direction === fill.sign) return undefined;
  const is = fill.sign === 0 ? 'is 0' : fill.sign === 1 ? 'is above 0' : 'is below 0';
  return `the ${fill.kind} ${is} (${fill.text}), and a word says that it ${direction === 1 ? 'rose' : 'fell'}: turn the word or the cells`;
}

/** What was shown. */
function quotableIn(parts: readonly CitedPart[]): readonly string[] {
  return parts.flatMap(({ result, shown }) => [
    ...result.columns.slice(0, MAX_COLUMNS).map(({ name }) => name),
    ...result.rows.slice(0, shown).flatMap((row) =>
      row
        .slice(0, MAX_COLUMNS)
        .filter((value) => typeof value === 'string')
        .map((value) => value.slice(0, MAX_CELL_CHARACTERS)),
    ),
  ]);
}
