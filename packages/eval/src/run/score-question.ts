import {
  type Adapter,
  AskemaError,
  createCallContext,
  type Outcome,
  type QueryResult,
  toAskemaError,
  UNKNOWN_USAGE,
} from '@askema/core';
import type { DatasetQuestion } from '../datasets/dataset.ts';
import { type ExecutionMatch, executionMatch } from '../metrics/execution-match.ts';
import { costOf } from './cost-of.ts';
import type { EvaluationPrices, EvaluationResult, Pipeline, Verdict } from './evaluation-options.ts';
import { scoreTries } from './score-tries.ts';

/** Larger results than these are not compared. */
const SCORING_CAPS = { maxRows: 500_000, maxBytes: 256 * 1024 * 1024 } as const;

export interface ScoringOptions {
  readonly adapter: Adapter;
  readonly pipeline: Pipeline;
  /** Under which the pipeline keeps its own run of this question. */
  readonly runId: string;
  readonly goldTimeoutMs: number;
  readonly prices?: EvaluationPrices | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly now: () => number;
}

/**
 * Runs gold, asks, and compares. Whatever fails becomes a result.
 *
 * @throws AskemaError `ABORTED` only, when the signal has fired.
 */
export async function scoreQuestion(question: DatasetQuestion, options: ScoringOptions): Promise<EvaluationResult> {
  const gold = await runGold(question, options);
  if ('reason' in gold) {
    return resultOf(question, options, {
      verdict: 'goldFailed',
      outcome: 'notAsked',
      reason: gold.reason,
      elapsedMs: 0,
    });
  }
  const started = options.now();
  let outcome: Outcome;
  try {
    outcome = await options.pipeline.ask(question.question, {
      signal: options.signal,
      evidence: question.evidence,
      runId: options.runId,
    });
  } catch (thrown) {
    options.signal?.throwIfAborted();
    const error = toAskemaError(thrown).toJSON();
    const elapsedMs = options.now() - started;
    return resultOf(question, options, {
      verdict: 'failed',
      outcome: 'threw',
      reason: error.message,
      error,
      elapsedMs,
    });
  }
  options.signal?.throwIfAborted();
  const judged = await judge(question, gold.results, outcome, options);
  const inspection = await scoreTries(outcome, judged.verdict, (sql) => isRight(sql, question, gold.results, options));
  return resultOf(
    question,
    options,
    { ...judged, outcome: outcome.type, elapsedMs: outcome.elapsedMs, inspection },
    outcome,
  );
}

/** The result of a question whose database could not be opened, or whose pipeline could not be built. */
export function unaskedResult(
  question: DatasetQuestion,
  thrown: unknown,
  options: Pick<ScoringOptions, 'now'>,
): EvaluationResult {
  const error = toAskemaError(thrown).toJSON();
  return resultOf(question, options, {
    verdict: 'failed',
    outcome: 'threw',
    reason: error.message,
    error,
    elapsedMs: 0,
  });
}

type Gold = { readonly results: readonly QueryResult[] } | { readonly reason: string };

/** Those of the gold statements that run; a reason when none does. */
async function runGold(question: DatasetQuestion, options: ScoringOptions): Promise<Gold> {
  const results: QueryResult[] = [];
  const reasons: string[] = [];
  for (const sql of question.goldSql) {
    try {
      results.push(await runWhole(sql, options));
    } catch (thrown) {
      options.signal?.throwIfAborted();
      reasons.push(toAskemaError(thrown).message);
    }
  }
  return results.length > 0 ? { results } : { reason: `The gold SQL fails: ${reasons.join(' ')}` };
}

async function runWhole(sql: string, options: ScoringOptions): Promise<QueryResult> {
  const context = createCallContext({ signal: options.signal, tags: { purpose: 'evaluation' } });
  const result = await options.adapter.query(sql, { ...SCORING_CAPS, timeoutMs: options.goldTimeoutMs, context });
  if (result.truncated === undefined) return result;
  throw new AskemaError('INPUT_INVALID', `The result has too many ${result.truncated} to be compared.`);
}

