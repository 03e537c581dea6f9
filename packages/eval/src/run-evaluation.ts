import { AskemaError } from '@askema/core';
import type { EvaluationOptions, EvaluationSummary } from './evaluation-options.ts';

/** Asks every selected question and compares with gold; one line on disk per question, a second start resumes. */
export async function runEvaluation(options: EvaluationOptions): Promise<EvaluationSummary> {
  throw new AskemaError('INTERNAL', `runEvaluation of ${options.dataset.name} is not there yet.`);
}
