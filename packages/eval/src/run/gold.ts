import { type QueryResult, toAskemaError } from '@askema/core';
import type { DatasetQuestion } from '../datasets/read/dataset.ts';
import { hashResult } from '../metrics/hash-result.ts';
import type { EvaluationResult } from './evaluation-result.ts';
import { runWhole, type StatementOptions } from './run-whole.ts';

/** A gold statement that ran. */
interface GoldRun {
  readonly sql: string;
  readonly result: QueryResult;
}

/**
 * Those of the gold statements that run; a reason when none does and the dataset has no result files for the question
 * either. None and no reason: the result files are what the answer is held against.
 */
export async function runGold(
  question: DatasetQuestion,
  options: StatementOptions,
): Promise<{ readonly runs: readonly GoldRun[] } | { readonly reason: string }> {
  const runs: GoldRun[] = [];
  const reasons: string[] = [];
  for (const sql of question.goldSql) {
    try {
      runs.push({ sql, result: await runWhole(sql, options) });
    } catch (thrown) {
      options.signal?.throwIfAborted();
      reasons.push(toAskemaError(thrown).message);
    }
  }
  if (runs.length > 0 || hasGoldResults(question)) return { runs };
  if (reasons.length === 0) return { reason: 'The dataset has neither gold SQL nor gold results for this question.' };
  return { reason: `The gold SQL fails: ${reasons.join(' ')}` };
}

function hasGoldResults({ goldResults }: DatasetQuestion): boolean {
  return goldResults !== undefined && goldResults.length > 0;
}

/** Undefined where no statement ran. */
export function hashesOf(runs: readonly GoldRun[]): readonly string[] | undefined {
  return runs.length === 0 ? undefined : runs.map(({ result }) => hashResult(result));
}

/** Marks a result whose gold gave other rows than before, in an earlier attempt or else in the baseline. */
export function markDrift(
  result: EvaluationResult,
  before: Readonly<Record<'attempt' | 'baseline', readonly string[] | undefined>>,
): EvaluationResult {
  const { goldHashes } = result;
  if (goldHashes === undefined) return result;
  for (const since of ['attempt', 'baseline'] as const) {
    const earlier = before[since];
    if (earlier !== undefined && earlier.join() !== goldHashes.join())
      return { ...result, goldDrift: { since, before: earlier } };
  }
  return result;
}
