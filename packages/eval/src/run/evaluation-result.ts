import type { AnswerSignals, JsonValue, Outcome, SerializedError, Usage } from '@askema/core';
import type { DatasetProblem, LeftOut } from '../datasets/read/dataset.ts';
import type { Estimate } from '../statistics/wilson-interval.ts';

/**
 * - `right`: the result matches gold. `wrong`: it does not.
 * - `declined`: an outcome without an answer (`unanswerable`, `needsClarification`, `refused`, `budgetExceeded`), or
 *   one that was not confirmed (`ANSWER_UNCONFIRMED`).
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
  /** What the flow saw of the answer; see `fitConfidence`. */
  readonly signals?: AnswerSignals | undefined;
  readonly warnings: readonly string[];
  /** Whether the candidate's statement ran; undefined when there was none. */
  readonly validSql?: boolean | undefined;
  /** By the id of each metric that applies; from 0 to 1. */
  readonly scores?: Readonly<Record<string, number>> | undefined;
  /**
   * SHA-256 of the gold results that ran, rows and columns in any order; a later run whose gold differs is marked as
   * drifted.
   */
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

/** How many questions there are of each verdict. */
export type VerdictCounts = Readonly<Record<Verdict, number>>;

/** How a run stands, after each question. */
export interface EvaluationProgress {
  readonly done: number;
  readonly total: number;
  readonly counts: VerdictCounts;
  /** The result that was just written; undefined at the start. */
  readonly last?: EvaluationResult | undefined;
  /** Of this start. */
  readonly elapsedMs: number;
  /** At the pace of this start, until all questions are done; undefined until one is. */
  readonly remainingMs?: number | undefined;
  /**
   * All that the run cost, earlier starts and questions that were asked again included; undefined where no cost is
   * known.
   */
  readonly costUsd?: number | undefined;
  readonly budgetUsd?: number | undefined;
}

/** The questions of one category or difficulty, or all. */
export interface EvaluationGroup {
  readonly name: string;
  readonly counts: VerdictCounts;
  /** Without `goldFailed`. */
  readonly counted: number;
  /** `right / counted`; 0 when nothing counts. */
  readonly accuracy: number;
  /** Of `accuracy`, by Wilson. Absent from summaries of older versions. */
  readonly interval?: Estimate | undefined;
}

/** Execution match if the flow had stopped after so many revisions, by the statement that it had then. */
export interface AccuracyAtMaximum {
  readonly iterations: number;
  readonly right: number;
  readonly accuracy: number;
}

/** Over the questions that the `inspect` flow answered or tried to. */
export interface InspectionSummary {
  readonly questions: number;
  readonly averageIterations: number;
  /** From 0 revisions to the most that a question took. Questions without a try count as not right. */
  readonly byMaximum: readonly AccuracyAtMaximum[];
}

/** One metric over the questions that it applies to. */
export interface MetricSummary {
  readonly id: string;
  /** Questions with a score. */
  readonly questions: number;
  /** Their mean, with a bootstrap interval (by Wilson where every score is 0 or 1). */
  readonly mean: Estimate;
  /** Questions on which the metric threw; `metricErrors` of their results says why. */
  readonly failed: number;
}

/** Milliseconds from a question to its outcome, over the questions that were asked. */
export interface LatencySummary {
  readonly p50Ms: number;
  readonly p95Ms: number;
}

/**
 * The figure of a benchmark's own program. It counts an answer without an accepted result as wrong, and the tasks that
 * were not asked as well where it speaks of the whole set.
 */
export interface OfficialSummary {
  /** Id of the metric that judges as the program does. */
  readonly metric: string;
  readonly right: number;
  /** Tasks that were asked and judged. */
  readonly judged: number;
  /** Tasks of the whole set. */
  readonly tasks: number;
}

/** What a run found; also `summary.json` of its folder. */
export interface EvaluationSummary {
  readonly schemaVersion: 1;
  readonly dataset: string;
  readonly configuration: Readonly<Record<string, JsonValue>>;
  readonly total: EvaluationGroup;
  readonly byCategory: readonly EvaluationGroup[];
  readonly byDifficulty: readonly EvaluationGroup[];
  readonly usage: Usage;
  readonly calls: number;
  readonly executions: number;
  /** The sum over all questions. */
  readonly elapsedMs: number;
  /** Undefined when no question was asked. */
  readonly latency?: LatencySummary | undefined;
  /** Of the last attempt of each question. */
  readonly costUsd?: number | undefined;
  /** `costUsd` through the number of right answers; undefined without either. */
  readonly costPerRightUsd?: number | undefined;
  /** All that was paid for this folder: other selections and earlier attempts too. What `budgetUsd` is held against. */
  readonly spentUsd?: number | undefined;
  /** Questions with model calls whose cost is not known, although there are prices: the provider reports no tokens. */
  readonly unpriced?: number | undefined;
  /** Candidates' statements that ran, of those that there were. */
  readonly validSql?: { readonly statements: number; readonly rate: Estimate } | undefined;
  /** In the order of the options; empty without any. */
  readonly metrics?: readonly MetricSummary[] | undefined;
  /** Where the dataset is a benchmark whose own metric is among `metrics`. */
  readonly official?: OfficialSummary | undefined;
  /** Questions of the dataset that cannot be asked here. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  /** Of the `inspect` flow. */
  readonly inspection?: InspectionSummary | undefined;
  /** Selected questions that have no result yet: the run was stopped. */
  readonly unfinished: number;
  /** Why this start ended before all questions were asked. `budget`: `budgetUsd` was spent; a larger one goes on. */
  readonly stopped?: 'budget' | 'signal' | undefined;
  readonly budgetUsd?: number | undefined;
  readonly shard?: { readonly index: number; readonly of: number } | undefined;
  /** Questions whose gold gave other results than before; their verdicts cannot be compared with earlier ones. */
  readonly goldDrift?: readonly { readonly id: string; readonly since: 'attempt' | 'baseline' }[] | undefined;
  /** Why questions failed; absent from summaries of older versions. */
  readonly failures?: readonly FailureSummary[] | undefined;
  readonly goldFailures: readonly { readonly id: string; readonly reason: string }[];
  readonly problems: readonly DatasetProblem[];
}

/** Questions without an answer to compare, that failed for one reason. */
export interface FailureSummary {
  /** That of the error; `other` where there is none. */
  readonly code: string;
  readonly questions: number;
  /** The id and the words of the first of them. */
  readonly firstId: string;
  readonly message: string;
}

/** Whether a line of `results.jsonl` is one of an evaluation. */
export function isEvaluationResult(line: Partial<EvaluationResult>): boolean {
  return typeof line.verdict === 'string';
}
