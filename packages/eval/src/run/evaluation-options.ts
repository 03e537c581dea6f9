import type { Adapter, AdapterSpec, JobContext, Jobs, JsonValue, Outcome, Runner } from '@askema/core';
import type { Dataset, DatasetDatabase } from '../datasets/read/dataset.ts';
import type { QuestionSelection } from '../datasets/select-questions.ts';
import type { Metric } from '../metrics/metric.ts';
import type { EvaluationPrices } from './cost-of.ts';
import type { EvaluationProgress, EvaluationResult } from './evaluation-result.ts';

/** What is asked: one question of the dataset, on its database. A `Text2Sql` fits. */
export interface Pipeline {
  ask(
    question: string,
    options: {
      readonly signal?: AbortSignal | undefined;
      readonly evidence?: string | undefined;
      /** Of the dataset, those that belong to the question. */
      readonly documents?: readonly { readonly name: string; readonly text: string }[] | undefined;
      readonly runId?: string | undefined;
    },
  ): Promise<Outcome>;
  /** Closes what the pipeline itself opened. */
  close?(): Promise<void>;
}

/** What `runEvaluation` takes. */
export interface EvaluationOptions extends QuestionSelection {
  readonly dataset: Dataset;
  /** Opens a database; gold SQL runs here, read only. Closed by the run. */
  readonly connect: (database: DatasetDatabase) => AdapterSpec | Adapter | Promise<AdapterSpec | Adapter>;
  /**
   * Builds what answers the questions of one database, on the adapter of `connect`. Called when a database is opened:
   * once, but where very many are used in turns.
   */
  readonly pipeline: (adapter: Adapter, database: DatasetDatabase) => Pipeline | Promise<Pipeline>;
  /** A directory; made when missing. Holds `results.jsonl`, `run.json` and `summary.json`. */
  readonly out: string;
  /**
   * What is measured: model, flow, settings. Stored in `run.json`; a second start with another configuration is
   * refused. Never put a secret here.
   */
  readonly configuration: Readonly<Record<string, JsonValue>>;
  /** Goes on although the configuration or the questions differ. Default: false. */
  readonly force?: boolean | undefined;
  /** A second start asks again what `failed` or lacked its gold. Default: false. */
  readonly retryFailed?: boolean | undefined;
  /** Questions at a time. Default: 1. */
  readonly concurrency?: number | undefined;
  readonly prices?: EvaluationPrices | undefined;
  /** Ends the run before the questions that are not begun, once the finished ones cost so much. Needs `prices`. */
  readonly budgetUsd?: number | undefined;
  /**
   * Part `index` (from 1) of `of`: every `of`-th of the selected questions, so that machines share a run. Results are
   * put together by `mergeRuns`.
   */
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  /** Beside execution match. Their scores stand in `scores` of each result. */
  readonly metrics?: readonly Metric[] | undefined;
  /**
   * Where the questions are done: a durable queue, for example (`@askema/dbos`). It is given the jobs and the number at
   * a time. Default: in this process.
   */
  readonly runner?: ((jobs: EvaluationJobs, concurrency: number) => Promise<Runner<EvaluationJobs>>) | undefined;
  /**
   * Names the run where a durable queue is shared: the ids of its jobs begin with it, so machines that start the same
   * run under one id share its questions, and another id starts afresh. Letters, digits, `.`, `_` and `-`. Default:
   * with a `runner`, made of dataset, configuration and metrics, and so the same on all machines; without one, new for
   * each folder.
   */
  readonly runId?: string | undefined;
  /**
   * A folder, made when missing, for the answers as the program of Spider 2.0 takes them: `<id>.sql` and `<id>.csv`,
   * whole, on the machine that asked. A question without an answer has no file. Default: answers are not kept.
   */
  readonly answerFolder?: string | undefined;
  /** The folder of an earlier run: a question whose gold gives other results than it gave then is marked as drifted. */
  readonly baseline?: string | undefined;
  /** Each gold statement. Default: 60,000. */
  readonly goldTimeoutMs?: number | undefined;
  readonly onProgress?: ((progress: EvaluationProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * What a {@link Runner} does for a run: one question. `attempt` counts from 1; a question that is asked again has a
 * further one.
 */
export interface EvaluationJobs extends Jobs {
  readonly ask: (
    input: { readonly id: string; readonly attempt: number },
    context: JobContext,
  ) => Promise<EvaluationResult>;
}
