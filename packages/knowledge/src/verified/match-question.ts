import type { ValueMatch } from '@askema/core';
import type { QueryParameter, VerifiedQuery } from '../model/knowledge.ts';
import type { HoleUse, HoleUses } from './hole-uses.ts';
import { type Hole, type PlainWord, plainQuestion, questionWithHoles } from './plain-question.ts';
import { checkedValue, type ParameterValue, readValue } from './read-value.ts';

export type ParameterValues = Readonly<Record<string, ParameterValue>>;

/** A verified query whose question has holes. */
export interface HoledQuery {
  readonly query: VerifiedQuery;
  readonly pieces: readonly (PlainWord | Hole)[];
}

export function holedQuery(query: VerifiedQuery): HoledQuery | undefined {
  const pieces = questionWithHoles(query.question);
  return pieces.some((piece) => 'hole' in piece) ? { query, pieces } : undefined;
}

/** No hole takes more words. */
const MAX_WORDS = 8;
/** Ways to fill holes that are looked at. */
const MAX_WAYS = 1_000;

/**
 * What a question says for the holes of another; undefined where it is another question, or where it can be taken
 * apart in two ways. Cells fill a hole that are of the columns with which it is compared, as far as `uses` tells.
 */
export function fillHoles(
  { query, pieces }: HoledQuery,
  question: string,
  words: readonly PlainWord[],
  values: readonly ValueMatch[] | undefined,
  uses?: HoleUses,
): ParameterValues | undefined {
  const found: ParameterValues[] = [];
  let ways = 0;
  const go = (piece: number, at: number, filled: ParameterValues): void => {
    ways += 1;
    if (ways > MAX_WAYS || found.length > 1) return;
    const wanted = pieces[piece];
    if (wanted === undefined) {
      if (at === words.length) found.push(filled);
      return;
    }
    if ('plain' in wanted) {
      if (words[at]?.plain === wanted.plain) go(piece + 1, at + 1, filled);
      return;
    }
    const parameter = query.parameters.find(({ name }) => name === wanted.hole);
    if (parameter === undefined) return;
    for (let end = at + 1; end <= Math.min(words.length, at + MAX_WORDS); end += 1) {
      const value = filledValue(question, words.slice(at, end), parameter, values, uses?.get(parameter.name));
      if (value === undefined || (filled[parameter.name] ?? value) !== value) continue;
      go(piece + 1, end, { ...filled, [parameter.name]: value });
    }
  };
  go(0, 0, {});
  return ways > MAX_WAYS || found.length !== 1 ? undefined : found[0];
}

/** As {@link fillHoles}, where the only cells are the values that the query was confirmed with. */
export function fillWithDefaults(holed: HoledQuery, question: string): ParameterValues | undefined {
  const cells = holed.query.parameters.map(({ default: value = '' }) => String(value));
  const values = cells.map((value) => ({ mention: value, value, score: 1, attribute: '' as never }));
  return fillHoles(holed, question, plainQuestion(question), values);
}

function filledValue(
  question: string,
  words: readonly PlainWord[],
  parameter: QueryParameter,
  values: readonly ValueMatch[] | undefined,
  { comparesWith, isCount = false }: Partial<HoleUse> = {},
): ParameterValue | undefined {
  const text = question.slice(words[0]?.start, words.at(-1)?.end);
  const isQuoted = words.length === 1 && words[0]?.isQuoted === true;
  const cells = comparesWith === undefined ? values : values?.filter(({ attribute }) => comparesWith(attribute));
  const value = readValue({ text, isQuoted, words: words.length }, parameter.type, cells);
  if (isCount) return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  const isCell = (list: readonly ValueMatch[] = []): boolean =>
    list.some((one) => one.value.toLowerCase() === text.toLowerCase());
  return isQuoted && isCell(values) && !isCell(cells) ? undefined : value;
}

/** All values that the statement needs: of the question, of the caller, else the default; undefined where one lacks. */
export function allValues(
  query: VerifiedQuery,
  said: ParameterValues,
  given: Readonly<Record<string, unknown>>,
): ParameterValues | undefined {
  const all: Record<string, ParameterValue> = {};
  for (const { name, type, default: otherwise } of query.parameters) {
    const value = Object.hasOwn(said, name)
      ? said[name]
      : checkedValue(Object.hasOwn(given, name) ? given[name] : otherwise, type);
    if (value === undefined) return undefined;
    all[name] = value;
  }
  return all;
}
