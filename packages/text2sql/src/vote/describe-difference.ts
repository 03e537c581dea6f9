import { type ComparableResult, relateResults, resultsAgree } from '@askema/core';
import { cutText } from '../prompts/cut-text.ts';
import { statementFeatures } from './break-tie.ts';
import { cellCount, MAX_RELATED_CELLS } from './cluster-candidates.ts';

/** Something that was asked, and what came. */
export interface ComparedAnswer {
  readonly sql: string;
  readonly result: ComparableResult;
}

/** Names and literals that a difference lists at most, and characters of each. */
const MAX_NAMED = 8;
const MAX_NAME_CHARACTERS = 60;

/** Traits of a statement that change what it counts; what the statement then does. */
const TRAITS: readonly (readonly [RegExp, string])[] = [
  [/\bcount\s{0,10}\(\s{0,10}distinct\b/i, 'counts distinct values'],
  [/\bselect\s{1,10}distinct\b/i, 'leaves out repeated rows (SELECT DISTINCT)'],
  [/\b(left|right|full)\s{1,10}(outer\s{1,10})?join\b/i, 'keeps rows without a counterpart (outer join)'],
  [/\bunion\s{1,10}all\b/i, 'joins lists without leaving out repetitions (UNION ALL)'],
  [/\bgroup\s{1,10}by\b/i, 'groups rows'],
  [/\blimit\s{1,10}\d/i, 'cuts rows with LIMIT'],
  [/\bround\s{0,10}\(/i, 'rounds'],
  [/\b(not\s{1,10}null|coalesce|ifnull|nvl)\b/i, 'treats NULLs'],
];

/**
 * In which ways two answers differ, as computed facts, a sentence each: rows, columns, cells, what only one statement
 * does, and which names and literals only one of them uses. `first` and `second` are what the answers are called. The
 * lists of names are data of a model: put the whole into a fence.
 */
export function describeDifference(
  first: ComparedAnswer,
  second: ComparedAnswer,
  names: { readonly first: string; readonly second: string } = { first: 'A', second: 'B' },
): readonly string[] {
  return [
    ...resultDifference(first.result, second.result, names),
    ...traitDifference(first.sql, second.sql, names),
    ...wordDifference(first.sql, second.sql, names),
  ];
}

interface AnswerNames {
  readonly first: string;
  readonly second: string;
}

function resultDifference(first: ComparableResult, second: ComparableResult, names: AnswerNames): readonly string[] {
  const facts = [
    moreOf(first.rows.length - second.rows.length, 'row', names),
    moreOf(first.columns.length - second.columns.length, 'column', names),
  ].filter((fact) => fact !== undefined);
  if (cellCount(first) + cellCount(second) > MAX_RELATED_CELLS) return facts;
  const relation = relateResults(first, second);
  switch (relation.type) {
    case 'equal':
      return [
        resultsAgree(first, second, { rowOrder: 'keep' })
          ? 'Both results are the same.'
          : 'Both results hold the same rows, in another order.',
      ];
    case 'other-form':
      return ['The results differ in rounding or in the form of texts, dates or numbers only.'];
    case 'extra-columns':
      return [...facts, 'The other columns hold the same rows.'];
    case 'repeated-rows':
      return [...facts, 'They hold the same rows when repeated rows count once.'];
    case 'overlap': {
      const share = Math.min(99, Math.max(1, Math.round(relation.overlap * 100)));
      return [...facts, `About ${share} % of the cells are the same, column by column.`];
    }
    case 'different':
      return [...facts, 'No column holds any of the same values.'];
  }
}

function moreOf(difference: number, noun: string, { first, second }: AnswerNames): string | undefined {
  if (difference === 0) return undefined;
  const [more, less] = difference > 0 ? [first, second] : [second, first];
  const count = Math.abs(difference);
  return `${more} has ${count} more ${noun}${count === 1 ? '' : 's'} than ${less}.`;
}

function traitDifference(first: string, second: string, names: AnswerNames): readonly string[] {
  return TRAITS.flatMap(([pattern, does]) => {
    const [inFirst, inSecond] = [pattern.test(first), pattern.test(second)];
    if (inFirst === inSecond) return [];
    const [one, other] = inFirst ? [names.first, names.second] : [names.second, names.first];
    return [`${one} ${does}, ${other} does not.`];
  });
}

function wordDifference(first: string, second: string, names: AnswerNames): readonly string[] {
  const [left, right] = [statementFeatures(first), statementFeatures(second)];
  const only = (own: ReadonlySet<string>, other: ReadonlySet<string>, name: string): readonly string[] => {
    const words = [...own].filter((word) => !other.has(word));
    if (words.length === 0) return [];
    const listed = words.slice(0, MAX_NAMED).map(shortName).join(', ');
    const rest = words.length > MAX_NAMED ? ` and ${words.length - MAX_NAMED} more` : '';
    return [`Only ${name} uses: ${listed}${rest}.`];
  };
  return [...only(left, right, names.first), ...only(right, left, names.second)];
}

function shortName(word: string): string {
  return cutText(word.replaceAll(/\s+/g, ' '), MAX_NAME_CHARACTERS);
}
