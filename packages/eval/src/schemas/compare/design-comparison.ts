import type { ComparedRun, CompareOptions, PairedCost, PairedMetric } from '../../compare/run-comparison.ts';
import type { FeedbackStatistics } from '../design-summary.ts';
import type { ScorerName } from '../schema-score.ts';

/** How two runs of designs are compared; each requirement is drawn alone. */
export type CompareDesignsOptions = Omit<CompareOptions, 'resampleBy'>;

/** What one scorer says, over the requirements that it scored in both runs. */
export interface PairedScorer {
  readonly scorer: ScorerName;
  readonly requirements: number;
  /** Requirements of which both runs have the same scores. */
  readonly same: number;
  /** Ids are those of `SchemaMetric`. */
  readonly metrics: readonly PairedMetric[];
}

/** The requirements whose gold has so many tables (SchemaAgent, Figure 7). */
export interface PairedSize {
  readonly tables: number;
  readonly requirements: number;
  /** By the first scorer. */
  readonly metrics: readonly PairedMetric[];
  readonly feedbackA: FeedbackStatistics;
  readonly feedbackB: FeedbackStatistics;
}

/** How the values of one run lie. */
export interface Distribution {
  readonly least: number;
  readonly quarter: number;
  readonly median: number;
  readonly threeQuarters: number;
  readonly most: number;
  /**
   * How many values lie in each of ten equal parts: of 0 to 1 for a score, the last part with its end; for the judge
   * from 1 to under 2, and so on, 10 alone at the end.
   */
  readonly parts: readonly number[];
}

/** The values of both runs (SchemaAgent, Figure 9). */
export interface PairedDistribution {
  /** A metric of the first scorer, or `judge`, `judge.functionalCoverage`, … from 1 to 10. */
  readonly what: string;
  readonly requirements: number;
  readonly a: Distribution;
  readonly b: Distribution;
}

/** What a role did for a requirement, in the mean over those with a transcript in both runs (SchemaAgent, Figure 8). */
export interface PairedRole {
  readonly role: string;
  readonly requirements: number;
  readonly turnsA: number;
  readonly turnsB: number;
  readonly toolCallsA: number;
  readonly toolCallsB: number;
}

/** Two runs of designs side by side. The first, `a`, is what was there; the second, `b`, what is new. Plain JSON. */
export interface DesignComparison {
  readonly schemaVersion: 1;
  readonly a: ComparedRun;
  readonly b: ComparedRun;
  readonly options: { readonly level: number; readonly seed: number; readonly resamples: number };
  /** With a result in both runs. */
  readonly requirements: number;
  /** Those whose scores both runs have. */
  readonly scorers: readonly PairedScorer[];
  readonly bySize: readonly PairedSize[];
  readonly distributions: readonly PairedDistribution[];
  /** Scores of the judge from 1 to 10; ids as in `distributions`. */
  readonly judge: readonly PairedMetric[];
  readonly roles: readonly PairedRole[];
  readonly costs: readonly PairedCost[];
  /** Ids with another requirement under them; not counted. */
  readonly rewritten: readonly string[];
  readonly onlyA: readonly string[];
  readonly onlyB: readonly string[];
  /** What a reader should know before the figures, a sentence each. */
  readonly remarks: readonly string[];
}
