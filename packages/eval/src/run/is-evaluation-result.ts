import type { EvaluationResult } from './evaluation-options.ts';

/** Whether a line of `results.jsonl` is one of an evaluation. */
export function isEvaluationResult(line: Partial<EvaluationResult>): boolean {
  return typeof line.verdict === 'string';
}