type Judgement = Pick<EvaluationResult, 'verdict' | 'reason' | 'error'>;

async function judge(
  question: DatasetQuestion,
  gold: readonly QueryResult[],
  outcome: Outcome,
  options: ScoringOptions,
): Promise<Judgement> {
  switch (outcome.type) {
    case 'answered':
      return judgeAnswer(question, gold, outcome, options);
    case 'needsClarification':
      return { verdict: 'declined', reason: outcome.ask };
    case 'unanswerable':
    case 'refused':
      return { verdict: 'declined', reason: outcome.reason };
    case 'budgetExceeded':
      return { verdict: 'declined', reason: outcome.error.message, error: outcome.error };
    case 'cancelled':
    case 'failed':
      // A flow that checks its answers says so when none was confirmed: asking again is no remedy.
      if (outcome.error.code === 'ANSWER_UNCONFIRMED')
        return { verdict: 'declined', reason: outcome.error.message, error: outcome.error };
      return { verdict: 'failed', reason: outcome.error.message, error: outcome.error };
  }
}

async function judgeAnswer(
  question: DatasetQuestion,
  gold: readonly QueryResult[],
  outcome: Extract<Outcome, { type: 'answered' }>,
  options: ScoringOptions,
): Promise<Judgement> {
  let result = outcome.result;
  if (result.truncated !== undefined) {
    // The pipeline's own cap cut the answer for display; the statement is what is judged.
    try {
      result = await runWhole(outcome.sql, options);
    } catch (thrown) {
      options.signal?.throwIfAborted();
      const error = toAskemaError(thrown).toJSON();
      return { verdict: 'failed', reason: error.message, error };
    }
  }
  const matches = matchesOf(question, gold, result);
  if (matches.some((match) => match.match)) return { verdict: 'right' };
  const reasons = new Set(matches.map((match) => (match.match ? '' : match.reason)));
  return { verdict: 'wrong', reason: [...reasons].join('; or ') };
}

function matchesOf(
  { orderMatters }: DatasetQuestion,
  gold: readonly QueryResult[],
  result: QueryResult,
): readonly ExecutionMatch[] {
  return gold.map((table) => executionMatch(table, result, { orderMatters }));
}

/** Whether a statement that was not the answer would have been right. Only what reads is run: the adapter sees to that. */
async function isRight(
  sql: string,
  question: DatasetQuestion,
  gold: readonly QueryResult[],
  options: ScoringOptions,
): Promise<boolean> {
  try {
    const result = await runWhole(sql, options);
    return matchesOf(question, gold, result).some((match) => match.match);
  } catch {
    options.signal?.throwIfAborted();
    return false;
  }
}

function resultOf(
  question: DatasetQuestion,
  options: Pick<ScoringOptions, 'now' | 'prices'>,
  judged: Judgement & Pick<EvaluationResult, 'outcome' | 'elapsedMs' | 'inspection'>,
  outcome?: Outcome,
): EvaluationResult {
  const verdict: Verdict = judged.verdict;
  const usage = outcome?.usage ?? UNKNOWN_USAGE;
  const costUsd = options.prices === undefined ? undefined : costOf(usage, options.prices);
  return {
    schemaVersion: 1,
    id: question.id,
    databaseId: question.databaseId,
    category: question.category,
    difficulty: question.difficulty,
    question: question.question,
    verdict,
    outcome: judged.outcome,
    reason: judged.reason,
    sql: outcome?.sql,
    goldSql: question.goldSql,
    error: judged.error,
    usage,
    calls: outcome?.calls ?? 0,
    executions: outcome?.executions ?? 0,
    elapsedMs: Math.round(judged.elapsedMs),
    costUsd,
    solvedBy: outcome?.solvedBy,
    confidence: outcome?.type === 'answered' ? outcome.confidence : undefined,
    sure: outcome?.type === 'answered' ? outcome.sure : undefined,
    warnings: outcome?.warnings ?? [],
    inspection: judged.inspection,
    finishedAt: new Date(options.now()).toISOString(),
  };
}
