import { type AnswerSignals, AskemaError, type ConfidenceTable, confidenceOf } from '@askema/core';
import type { EvaluationResult } from '../run/evaluation-result.ts';
import { fitLogistic } from '../statistics/fit-logistic.ts';
import { type Calibration, calibrate } from './calibrate.ts';

export interface FitConfidenceOptions {
  /** The flow that answered. */
  readonly flow: string;
  /** Share of the sure answers that has to be right. Default: 0.97. */
  readonly target?: number | undefined;
  /** `YYYY-MM-DD`. */
  readonly today: string;
}

/** A table, and what it is worth. */
export interface FittedConfidence {
  readonly table: ConfidenceTable;
  /** Share of the sure answers that had to be right. */
  readonly target: number;
  /**
   * Each answer by weights that were fitted on all the others, and by a threshold that these choose: what the table may
   * be expected to be worth on further questions of the same kind.
   */
  readonly leaveOneOut: Calibration;
}

/** Fewer answers tell nothing. */
const FEWEST = 50;
const TARGET = 0.97;

/**
 * Fits how the signals of answers go together with being right: a logistic regression with a penalty, so that a signal
 * that was seen seldom counts little. The threshold of `sure` is the lowest one above which `target` of the answers are
 * right, one right and one wrong answer added, so that a few answers prove nothing.
 *
 * @throws AskemaError `INPUT_INVALID` for answers of several models or of none, too few answers, and answers without
 * signals or without one wrong or one right.
 */
export function fitConfidence(results: readonly EvaluationResult[], options: FitConfidenceOptions): FittedConfidence {
  const { flow, target = TARGET, today } = options;
  const answered = results.filter(({ outcome, verdict }) => outcome === 'answered' && verdict !== 'goldFailed');
  const answers = answered.flatMap(({ signals, verdict, solvedBy }): Answer[] =>
    signals === undefined ? [] : [{ signals, isRight: verdict === 'right', solvedBy: solvedBy ?? '' }],
  );
  checkAnswers(answers, answered.length);
  const judged = answers.map((left): Judged => {
    const others = answers.filter((answer) => answer !== left);
    return { ...left, confidence: confidenceOf(fit(others), left.signals) };
  });
  const marks = new Map(
    judged.map((left) => {
      const { signals, confidence } = left;
      const sureFrom = thresholdOf(
        judged.filter((answer) => answer !== left),
        target,
      );
      return [signals, { confidence, sure: sureFrom !== null && confidence >= sureFrom }];
    }),
  );
  const marked = results.map((result) => ({
    ...result,
    ...(result.signals && (marks.get(result.signals) ?? { confidence: undefined, sure: undefined })),
  }));
  const table: ConfidenceTable = {
    schemaVersion: 1,
    model: answers[0]?.solvedBy ?? '',
    flow,
    fittedOn: today,
    questions: answers.length,
    right: answers.filter(({ isRight }) => isRight).length,
    ...fit(answers),
    sureFrom: thresholdOf(judged, target),
  };
  return { table, target, leaveOneOut: calibrate(marked) };
}

interface Answer {
  readonly signals: AnswerSignals;
  readonly isRight: boolean;
  readonly solvedBy: string;
}

/** With the confidence of a fit on all the others. */
interface Judged extends Answer {
  readonly confidence: number;
}

function fit(answers: readonly Answer[]): Pick<ConfidenceTable, 'intercept' | 'weights'> {
  const names = [...new Set(answers.flatMap(({ signals }) => Object.keys(signals)))].sort();
  const { intercept, weights } = fitLogistic(
    answers.map(({ signals }) => names.map((name) => signals[name] ?? 0)),
    answers.map(({ isRight }) => isRight),
  );
  return { intercept, weights: Object.fromEntries(names.map((name, at) => [name, weights[at] ?? 0])) };
}

/**
 * The lowest threshold that keeps the target; null where none does. Of confidences that each answer had no part in: a
 * fit is kinder to the answers that it was made of.
 */
function thresholdOf(judged: readonly Judged[], target: number): number | null {
  const ranked = judged.toSorted((a, b) => b.confidence - a.confidence);
  let threshold: number | null = null;
  let right = 0;
  for (const [at, { confidence, isRight }] of ranked.entries()) {
    right += Number(isRight);
    // Answers with the same signals come in together.
    if (ranked[at + 1]?.confidence === confidence) continue;
    if ((right + 1) / (at + 3) >= target) threshold = confidence;
  }
  return threshold;
}

function checkAnswers(answers: readonly Answer[], answered: number): void {
  const models = [...new Set(answers.map(({ solvedBy }) => solvedBy))].sort();
  const wrong = answers.filter(({ isRight }) => !isRight).length;
  const reason =
    answered > 0 && answers.length === 0
      ? 'The answers have no signals: they are those of another flow than `auto`, or of an older version.'
      : answers.length < FEWEST
        ? `There are ${answers.length} answers with signals; ${FEWEST} are the least that a table can be fitted on.`
        : models.length !== 1
          ? `The answers are of several models (${models.join(', ')}); a table is about one.`
          : wrong === 0 || wrong === answers.length
            ? `${wrong === 0 ? 'No answer is' : 'All answers are'} wrong, so nothing tells right ones from wrong ones. Take more questions.`
            : undefined;
  if (reason !== undefined) throw new AskemaError('INPUT_INVALID', reason);
}
