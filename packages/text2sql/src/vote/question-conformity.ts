import type { ComparableResult } from '@askema/core';
import { askedNumbers, askedRows, hasSuperlative, questionLiterals } from './question-words.ts';
import type { CandidateConformity } from './vote-candidate.ts';

/** Where a LIMIT that cuts the whole result stands. */
const TAIL_CHARACTERS = 80;
const TAIL_LIMIT = /\blimit\s{1,10}(\d{1,9})\s{0,10};?\s{0,10}$/i;

/**
 * Holds a statement and its result against the words of an English question, without a model: the number of rows that it names, a LIMIT
 * that it does not ask for, and the share of its literals (numbers, quoted texts, codes) that the statement uses. What the question
 * leaves open is undefined. An expected format that a model wrote says more; where there is none, this is better than nothing.
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
