import type { JsonValue } from '@askema/core';
import type { EvaluationResult, Verdict } from '../run/evaluation-result.ts';
import type { Estimate } from '../statistics/wilson-interval.ts';

/** How two runs are compared; see {@link compareRuns}. */
export interface CompareOptions {
  /** Of all intervals. Default: 0.95. */
  readonly level?: number | undefined;
  /** Of the resampling. Default: 1. */
  readonly seed?: number | undefined;
  /** Default: 10,000. */
  readonly resamples?: number | undefined;
  /**
   * What is drawn at a time: `question`, or `database` for all questions of one database together. The latter is right
   * where a run is to speak for databases that were not in it; it wants ten databases or more. Default: `question`.
   */
  readonly resampleBy?: 'question' | 'database' | undefined;
}

/** One of the two runs. */
export interface ComparedRun {
  readonly name: string;
  readonly runId: string;
  readonly dataset: string;
  readonly configuration: Readonly<Record<string, JsonValue>>;
  /** ISO 8601. */
  readonly startedAt: string;
  /** Questions with a result. */
  readonly results: number;
}

/** The questions of a group that count in both runs: all of them, one difficulty, one category. */
export interface PairedGroup {
  readonly name: string;
  readonly questions: number;
  readonly bothRight: number;
  readonly neitherRight: number;
  /** Right in the second run only. */
  readonly gained: number;
  /** Right in the first run only. */
  readonly lost: number;
  readonly accuracyA: Estimate;
  readonly accuracyB: Estimate;
  /** Accuracy of the second less that of the first, in [-1, 1], by resampling of the pairs. */
  readonly difference: Estimate;
  /** Exact McNemar, two-sided. */
  readonly pValue: number;
  /** After Holm, over the groups of its list; of the total the same as `pValue`. */
  readonly adjustedPValue: number;
}

/** A score that both runs have, over the questions that have it in both. */
export interface PairedMetric {
  readonly id: string;
  readonly questions: number;
  readonly meanA: number;
  readonly meanB: number;
  readonly difference: Estimate;
}

/**
 * What one question cost and took, in the mean over the paired questions where both runs know it; undefined where none
 * do.
 */
export interface PairedCost {
  readonly what: 'costUsd' | 'inputTokens' | 'outputTokens' | 'calls' | 'elapsedMs';
  readonly questions: number;
  readonly meanA: number;
  readonly meanB: number;
  readonly difference: Estimate;
}

/** A question with its results in both runs. */
export interface PairedQuestion {
  readonly id: string;
  readonly a: EvaluationResult;
  readonly b: EvaluationResult;
}

/** Two runs side by side. The first, `a`, is what was there; the second, `b`, what is new. */
export interface RunComparison {
  readonly schemaVersion: 1;
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  readonly options: Required<{ readonly [Key in keyof CompareOptions]: Exclude<CompareOptions[Key], undefined> }>;
  readonly total: PairedGroup;
  readonly byDifficulty: readonly PairedGroup[];
  readonly byCategory: readonly PairedGroup[];
  readonly metrics: readonly PairedMetric[];
  readonly costs: readonly PairedCost[];
  /** Right in the second run only. */
  readonly gained: readonly PairedQuestion[];
  /** Right in the first run only. */
  readonly lost: readonly PairedQuestion[];
  /** Right in neither, but no longer for the same verdict: from `declined` to `wrong`, say. */
  readonly otherVerdict: readonly PairedQuestion[];
  /** How many went from each verdict of the first run to each of the second, `goldFailed` too. */
  readonly verdicts: Readonly<Record<Verdict, Readonly<Record<Verdict, number>>>>;
  /**
   * The gold gave other results in the second run: its verdicts cannot be told apart from changed data. They are
   * counted nevertheless.
   */
  readonly drifted: readonly PairedQuestion[];
  /** Another question or other gold SQL under the same id; not counted. */
  readonly rewritten: readonly PairedQuestion[];
  /** Without gold that ran in at least one of the runs; not counted. */
  readonly goldFailed: readonly PairedQuestion[];
  /** Ids that only one of the runs has. */
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  /** What a reader should know before the figures, a sentence each. */
  readonly remarks: readonly string[];
}
