import type { ComparableResult } from '@askema/core';
import type { CandidateConformity } from './vote-candidate.ts';

/** Where a LIMIT that cuts the whole result stands. */
const TAIL_CHARACTERS = 80;
const TAIL_LIMIT = /\blimit\s{1,10}(\d{1,9})\s{0,10};?\s{0,10}$/i;

/**
 * Holds a statement and its result against the words of an English question, without a model: the number of rows that
 * it names, a LIMIT that it does not ask for, and the share of its literals (numbers, quoted texts, codes) that the
 * statement uses. What the question leaves open is undefined. An expected format that a model wrote says more; where
 * there is none, this is better than nothing.
 */
export function questionConformity(
  question: string,
  sql: string,
  result: ComparableResult | undefined,
): CandidateConformity {
  const asked = askedRows(question);
  const literals = questionLiterals(question);
  const text = sql.toLowerCase();
  const used = literals.filter((forms) => forms.some((form) => text.includes(form)));
  return {
    rows: asked === undefined || result === undefined ? undefined : fits(result.rows.length, asked),
    limit: limitIsAsked(question, sql),
    literals: literals.length === 0 ? undefined : used.length / literals.length,
  };
}

/** Fewer rows than asked for may be all there are. */
function fits(rows: number, asked: number): boolean {
  return asked === 1 ? rows === 1 : rows >= 1 && rows <= asked;
}

function limitIsAsked(question: string, sql: string): boolean | undefined {
  const limit = TAIL_LIMIT.exec(sql.trimEnd().slice(-TAIL_CHARACTERS))?.[1];
  if (limit === undefined) return undefined;
  const rows = Number(limit);
  return askedNumbers(question).includes(rows) || (rows === 1 && hasSuperlative(question));
}

const NUMBER_WORDS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** An answer by groups: how many rows it has depends on the data. */
const GROUPING = new Set(
  'each every per respectively monthly weekly daily yearly annual annually quarterly grouped breakdown'.split(' '),
);

const SUPERLATIVES = new Set(
  'most least fewest first last earliest latest top bottom maximum minimum max min best worst'.split(' '),
);

/** Words that end like a superlative and are none. */
const NO_SUPERLATIVES = new Set(
  'interest request forest test rest west nest guest invest harvest quest contest'.split(' '),
);

/** Questions longer than this are read no further. */
const MAX_CHARACTERS = 5_000;

/**
 * The number of rows that an English question names, at most so many when above 1; undefined where it leaves that open
 * or asks by groups. Read from "top 5", "three highest", "how many", "which year … the most".
 */
export function askedRows(question: string): number | undefined {
  const words = wordsOf(question);
  if (words.some((word) => GROUPING.has(word))) return undefined;
  for (const [position, word] of words.entries()) {
    const next = words[position + 1] ?? '';
    if (word === 'least' || next === 'least') continue;
    const count = isSuperlative(word) ? numberOf(next) : isSuperlative(next) ? numberOf(word) : undefined;
    if (count !== undefined && count >= 1 && count <= 1_000) return count;
  }
  if (words[0] === 'how' && words[1] === 'many') return 1;
  return askedByWhich(words);
}

/**
 * "which year … the most", "which three stores … the highest": a singular noun or a number, and a superlative further
 * on.
 */
function askedByWhich(words: readonly string[]): number | undefined {
  const asking = words.findIndex((word) => word === 'which' || word === 'what');
  const noun = words[asking + 1];
  if (asking < 0 || noun === undefined || !words.slice(asking + 2).some(isSuperlative)) return undefined;
  const count = numberOf(noun);
  if (count !== undefined) return count;
  return asking > 3 || noun.endsWith('s') || noun === 'are' || noun === 'were' ? undefined : 1;
}

/** True when some word of the question is a superlative. */
function hasSuperlative(question: string): boolean {
  return wordsOf(question).some(isSuperlative);
}

/** The whole numbers of a question that may count rows, in digits or in words up to twelve; no percentages. */
export function askedNumbers(question: string): readonly number[] {
  const counts = question.slice(0, MAX_CHARACTERS).replaceAll(/\d+ ?(?:%|percent)/g, ' ');
  return wordsOf(counts).flatMap((word) => numberOf(word) ?? []);
}

/**
 * What a statement should repeat from its question: quoted texts, codes with digits in them, numbers of two digits and
 * more. Each as the forms in which it may stand in the statement, in lower case.
 */
export function questionLiterals(question: string): readonly (readonly string[])[] {
  const text = question.slice(0, MAX_CHARACTERS);
  const quoted = [...text.matchAll(/'([^'\n]{2,60})'(?![a-z])|"([^"\n]{2,60})"|`([^`\n]{2,60})`/g)].map((match) => [
    (match[1] ?? match[2] ?? match[3] ?? '').toLowerCase(),
  ]);
  const whole = quoted.filter(([form = '']) => form.trim() === form && !/[.,]$/.test(form));
  const codes = wordsOf(text.replaceAll(/(\d),(?=\d{3})/g, '$1'))
    .filter((word) => /\d/.test(word) && word.length > 1)
    .map((word) => (/^\d\d$/.test(word) ? [word, `0.${word.replace(/0$/, '')}`] : [word]));
  return [...new Map([...whole, ...codes].map((forms) => [forms[0], forms])).values()];
}

function wordsOf(question: string): readonly string[] {
  return (
    question
      .slice(0, MAX_CHARACTERS)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

function isSuperlative(word: string): boolean {
  return SUPERLATIVES.has(word) || (word.length > 4 && word.endsWith('est') && !NO_SUPERLATIVES.has(word));
}

function numberOf(word: string): number | undefined {
  if (/^\d{1,9}$/.test(word)) return Number(word);
  const position = NUMBER_WORDS.indexOf(word);
  return position < 0 ? undefined : position + 1;
}
