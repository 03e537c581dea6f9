import { AskemaError } from '@askema/core';
import type { EvaluationSummary } from './evaluation-options.ts';

/** The summary as a text table for a terminal. */
export function formatSummary(summary: EvaluationSummary): string {
  throw new AskemaError('INTERNAL', `formatSummary of ${summary.dataset} is not there yet.`);
}
