import type { ComparableResult, Outcome, Value } from '@askema/core';
import { holdsGold } from '../../questions/score.ts';
import { acceptedResults, withShares } from './accepted.ts';
import type { StarQuestion } from './question.ts';
import { STAR } from './star.ts';
import { WORDS } from './words.ts';

/** `declined`: it has an answer and got none. `failed`: something broke; that is never right. */
export type Verdict = 'right' | 'wrong' | 'declined' | 'failed';

const DECLINED: ReadonlySet<Outcome['type']> = new Set(['unanswerable', 'needsClarification', 'refused']);

/** `run` runs a statement over the tables of the star. */
export function verdictOf(
  { means, sql, isUnanswerable }: StarQuestion,
  outcome: Outcome,
  run: (sql: string) => ComparableResult,
): Verdict {
  if (outcome.type !== 'answered') {
    if (!DECLINED.has(outcome.type)) return 'failed';
    return isUnanswerable ? 'right' : 'declined';
  }
  const { result } = outcome;
  for (const request of means) {
    const answer = inCodes(
      result,
      request.by.map(({ field }) => field),
    );
    for (const { result: gold, orderMatters, tolerance, width } of acceptedResults(STAR, request))
      if (answer.columns.length >= width && holdsGold(gold, answer, orderMatters, tolerance)) return 'right';
  }
  for (const statement of sql) {
    const gold = run(statement);
    for (const accepted of withShares({ result: gold, orderMatters: false, width: gold.columns.length }))
      if (holdsGold(accepted.result, result, false, accepted.tolerance)) return 'right';
  }
  return 'wrong';
}

/** What people write where there is no name. */
const NO_NAME = /^\W*(?:unknown|none|n\/a|no|not|without|anonymous|unassigned|unspecified)\b/iu;

/** An answer may say `online shop` for `WEB`, and `unknown` for NULL. */
function inCodes(answer: ComparableResult, fields: readonly string[]): ComparableResult {
  const codes = new Map<string, string>();
  for (const field of fields) {
    const [dataset = '', name = ''] = field.split('.');
    for (const { value, meaning, synonyms } of WORDS.field?.(dataset, name).values ?? [])
      for (const label of [meaning ?? '', ...synonyms]) codes.set(label.toLowerCase(), String(value));
  }
  const coded = (cell: Value): Value => {
    if (typeof cell !== 'string') return cell;
    return codes.get(cell.toLowerCase()) ?? (NO_NAME.test(cell) ? null : cell);
  };
  return { columns: answer.columns, rows: answer.rows.map((row) => row.map(coded)) };
}
