import { type Outcome, type QueryResult, toAskemaError } from '@askema/core';
import { executionMatch } from '../metrics/execution-match.ts';
import { hashResult } from '../metrics/hash-result.ts';
import type { MetricInput } from '../metrics/metric.ts';
import { spider2Metric } from '../metrics/spider2-metric.ts';
import type { EvaluationResult } from './evaluation-result.ts';
import { isTooLarge } from './run-whole.ts';

/** What an answer is held against. */
type JudgeInput = Pick<MetricInput, 'question' | 'gold' | 'run'>;

/** A verdict, and what was looked at for it. */
export interface Judged extends Pick<EvaluationResult, 'verdict' | 'reason' | 'error' | 'validSql' | 'resultHash'> {
  /** The statement and the whole result of an answer. */
  readonly sql?: string | undefined;
  readonly result?: QueryResult | undefined;
}

/**
 * The verdict on an outcome: by execution match where gold SQL ran, else by the rule of Spider 2.0 over the result
 * files.
 *
 * @throws AskemaError `ABORTED` only, when the signal has fired.
 */
export async function judge(input: JudgeInput, outcome: Outcome, signal: AbortSignal | undefined): Promise<Judged> {
  if (outcome.type === 'answered') return judgeAnswer(input, outcome, signal);
  const validSql = await ranOf(input, outcome, signal);
  switch (outcome.type) {
    case 'needsClarification':
      return { verdict: 'declined', reason: outcome.ask, validSql };
    case 'unanswerable':
    case 'refused':
      return { verdict: 'declined', reason: outcome.reason, validSql };
    case 'budgetExceeded':
      return { verdict: 'declined', reason: outcome.error.message, error: outcome.error, validSql };
    case 'cancelled':
    case 'failed': {
      // A flow that checks its answers says so when none was confirmed: asking again is no remedy.
      const verdict = outcome.error.code === 'ANSWER_UNCONFIRMED' ? 'declined' : 'failed';
      return { verdict, reason: outcome.error.message, error: outcome.error, validSql };
    }
  }
}

async function judgeAnswer(
  input: JudgeInput,
  outcome: Extract<Outcome, { type: 'answered' }>,
  signal: AbortSignal | undefined,
): Promise<Judged> {
  const sql = outcome.sql === '' ? undefined : outcome.sql;
  const valid = sql === undefined ? undefined : true;
  let { result } = outcome;
  if (result.truncated !== undefined) {
    // The pipeline's own cap cut the answer for display; the statement is what is judged.
    try {
      result = await input.run(outcome.sql);
    } catch (thrown) {
      signal?.throwIfAborted();
      const error = toAskemaError(thrown).toJSON();
      return { verdict: 'failed', reason: error.message, error, validSql: valid, sql };
    }
  }
  const comparison = await compare(input, sql, result, signal);
  return { ...comparison, validSql: valid, sql, result, resultHash: hashResult(result) };
}

/**
 * Whether a statement that was not the answer would have been right. Only what reads is run: the adapter sees to that.
 */
export async function isRightStatement(
  sql: string,
  input: JudgeInput,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return (await compare(input, sql, await input.run(sql), signal)).verdict === 'right';
  } catch {
    signal?.throwIfAborted();
    return false;
  }
}

async function compare(
  input: JudgeInput,
  sql: string | undefined,
  result: QueryResult,
  signal: AbortSignal | undefined,
): Promise<Pick<Judged, 'verdict' | 'reason'>> {
  const { orderMatters } = input.question;
  if (input.gold.length === 0) return compareOfficially({ ...input, sql, result }, signal);
  const reasons = new Set<string>();
  for (const gold of input.gold) {
    const match = executionMatch(gold.result, result, { orderMatters });
    if (match.match) return { verdict: 'right' };
    reasons.add(match.reason);
  }
  return { verdict: 'wrong', reason: [...reasons].join('; or ') };
}

async function compareOfficially(
  input: MetricInput,
  signal: AbortSignal | undefined,
): Promise<Pick<Judged, 'verdict' | 'reason'>> {
  try {
    const score = await spider2Metric.score(input);
    if (score === undefined)
      return {
        verdict: 'goldFailed',
        reason: 'The accepted results of the dataset cannot be compared with an answer.',
      };
    return score === 1 ? { verdict: 'right' } : { verdict: 'wrong', reason: 'matches none of the accepted results' };
  } catch (thrown) {
    signal?.throwIfAborted();
    return {
      verdict: 'goldFailed',
      reason: `The accepted results cannot be compared: ${toAskemaError(thrown).message}`,
    };
  }
}

/** Whether the last statement of an outcome without an answer runs; undefined when there is none, or it may not. */
async function ranOf(
  input: JudgeInput,
  outcome: Exclude<Outcome, { type: 'answered' }>,
  signal: AbortSignal | undefined,
): Promise<boolean | undefined> {
  if (outcome.sql === undefined || outcome.sql === '') return undefined;
  if (outcome.type === 'refused' || outcome.type === 'cancelled') return undefined;
  const code = 'error' in outcome ? outcome.error?.code : undefined;
  if (code === 'QUERY_FAILED' || code === 'QUERY_TIMEOUT') return false;
  try {
    await input.run(outcome.sql);
    return true;
  } catch (thrown) {
    signal?.throwIfAborted();
    return isTooLarge(thrown);
  }
}
