import type {
  Adapter,
  AdapterSpec,
  JobContext,
  Jobs,
  JsonValue,
  Outcome,
  Runner,
  SerializedError,
  Usage,
} from '@askema/core';
import type { Dataset, DatasetDatabase } from '../datasets/dataset.ts';
import type { Metric } from '../metrics/metric.ts';
import type { EvaluationProgress } from './evaluation-summary.ts';

export * from './evaluation-summary.ts';

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

/** US dollars per million tokens. */
export interface EvaluationPrices {
  readonly inputPerMillion: number;
  readonly outputPerMillion: number;
  /** Default: the price of other input. */
  readonly cachedInputPerMillion?: number | undefined;
}

/** What `runEvaluation` takes. */
export interface EvaluationOptions {
  readonly dataset: Dataset;
  /** Opens a database; gold SQL runs here, read only. Closed by the run. */
  readonly connect: (database: DatasetDatabase) => AdapterSpec | Adapter | Promise<AdapterSpec | Adapter>;
  /** Builds what answers the questions of one database, on the adapter of `connect`. Called when a database is opened: once, but where very many are used in turns. */
  readonly pipeline: (adapter: Adapter, database: DatasetDatabase) => Pipeline | Promise<Pipeline>;
  /** A directory; made when missing. Holds `results.jsonl`, `run.json` and `summary.json`. */
  readonly out: string;
  /**
   * What is measured: model, flow, settings. Stored in `run.json`; a second start with another configuration is refused. Never put
   * a secret here.
   */
  readonly configuration: Readonly<Record<string, JsonValue>>;
  /** Goes on although the configuration or the questions differ. Default: false. */
  readonly force?: boolean | undefined;
  /** A second start asks again what `failed` or lacked its gold. Default: false. */
  readonly retryFailed?: boolean | undefined;
  /** The first so many of the selected questions. */
  readonly limit?: number | undefined;
  readonly category?: string | readonly string[] | undefined;
  readonly difficulty?: string | readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  /** So many questions, spread over all categories in proportion; the same seed draws the same ones. */
  readonly sample?: number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  /** Questions at a time. Default: 1. */
  readonly concurrency?: number | undefined;
  readonly prices?: EvaluationPrices | undefined;
  /** Ends the run before the questions that are not begun, once the finished ones cost so much. Needs `prices`. */
  readonly budgetUsd?: number | undefined;
  /** Part `index` (from 1) of `of`: every `of`-th of the selected questions, so that machines share a run. Results are put together by `mergeRuns`. */
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  /** Beside execution match. Their scores stand in `scores` of each result. */
  readonly metrics?: readonly Metric[] | undefined;
  /**
   * Where the questions are done: a durable queue, for example (`@askema/dbos`). It is given the jobs and the number at a time.
   * Default: in this process.
   */
  readonly runner?: ((jobs: EvaluationJobs, concurrency: number) => Promise<Runner<EvaluationJobs>>) | undefined;
  /**
   * Names the run where a durable queue is shared: the ids of its jobs begin with it, so machines that start the same run under one id share
   * its questions, and another id starts afresh. Letters, digits, `.`, `_` and `-`. Default: with a `runner`, made of dataset,
   * configuration and metrics, and so the same on all machines; without one, new for each folder.
   */
  readonly runId?: string | undefined;
  /** The folder of an earlier run: a question whose gold gives other results than it gave then is marked as drifted. */
  readonly baseline?: string | undefined;
  /** Each gold statement. Default: 60,000. */
  readonly goldTimeoutMs?: number | undefined;
  readonly onProgress?: ((progress: EvaluationProgress) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * - `right`: the result matches gold. `wrong`: it does not.
 * - `declined`: an outcome without an answer (`unanswerable`, `needsClarification`, `refused`, `budgetExceeded`), or one that was not confirmed (`ANSWER_UNCONFIRMED`).
 * - `failed`: tried and not succeeded, or the pipeline threw.
 * - `goldFailed`: the gold SQL itself failed; not counted.
 */
export type Verdict = 'right' | 'wrong' | 'declined' | 'failed' | 'goldFailed';

/** What the `inspect` flow did for one question. */
export interface EvaluationInspection {
  /** Revisions: 0 where the first sequence stood. */
  readonly iterations: number;
  /** Codes of the findings that were still open at the end. */
  readonly findings: readonly string[];
  /** Whether the statement of each try was right, the answer last. */
  readonly rightByTry: readonly boolean[];
}

/** What a {@link Runner} does for a run: one question. `attempt` counts from 1; a question that is asked again has a further one. */
export interface EvaluationJobs extends Jobs {
  readonly ask: (
    input: { readonly id: string; readonly attempt: number },
    context: JobContext,
  ) => Promise<EvaluationResult>;
}

/** One line of `results.jsonl`. */
export interface EvaluationResult {
  readonly schemaVersion: 1;
  readonly id: string;
  readonly databaseId: string;
  readonly category: string;
  readonly difficulty: string;
  readonly question: string;
  readonly verdict: Verdict;
  /** The outcome's type; `threw` when the pipeline threw, `notAsked` when the gold SQL failed first. */
  readonly outcome: Outcome['type'] | 'threw' | 'notAsked';
  /** Why not right, in a sentence. */
  readonly reason?: string | undefined;
  readonly sql?: string | undefined;
  readonly goldSql: readonly string[];
  readonly error?: SerializedError | undefined;
  readonly usage: Usage;
  readonly calls: number;
  readonly executions: number;
  readonly elapsedMs: number;
  readonly costUsd?: number | undefined;
  readonly solvedBy?: string | undefined;
  readonly confidence?: number | undefined;
  readonly sure?: boolean | undefined;
  readonly warnings: readonly string[];
  /** Whether the candidate's statement ran; undefined when there was none. */
  readonly validSql?: boolean | undefined;
  /** By the id of each metric that applies; from 0 to 1. */
  readonly scores?: Readonly<Record<string, number>> | undefined;
  /** SHA-256 of the gold results that ran, rows and columns in any order; a later run whose gold differs is marked as drifted. */
  readonly goldHashes?: readonly string[] | undefined;
  /** The same of the candidate's result. */
  readonly resultHash?: string | undefined;
  /** Gold gave other results when it ran before: in an earlier attempt of this run, or in the `baseline`. */
  readonly goldDrift?: { readonly since: 'attempt' | 'baseline'; readonly before: readonly string[] } | undefined;
  /** By the id of each metric that threw: why. */
  readonly metricErrors?: Readonly<Record<string, string>> | undefined;
  /** The 1-based number of the attempt. Default: 1. */
  readonly attempt?: number | undefined;
  /** Of the `inspect` flow. */
  readonly inspection?: EvaluationInspection | undefined;
  /** ISO 8601. */
  readonly finishedAt: string;
}

/** Which questions of a dataset are meant. */
export type QuestionSelection = Pick<
  EvaluationOptions,
  'limit' | 'category' | 'difficulty' | 'ids' | 'sample' | 'seed'
>;
