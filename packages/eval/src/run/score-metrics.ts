import { AskemaError, toAskemaError } from '@askema/core';
import type { Metric, MetricInput } from '../metrics/metric.ts';
import type { EvaluationResult } from './evaluation-options.ts';

/**
 * What each metric says of an answer. One that throws, or says what is no score, is noted and ends nothing.
 *
 * @throws AskemaError `ABORTED` only, when the signal has fired.
 */
export async function scoreMetrics(
  input: MetricInput,
  options: { readonly metrics?: readonly Metric[] | undefined; readonly signal?: AbortSignal | undefined },
): Promise<Pick<EvaluationResult, 'scores' | 'metricErrors'>> {
  const scores: [string, number][] = [];
  const errors: [string, string][] = [];
  for (const metric of options.metrics ?? []) {
    try {
      const score = await metric.score(input);
      if (score !== undefined) scores.push([metric.id, checked(metric, score)]);
    } catch (thrown) {
      options.signal?.throwIfAborted();
      errors.push([metric.id, toAskemaError(thrown).message]);
    }
  }
  return {
    scores: scores.length === 0 ? undefined : Object.fromEntries(scores),
    metricErrors: errors.length === 0 ? undefined : Object.fromEntries(errors),
  };
}

function checked({ id }: Metric, score: number): number {
  if (score >= 0 && score <= 1) return score;
  throw new AskemaError('INPUT_INVALID', `The metric ${id} scored ${score}; a score lies from 0 to 1.`);
}
