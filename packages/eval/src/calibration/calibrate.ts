import { checkWhole } from '@askema/core';
import type { EvaluationResult } from '../run/evaluation-result.ts';
import { DEFAULT_LEVEL, type Estimate, wilsonInterval } from '../statistics/wilson-interval.ts';

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
   * How probable it is that a right answer has a higher confidence than a wrong one: 0.5 is chance, 1 is best.
   * Undefined when all are right or none is.
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

const DEFAULT_BINS = 10;
const MOST_POINTS = 100;

interface Answer {
  readonly confidence: number;
  readonly right: boolean;
}

/**
 * Holds what the pipeline said of its answers, `confidence` and `sure`, against what they were. Only answers are looked
 * at; what was declined or failed without an answer has no confidence and lowers the coverage alone. Questions without
 * gold are left out. Source of the expected calibration error: C. Guo et al., On Calibration of Modern Neural Networks,
 * 2017, with bins of the same width.
 *
 * @throws AskemaError `CONFIG_INVALID` for options out of range.
 */
export function calibrate(results: Iterable<EvaluationResult>, options: CalibrateOptions = {}): Calibration {
  const { bins = DEFAULT_BINS, level = DEFAULT_LEVEL } = options;
  checkWhole('bins', bins, 1, 1000);
  const counted = [...results].filter((result) => result.verdict !== 'goldFailed');
  const answered = counted.filter((result) => result.outcome === 'answered');
  const answers = answered.flatMap(({ confidence, verdict }) =>
    confidence !== undefined && confidence >= 0 && confidence <= 1 ? { confidence, right: verdict === 'right' } : [],
  );
  const said = answered.filter((result) => result.sure !== undefined);
  const group = (sure: boolean): SureGroup =>
    sureGroup(
      said.filter((result) => result.sure === sure),
      counted.length,
      level,
    );
  return {
    questions: counted.length,
    answered: answered.length,
    confidence: answers.length === 0 ? undefined : confidenceOf(answers, counted.length, bins, level),
    sure: said.length === 0 ? undefined : { sure: group(true), unsure: group(false) },
  };
}

function confidenceOf(
  answers: readonly Answer[],
  counted: number,
  count: number,
  level: number,
): ConfidenceCalibration {
  const bins = binsOf(answers, count, level);
  const distances = bins.map((bin) => Math.abs((bin.confidence ?? 0) - (bin.accuracy?.value ?? 0)));
  const right = countRight(answers);
  const accuracy = wilsonInterval(right, answers.length, level);
  return {
    questions: answers.length,
    right,
    meanConfidence: mean(answers.map((answer) => answer.confidence)),
    accuracy,
    bins,
    expectedCalibrationError: bins.reduce(
      (sum, bin, index) => sum + ((distances[index] ?? 0) * bin.questions) / answers.length,
      0,
    ),
    maximumCalibrationError: Math.max(...distances),
    brier: mean(answers.map((answer) => (answer.confidence - Number(answer.right)) ** 2)),
    brierOfAccuracy: accuracy.value * (1 - accuracy.value),
    ranking: rankingOf(answers),
    coverage: coverageOf(answers, counted, level),
  };
}

function binsOf(answers: readonly Answer[], count: number, level: number): readonly ReliabilityBin[] {
  const members: Answer[][] = Array.from({ length: count }, () => []);
  for (const answer of answers) members[binAt(answer.confidence, count)]?.push(answer);
  return members.map((inside, index) => {
    const right = countRight(inside);
    return {
      from: index / count,
      to: (index + 1) / count,
      questions: inside.length,
      right,
      confidence: inside.length === 0 ? undefined : mean(inside.map((answer) => answer.confidence)),
      accuracy: inside.length === 0 ? undefined : wilsonInterval(right, inside.length, level),
    };
  });
}

/** Which bin holds the confidence; by its bounds, because the product alone is off by one at some of them. */
function binAt(confidence: number, count: number): number {
  const near = Math.floor(confidence * count);
  if ((near + 1) / count <= confidence) return Math.min(count - 1, near + 1);
  return Math.min(count - 1, near / count > confidence ? near - 1 : near);
}

/** The area under the ROC curve by ranks, where answers of the same confidence share theirs. */
function rankingOf(answers: readonly Answer[]): number | undefined {
  const right = countRight(answers);
  const wrong = answers.length - right;
  if (right === 0 || wrong === 0) return undefined;
  let wins = 0;
  let wrongBelow = 0;
  for (const tied of groupsOfSameConfidence(answers).reverse()) {
    const rightHere = countRight(tied);
    const wrongHere = tied.length - rightHere;
    wins += rightHere * (wrongBelow + wrongHere / 2);
    wrongBelow += wrongHere;
  }
  return wins / (right * wrong);
}

/** No threshold parts answers of the same confidence, so that they come in together. */
function coverageOf(answers: readonly Answer[], counted: number, level: number): readonly CoveragePoint[] {
  let questions = 0;
  let right = 0;
  const points = groupsOfSameConfidence(answers).map((tied): CoveragePoint => {
    questions += tied.length;
    right += countRight(tied);
    return {
      threshold: tied[0]?.confidence ?? 0,
      questions,
      coverage: questions / counted,
      accuracy: wilsonInterval(right, questions, level),
    };
  });
  if (points.length <= MOST_POINTS) return points;
  // The first and the last stay; the others are spread evenly.
  const step = (points.length - 1) / (MOST_POINTS - 1);
  return Array.from({ length: MOST_POINTS }, (_, index) => points[Math.round(index * step)]).filter(
    (point) => point !== undefined,
  );
}

/** From the highest confidence to the lowest. */
function groupsOfSameConfidence(answers: readonly Answer[]): Answer[][] {
  const groups: Answer[][] = [];
  for (const answer of [...answers].sort((a, b) => b.confidence - a.confidence)) {
    const last = groups.at(-1);
    if (last?.[0]?.confidence === answer.confidence) last.push(answer);
    else groups.push([answer]);
  }
  return groups;
}

function sureGroup(results: readonly EvaluationResult[], counted: number, level: number): SureGroup {
  const right = results.filter((result) => result.verdict === 'right').length;
  return {
    questions: results.length,
    right,
    coverage: results.length / counted,
    accuracy: wilsonInterval(right, results.length, level),
  };
}

function countRight(answers: readonly Answer[]): number {
  return answers.filter((answer) => answer.right).length;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
