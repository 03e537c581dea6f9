import type { JsonValue, Usage } from '@askema/core';
import type { DatasetProblem } from '../datasets/dataset.ts';
import type { Estimate } from '../statistics/interval.ts';
import type { EvaluationResult, Verdict } from './evaluation-options.ts';
import type { FailureSummary } from './summarise-failures.ts';

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
  /** All that the run cost, earlier starts and questions that were asked again included; undefined where no cost is known. */
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
