import type { Calibration } from '../calibration/index.ts';
import { counted, decimal, percent } from './format-numbers.ts';

/** What the confidence is worth, a sentence each; a hint where there is none. */
export function calibrationSentences({ confidence, sure, answered }: Calibration): readonly string[] {
  if (answered === 0) return ['Nothing was answered, so that there is no confidence to be held against the truth.'];
  const sentences: string[] = [];
  if (confidence === undefined) sentences.push('No answer of this run has a confidence.');
  else {
    const { meanConfidence, accuracy, expectedCalibrationError, brier, brierOfAccuracy, ranking } = confidence;
    const gap = meanConfidence - accuracy.value;
    const stance =
      Math.abs(gap) < 0.05
        ? 'about as high as the accuracy'
        : gap > 0
          ? 'higher than the accuracy: the pipeline trusts itself too much'
          : 'lower than the accuracy: the pipeline trusts itself too little';
    sentences.push(
      `Over ${counted(confidence.questions, 'answer')} the mean confidence is ${percent(meanConfidence)}, ${stance} (${percent(accuracy.value)}).`,
      `The expected calibration error is ${decimal(expectedCalibrationError)}; the Brier score is ${decimal(brier)}, against ${decimal(brierOfAccuracy)} for always saying the accuracy.`,
    );
    if (ranking !== undefined)
      sentences.push(
        `A right answer has a higher confidence than a wrong one with a probability of ${decimal(ranking)}; 0.5 would be chance.`,
      );
  }
  if (sure !== undefined && sure.sure.questions > 0) {
    const others = sure.unsure.questions > 0 ? `, of the others ${percent(sure.unsure.accuracy.value)}` : '';
    sentences.push(
      `Of the ${counted(sure.sure.questions, 'answer')} that a check confirmed, ${percent(sure.sure.accuracy.value)} are right${others}.`,
    );
  }
  return sentences;
}
