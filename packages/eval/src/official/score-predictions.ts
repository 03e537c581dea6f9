import type { Dataset } from '../datasets/dataset.ts';
import type { EvaluationOptions, EvaluationSummary } from '../run/evaluation-options.ts';
import { runEvaluation } from '../run/run-evaluation.ts';
import { pipelineOf } from './pipeline-of-predictions.ts';
import type { Predictions } from './prediction.ts';

/** As for a run; `configuration` is what `run.json` says of where the predictions come from. */
export type ScorePredictionsOptions = Omit<EvaluationOptions, 'pipeline' | 'prices' | 'budgetUsd' | 'runner'> & {
  readonly predictions: Predictions;
};

/**
 * Scores answers that are already there: the same results, files and summary as a run, without a model. A question without a
 * prediction is `failed`.
 *
 * @throws AskemaError as {@link runEvaluation}.
 */
export async function scorePredictions(options: ScorePredictionsOptions): Promise<EvaluationSummary> {
  const { predictions, ...rest } = options;
  const dataset: Dataset = options.dataset;
  return runEvaluation({ ...rest, pipeline: (adapter, { id }) => pipelineOf(dataset, predictions, adapter, id) });
}
