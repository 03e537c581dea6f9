import type { Calibration, ConfidenceCalibration } from '../../calibration/calibrate.ts';
import { count, percent, percentRange } from '../figures/format-numbers.ts';
import { calibrationSentences } from '../figures/run-notes.ts';
import { coverageTable, reliabilityTable, sureTable } from '../figures/run-tables.ts';
import { type Html, html, htmlTable } from './html.ts';
import { type PlotText, plot, round } from './interval-plot.ts';
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

const SIDE = 400;
const LEFT = 52;
const TOP = 12;
const SIZE = SIDE - LEFT - 26;
const BOTTOM = TOP + SIZE;

const x = (share: number): number => round(LEFT + share * SIZE);
const y = (share: number): number => round(BOTTOM - share * SIZE);

type Run = 'first' | 'second';

/**
 * Accuracy over confidence: on the diagonal a confidence of 80 % is right in 80 of 100 cases. The larger a dot, the
 * more answers.
 */
function reliabilityPlot(text: PlotText, { bins, questions }: ConfidenceCalibration, run: Run): Html {
  const dots = bins.map(({ questions: inside, confidence, accuracy }) => {
    if (confidence === undefined || accuracy === undefined) return html``;
    const radius = round(4 + 9 * Math.sqrt(inside / questions));
    return html`<path class="whisker" d="M${x(confidence)} ${y(accuracy.low)}V${y(accuracy.high)}"/>
<circle class="${run}" cx="${x(confidence)}" cy="${y(accuracy.value)}" r="${radius}"><title>${count(inside)} answers: confidence ${percent(confidence)}, right ${percent(accuracy.value)}, ${percentRange(accuracy)}</title></circle>
`;
  });
  const diagonal = html`<path class="axis dashed" d="M${x(0)} ${y(0)}L${x(1)} ${y(1)}"/>
`;
  return plot(text, SIDE, BOTTOM + 40, [...frame('confidence', 'right'), diagonal, ...dots], 'square');
}

/**
 * What is right of the answers that are given, as fewer are given: the more sure ones only to the left, all to the
 * right.
 */
function coveragePlot(text: PlotText, { coverage }: ConfidenceCalibration, run: Run): Html {
  const path = coverage.map(
    (point, index) => `${index === 0 ? 'M' : 'L'}${x(point.coverage)} ${y(point.accuracy.value)}`,
  );
  const upper = coverage.map((point) => `${x(point.coverage)} ${y(point.accuracy.high)}`);
  const lower = [...coverage].reverse().map((point) => `${x(point.coverage)} ${y(point.accuracy.low)}`);
  const dots =
    coverage.length > 25
      ? []
      : coverage.map(
          (
            point,
          ) => html`<circle class="${run}" cx="${x(point.coverage)}" cy="${y(point.accuracy.value)}" r="4"><title>confidence from ${point.threshold.toFixed(3)}: ${percent(point.coverage)} answered, ${percent(point.accuracy.value)} of them right</title></circle>
`,
        );
  return plot(
    text,
    SIDE,
    BOTTOM + 40,
    [
      ...frame('share of the questions that is answered', 'right of the answers'),
      html`<path class="band ${run}" d="M${[...upper, ...lower].join('L')}Z"/>
<path class="line ${run}" d="${path.join('')}"/>
`,
      ...dots,
    ],
    'square',
  );
}

function frame(across: string, up: string): readonly Html[] {
  const ticks = [0, 0.25, 0.5, 0.75, 1].map(
    (share) => html`<path class="grid" d="M${x(share)} ${y(0)}V${y(1)}M${x(0)} ${y(share)}H${x(1)}"/>
<text class="soft" x="${x(share)}" y="${BOTTOM + 16}" text-anchor="middle">${share * 100} %</text>
<text class="soft" x="${LEFT - 6}" y="${y(share) + 4}" text-anchor="end">${share * 100}</text>
`,
  );
  return [
    ...ticks,
    html`<path class="axis" d="M${x(0)} ${y(1)}V${y(0)}H${x(1)}"/>
<text x="${x(0.5)}" y="${BOTTOM + 34}" text-anchor="middle">${across}</text>
<text x="12" y="${y(0.5)}" text-anchor="middle" transform="rotate(-90 12 ${y(0.5)})">${up} (%)</text>
`,
  ];
}
