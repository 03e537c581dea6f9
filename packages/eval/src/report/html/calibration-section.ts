import type { Calibration } from '../../calibration/index.ts';
import { calibrationSentences } from '../calibration-verdict.ts';
import { coverageTable, reliabilityTable, sureTable } from '../run-tables.ts';
import { coveragePlot, reliabilityPlot } from './calibration-plots.ts';
import { type Html, html } from './html.ts';
import { htmlTable } from './html-table.ts';
import { beside, type Section } from './sections.ts';

interface CalibratedRun {
  /** Undefined where there is only one run. */
  readonly name?: string | undefined;
  readonly calibration: Calibration;
  readonly colour: 'first' | 'second';
}

/** Reliability and coverage of each run, every plot with its table. */
export function calibrationSection(runs: readonly CalibratedRun[], level: number): Section {
  return {
    id: 'confidence',
    title: 'Whether its confidence can be trusted',
    content: runs.flatMap((run) => partsOf(run, level)),
  };
}

function partsOf({ name, calibration, colour }: CalibratedRun, level: number): readonly (Html | undefined)[] {
  const { confidence, sure } = calibration;
  const sentences = calibrationSentences(calibration);
  const of = name === undefined ? '' : ` of ${name}`;
  return [
    name === undefined ? undefined : html`<h3><bdi>${name}</bdi></h3>\n`,
    html`${sentences.map((sentence) => html`<p>${sentence}</p>\n`)}`,
    confidence &&
      beside(
        html`<figure>${reliabilityPlot({ id: `reliability-${colour}`, title: `Reliability${of}`, description: `Accuracy over confidence for each bin of answers. ${sentences[0] ?? ''} The table says the same.` }, confidence, colour)}<figcaption>On the dashed line a confidence is as often right as it says. Below it, the pipeline trusts itself too much.</figcaption></figure>`,
        htmlTable(reliabilityTable(confidence, level)),
      ),
    confidence &&
      beside(
        html`<figure>${coveragePlot({ id: `coverage-${colour}`, title: `Accuracy at coverage${of}`, description: 'The share of given answers that is right, as the threshold of confidence falls and more questions are answered. The table says the same.' }, confidence, colour)}<figcaption>Answering only the more confident part of the questions (to the left) and all that were answered (to the right), with the interval as a band.</figcaption></figure>`,
        htmlTable(coverageTable(confidence, level)),
      ),
    sure && htmlTable(sureTable(sure, level)),
  ];
}
