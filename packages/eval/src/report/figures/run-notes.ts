import type { Calibration } from '../../calibration/calibrate.ts';
import type { StoredRun } from '../../compare/read-run.ts';
import type { EvaluationResult } from '../../run/evaluation-result.ts';
import { count, counted, decimal, instant, percent, percentRange, usd } from './format-numbers.ts';
import { officialSentences } from './official-figure.ts';
import type { RunFigures } from './run-figures.ts';
import { levelTitle } from './run-tables.ts';

/** What a run is called: model and flow where its configuration names them, else the name of its folder. */
export function titleOf({ run, name }: StoredRun): string {
  const { model, flow } = run.configuration;
  const parts = [model, flow].filter((part): part is string => typeof part === 'string' && part !== '');
  return parts.length === 0 ? name : parts.join(', ');
}

/** The main figure in a sentence. */
export function accuracySentence({ total }: RunFigures): string {
  if (total.counted === 0) return 'No question counts yet.';
  const { accuracy, counts, counted: all } = total;
  return `${count(counts.right)} of ${counted(all, 'question')} are right: ${percent(accuracy.value)}, ${levelTitle(accuracy.level)} ${percentRange(accuracy)}.`;
}

/** What a reader should know of the run before its figures. */
export function runNotes({ summary, unreadable, run, results }: StoredRun, figures: RunFigures): readonly string[] {
  const notes: string[] = [];
  const say = (amount: number, noun: string, rest: string): void => {
    if (amount > 0) notes.push(`${counted(amount, noun)} ${rest}`);
  };
  if (summary === undefined)
    notes.push('The run has not ended yet, or was killed: the figures are of what is finished.');
  else {
    notes.push(...officialSentences(summary));
    say(summary.unfinished, 'question', 'not asked: the run was stopped, and the same command goes on.');
  }
  if (summary?.stopped === 'budget') notes.push(`It ended at its budget of ${usd(summary.budgetUsd)}.`);
  say(figures.total.counts.goldFailed, 'question', 'not counted, because no gold of theirs ran.');
  say(
    results.filter((result) => result.goldDrift !== undefined).length,
    'question',
    'whose gold gave other results than before.',
  );
  say(summary?.problems.length ?? 0, 'row', 'of the dataset that cannot be used.');
  say(unreadable.length, 'line', 'of results.jsonl that cannot be read, and are counted nowhere.');
  say(figures.unpriced, 'question', 'with model calls whose cost is not known.');
  say(
    run.replaced?.length ?? 0,
    'time',
    'its configuration was changed by force: not all results are of the last one.',
  );
  if (results.length === 0) notes.push('There is no result yet.');
  return notes;
}

export function driftSentence({ since }: NonNullable<EvaluationResult['goldDrift']>): string {
  return `gold gave a different result than in ${since === 'baseline' ? 'the baseline run' : 'an earlier attempt'}`;
}

/** Dataset, dates and ids, in pairs of name and value; then the configuration. */
export function identityOf({ run, results, name }: StoredRun): readonly (readonly [string, string])[] {
  const finished =
    results
      .map((result) => result.finishedAt)
      .sort()
      .at(-1) ?? '';
  const text = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
  return [
    ['dataset', run.dataset.name],
    ['started', instant(run.startedAt)],
    ...(finished === '' ? [] : [['last result', instant(finished)] as const]),
    ...Object.entries(run.configuration).map(([key, value]) => [key, text(value)] as const),
    ...Object.entries(run.versions ?? {}).map(([key, value]) => [`version of ${key}`, text(value)] as const),
    ['folder', name],
    ['run', run.runId],
    ['fingerprint of the questions', run.dataset.fingerprint],
  ];
}

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
