import {
  type Adapter,
  AskemaError,
  createCallContext,
  type Outcome,
  type OutcomeBase,
  type QueryResult,
  toAskemaError,
} from '@askema/core';
import type { Dataset, DatasetQuestion } from '../datasets/read/dataset.ts';
import { readPandasCsv, resultOfTable } from '../metrics/pandas-csv.ts';
import type { EvaluationOptions, Pipeline } from '../run/evaluation-options.ts';
import type { EvaluationSummary } from '../run/evaluation-result.ts';
import { runEvaluation } from '../run/run-evaluation.ts';
import type { Prediction, Predictions } from './load-predictions.ts';

/** As for a run; `configuration` is what `run.json` says of where the predictions come from. */
export type ScorePredictionsOptions = Omit<EvaluationOptions, 'pipeline' | 'prices' | 'budgetUsd' | 'runner'> & {
  readonly predictions: Predictions;
};

/**
 * Scores answers that are already there: the same results, files and summary as a run, without a model. A question
 * without a prediction is `failed`.
 *
 * @throws AskemaError as {@link runEvaluation}.
 */
export async function scorePredictions(options: ScorePredictionsOptions): Promise<EvaluationSummary> {
  const { predictions, ...rest } = options;
  const dataset: Dataset = options.dataset;
  return runEvaluation({ ...rest, pipeline: (adapter, { id }) => pipelineOf(dataset, predictions, adapter, id) });
}

/** Results above these are cut, and then run again by the scoring under its own caps. */
const CAPS = { maxRows: 500_000, maxBytes: 256 * 1024 * 1024 } as const;

/** A pipeline that gives the predicted answers for the questions on one database of a dataset. */
function pipelineOf(dataset: Dataset, predictions: Predictions, adapter: Adapter, databaseId: string): Pipeline {
  const questions = dataset.questions.filter((question) => question.databaseId === databaseId);
  const byText = Map.groupBy(questions, ({ question, evidence }) => keyOf(question, evidence));
  return {
    async ask(text, { evidence, runId = '', signal }) {
      const question = whichOf(byText.get(keyOf(text, evidence)) ?? [], runId);
      const prediction = question === undefined ? undefined : predictions.answers.get(question.id);
      const executions = prediction === undefined || prediction.csv !== undefined ? 0 : 1;
      const base = { ...baseOf(text, runId), executions, sql: prediction?.sql };
      try {
        if (prediction === undefined) throw missing(question, predictions);
        const result = await resultOf(prediction, adapter, signal);
        const unmeasured = { assumptions: [], basedOn: [], sure: false };
        return { ...base, ...unmeasured, type: 'answered', sql: prediction.sql ?? '', result } satisfies Outcome;
      } catch (thrown) {
        signal?.throwIfAborted();
        return { ...base, type: 'failed', error: toAskemaError(thrown).toJSON() } satisfies Outcome;
      }
    },
  };
}

function keyOf(question: string, evidence: string | undefined): string {
  return JSON.stringify([question, evidence ?? '']);
}

/** Questions with one and the same text are told apart by the run's id of theirs, which holds their own. */
function whichOf(questions: readonly DatasetQuestion[], runId: string): DatasetQuestion | undefined {
  if (questions.length < 2) return questions[0];
  const named = questions.filter(({ id }) => runId.includes(`-${id}`));
  return named.toSorted((a, b) => b.id.length - a.id.length)[0] ?? questions[0];
}

function missing(question: DatasetQuestion | undefined, { source }: Predictions): AskemaError {
  return new AskemaError('INPUT_INVALID', `${source} has no prediction for ${question?.id ?? 'this question'}.`);
}

async function resultOf(
  { sql, csv }: Prediction,
  adapter: Adapter,
  signal: AbortSignal | undefined,
): Promise<QueryResult> {
  if (csv !== undefined) return { ...resultOfTable(readPandasCsv(csv)), elapsedMs: 0 };
  const context = createCallContext({ signal, tags: { purpose: 'evaluation' } });
  return adapter.query(sql ?? '', { ...CAPS, context });
}

function baseOf(question: string, runId: string): OutcomeBase {
  return {
    question,
    runId,
    candidates: [],
    usage: { inputTokens: 0, outputTokens: 0 },
    calls: 0,
    executions: 0,
    elapsedMs: 0,
    warnings: [],
    solvedBy: 'predictions',
  };
}
