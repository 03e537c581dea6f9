import type { Estimate } from '../statistics/index.ts';

/** What `calibrate` takes. */
export interface CalibrateOptions {
  /** Bins of the same width over [0, 1]. Default: 10. */
  readonly bins?: number | undefined;
  /** Of all intervals. Default: 0.95. */
  readonly level?: number | undefined;
}

/** Answers whose confidence lies in `[from, to)`; in the last bin also `to` itself. */
export interface ReliabilityBin {
  readonly from: number;
  readonly to: number;
  readonly questions: number;
  readonly right: number;
  /** Mean of the confidence in the bin; undefined of an empty one. */
  readonly confidence?: number | undefined;
  /** Share that is right; undefined of an empty bin. */
  readonly accuracy?: Estimate | undefined;
}

/** If only answers of this confidence or more were given. */
export interface CoveragePoint {
  readonly threshold: number;
  readonly questions: number;
  /** Share of all questions that count, those without an answer too. */
  readonly coverage: number;
  /** Share of the given answers that is right. */
  readonly accuracy: Estimate;
}

/** What `confidence` is worth. */
export interface ConfidenceCalibration {
  /** Answers with a confidence. */
  readonly questions: number;
  readonly right: number;
  readonly meanConfidence: number;
  readonly accuracy: Estimate;
  readonly bins: readonly ReliabilityBin[];
  /** Mean distance of confidence and accuracy over the bins, by their size; 0 is best. */
  readonly expectedCalibrationError: number;
  /** The largest distance of a bin. */
  readonly maximumCalibrationError: number;
  /** Mean squared distance of confidence and truth; 0 is best. */
  readonly brier: number;
  /** The Brier score of always saying the accuracy itself: below it, the confidence tells something. */
  readonly brierOfAccuracy: number;
  /**
   * How probable it is that a right answer has a higher confidence than a wrong one: 0.5 is chance, 1 is best. Undefined when all
   * are right or none is.
   */
  readonly ranking?: number | undefined;
  /** By falling threshold: one point for each confidence that occurs, at most 100. */
  readonly coverage: readonly CoveragePoint[];
}

/** One value of `sure`. */
export interface SureGroup {
  readonly questions: number;
  readonly right: number;
  /** Share of all questions that count. */
  readonly coverage: number;
  readonly accuracy: Estimate;
}

/** How far what a pipeline says of its own answers can be trusted; see {@link calibrate}. */
export interface Calibration {
  /** Questions that count: gold ran. */
  readonly questions: number;
  /** Of these, those with an answer. */
  readonly answered: number;
  /** Undefined when no answer has a confidence. */
  readonly confidence?: ConfidenceCalibration | undefined;
  /** Undefined when no answer says whether it is sure. */
  readonly sure?: { readonly sure: SureGroup; readonly unsure: SureGroup } | undefined;
}
