import type { ConfidenceCalibration } from '../../calibration/index.ts';
import { count, percent, percentRange } from '../format-numbers.ts';
import { type Html, html } from './html.ts';
import { type PlotText, plot, round } from './interval-plot.ts';

const SIDE = 400;
const LEFT = 52;
const TOP = 12;
const SIZE = SIDE - LEFT - 26;
const BOTTOM = TOP + SIZE;

const x = (share: number): number => round(LEFT + share * SIZE);
const y = (share: number): number => round(BOTTOM - share * SIZE);

type Run = 'first' | 'second';

/** Accuracy over confidence: on the diagonal a confidence of 80 % is right in 80 of 100 cases. The larger a dot, the more answers. */
export function reliabilityPlot(text: PlotText, { bins, questions }: ConfidenceCalibration, run: Run): Html {
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

/** What is right of the answers that are given, as fewer are given: the more sure ones only to the left, all to the right. */
export function coveragePlot(text: PlotText, { coverage }: ConfidenceCalibration, run: Run): Html {
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
