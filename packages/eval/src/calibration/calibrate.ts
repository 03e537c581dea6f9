import { AskemaError } from '@askema/core';
import type { EvaluationResult } from '../run/evaluation-options.ts';
import { DEFAULT_LEVEL, wilsonInterval } from '../statistics/index.ts';
import type {
  CalibrateOptions,
  Calibration,
  ConfidenceCalibration,
  CoveragePoint,
  ReliabilityBin,
  SureGroup,
} from './calibration.ts';

const DEFAULT_BINS = 10;
const MOST_POINTS = 100;

interface Answer {
  readonly confidence: number;
  readonly right: boolean;
}

/**
 * Holds what the pipeline said of its answers, `confidence` and `sure`, against what they were. Only answers are looked at; what was
 * declined or failed without an answer has no confidence and lowers the coverage alone. Questions without gold are left out.
 * Source of the expected calibration error: C. Guo et al., On Calibration of Modern Neural Networks, 2017, with bins of the same width.
 *
 * @throws AskemaError `INPUT_INVALID` for options out of range.
 */
export function calibrate(results: Iterable<EvaluationResult>, options: CalibrateOptions = {}): Calibration {
  const { bins = DEFAULT_BINS, level = DEFAULT_LEVEL } = options;
  if (!(Number.isInteger(bins) && bins > 0 && bins <= 1000))
    throw new AskemaError('INPUT_INVALID', `\`bins\` is ${bins}; it must be a whole number from 1 to 1,000.`);
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
