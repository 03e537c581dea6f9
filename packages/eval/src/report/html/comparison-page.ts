import { calibrate } from '../../calibration/calibrate.ts';
import { compareRuns } from '../../compare/compare-runs.ts';
import type { StoredRun } from '../../compare/read-run.ts';
import type { PairedGroup, RunComparison } from '../../compare/run-comparison.ts';
import type { EvaluationResult } from '../../run/evaluation-result.ts';
import * as table from '../figures/comparison-tables.ts';
import { differenceRange } from '../figures/comparison-tables.ts';
import { headlineOf, significanceOf } from '../figures/comparison-verdict.ts';
import {
  count,
  counted,
  duration,
  percent,
  percentRange,
  points,
  pointsRange,
  pValue,
  usd,
} from '../figures/format-numbers.ts';
import type { ReportOptions } from '../figures/report-options.ts';
import { figuresOf, type RunFigures } from '../figures/run-figures.ts';
import { runNotes, titleOf } from '../figures/run-notes.ts';
import { groupTable, levelTitle } from '../figures/run-tables.ts';
import { visibleLine } from '../figures/visible-text.ts';
import { calibrationSection } from './calibration-section.ts';
import { type Html, html, htmlTable } from './html.ts';
import { intervalPlot, type PlotText, plot, round, shortened, whisker } from './interval-plot.ts';
import { type ListedQuestion, questionList } from './question-list.ts';
import {
  cards,
  identityTable,
  methodSection,
  notes,
  type PageContent,
  problemSection,
  runKey,
  type Section,
} from './sections.ts';

/** The page of two runs: what changed, and each by itself. */
export function comparisonPage(a: StoredRun, b: StoredRun, options: ReportOptions): PageContent {
  const comparison = compareRuns(a, b, options);
  const names = table.sideNames(comparison);
  const { level, resampleBy } = comparison.options;
  const sides = [figuresOf(a.results, options), figuresOf(b.results, options)] as const;
  const listed = listedQuestions(comparison, a, b, names);
  return {
    title: options.title ?? `${names.b} against ${names.a}`,
    subtitle: `${b.run.dataset.name}: ${titleOf(b)}, held against ${titleOf(a)}`,
    summary: headline(comparison, names),
    sections: [
      groupSection(comparison, names),
      changeSection(comparison),
      aloneSection([a, b], sides, names, level),
      calibrationSection(
        [
          { name: names.a, calibration: calibrate(a.results, { level }), colour: 'first' },
          { name: names.b, calibration: calibrate(b.results, { level }), colour: 'second' },
        ],
        level,
      ),
      {
        id: 'misses',
        title: `Questions that changed sides or were missed (${count(listed.length)})`,
        content: [questionList(listed)],
      },
      problemSection([a, b]),
      methodSection(
        [htmlTable(table.configurationTable(comparison)), identityTable(a), identityTable(b)],
        level,
        `those of differences come from ${count(comparison.options.resamples)} resamples of the pairs, by ${resampleBy}, seed ${comparison.options.seed}. p is that of the exact McNemar test, two-sided; after Holm it is corrected for the number of groups in its table.`,
      ),
    ].filter((part) => part !== undefined),
  };
}

interface Names {
  readonly a: string;
  readonly b: string;
}

function headline(comparison: RunComparison, names: Names): Html {
  const { total, options, gained, lost } = comparison;
  const nothing = total.questions === 0;
  const all = intervalPlot(
    {
      id: 'accuracy',
      title: 'Accuracy of both runs',
      description: `${names.a}: ${percent(total.accuracyA.value)}, ${percentRange(total.accuracyA)}. ${names.b}: ${percent(total.accuracyB.value)}, ${percentRange(total.accuracyB)}.`,
    },
    [
      { name: names.a, note: percent(total.accuracyA.value), bars: [{ run: 'first', estimate: total.accuracyA }] },
      { name: names.b, note: percent(total.accuracyB.value), bars: [{ run: 'second', estimate: total.accuracyB }] },
    ],
  );
  return html`<p class="headline"><strong>${nothing ? '-' : points(total.difference.value)}</strong> <span>points</span> <span class="lead">${headlineOf(comparison)}</span></p>
<p>${significanceOf(comparison)}</p>
${nothing ? undefined : html`<figure>${all}</figure>\n`}${cards([
  ['questions of both', count(total.questions)],
  ['gained', count(gained.length), `right in the second only`],
  ['lost', count(lost.length), `right in the first only`],
  [
    'difference',
    nothing ? '-' : `${points(total.difference.value)} points`,
    nothing
      ? undefined
      : `${levelTitle(options.level)} ${total.gained + total.lost === 0 ? 'without width' : pointsRange(total.difference)}`,
  ],
  ['exact McNemar p', pValue(total.pValue)],
])}${notes(comparison.remarks)}${nothing ? undefined : htmlTable(table.sideTable(comparison))}`;
}

/** More groups than this are in the table alone. */
const MOST_BARS = 40;

function groupSection(comparison: RunComparison, names: Names): Section {
  const part = (by: string, groups: readonly PairedGroup[]): readonly Html[] => {
    const drawn = groups.slice(0, MOST_BARS);
    const said = drawn.slice(0, 12).map((group) => `${group.name} ${points(group.difference.value)}`);
    const text = {
      id: `differences-${by}`,
      title: `Difference in points by ${by}`,
      description: `Dots with intervals around zero; to the right the second run is ahead. ${said.join(', ')}. The table says the same.`,
    };
    const bars = drawn.map(({ name, questions, accuracyA, accuracyB }) => ({
      name,
      note: counted(questions, 'question'),
      bars: [
        { run: 'first' as const, estimate: accuracyA },
        { run: 'second' as const, estimate: accuracyB },
      ],
    }));
    const sides = {
      id: `both-${by}`,
      title: `Accuracy of both runs by ${by}`,
      description: `Two bars for each ${by}, the first run above. The table says the same.`,
    };
    return [
      html`<h3>By ${by}</h3>
<figure>${differencePlot(text, drawn)}<figcaption>Difference in points; left of the line the first run is ahead, right of it the second.</figcaption></figure>
<figure>${runKey(names.a, names.b)}${intervalPlot(sides, bars)}</figure>
`,
      html`${htmlTable(table.pairedGroupTable(`Both runs by ${by}`, by, groups, comparison))}`,
    ];
  };
  const { byDifficulty, byCategory } = comparison;
  return {
    id: 'groups',
    title: 'Where they differ',
    content: [
      ...(byDifficulty.length > 0 ? part('difficulty', byDifficulty) : []),
      ...(byCategory.length > 1 ? part('category', byCategory) : []),
    ],
  };
}

function changeSection(comparison: RunComparison): Section {
  return {
    id: 'change',
    title: 'What changed',
    content: [
      htmlTable(table.verdictTable(comparison)),
      htmlTable(table.costTable(comparison)),
      htmlTable(table.pairedMetricTable(comparison, comparison.metrics)),
    ],
  };
}

/** Each run over all of its own questions, also those that the other was not asked. */
function aloneSection(
  runs: readonly [StoredRun, StoredRun],
  figures: readonly [RunFigures, RunFigures],
  names: Names,
  level: number,
): Section {
  const totals = [
    { ...figures[0].total, name: names.a },
    { ...figures[1].total, name: names.b },
  ];
  const rows = figures.map((each, index) => [
    index === 0 ? names.a : names.b,
    count(each.calls),
    each.usage.inputTokens === undefined ? '-' : count(each.usage.inputTokens),
    each.usage.outputTokens === undefined ? '-' : count(each.usage.outputTokens),
    usd(each.costUsd),
    usd(each.costPerRightUsd),
    duration(each.p50Ms),
    duration(each.p95Ms),
  ]);
  const remarks = runs.flatMap((stored, index) =>
    runNotes(stored, figures[index] ?? figures[0]).map((note) => `${index === 0 ? names.a : names.b}: ${note}`),
  );
  return {
    id: 'alone',
    title: 'Each run by itself',
    content: [
      htmlTable(groupTable('All questions of each run', 'run', totals, level)),
      htmlTable({
        caption: 'What each run cost',
        columns: ['run', 'model calls', 'tokens in', 'tokens out', 'cost', 'per right answer', 'p50', 'p95'],
        rows,
      }),
      notes(remarks),
    ],
  };
}

/** Lost first, then gained, missed by both, and what one run missed that the other was not asked. */
function listedQuestions(
  comparison: RunComparison,
  a: StoredRun,
  b: StoredRun,
  names: Names,
): readonly ListedQuestion[] {
  const inA = new Map(a.results.map((result) => [result.id, result]));
  const inB = new Map(b.results.map((result) => [result.id, result]));
  const changed = new Map<string, string>([
    ...comparison.lost.map(({ id }) => [id, 'lost'] as const),
    ...comparison.gained.map(({ id }) => [id, 'gained'] as const),
  ]);
  const isMiss = (result: EvaluationResult | undefined): boolean => result !== undefined && result.verdict !== 'right';
  const stateOf = (id: string): string => changed.get(id) ?? (inA.has(id) && inB.has(id) ? 'missed' : 'only');
  const ids = [...new Set([...inB.keys(), ...inA.keys()])].filter((id) => isMiss(inA.get(id)) || isMiss(inB.get(id)));
  const order = ['lost', 'gained', 'missed', 'only'];
  return ids
    .map((id): ListedQuestion => {
      const first = inA.get(id);
      const second = inB.get(id);
      return {
        state: stateOf(id),
        sides: [
          ...(first === undefined ? [] : [{ name: names.a, result: first }]),
          ...(second === undefined ? [] : [{ name: names.b, result: second }]),
        ],
      };
    })
    .sort((left, right) => order.indexOf(left.state) - order.indexOf(right.state));
}

const WIDTH = 720;
const LEFT = 190;
const RIGHT = 90;
const TOP = 24;
const ROW = 24;

/** Differences in points around zero: a dot with its interval for each group. What lies left of the line was lost. */
function differencePlot(text: PlotText, groups: readonly PairedGroup[]): Html {
  const ends = groups.flatMap(({ difference }) => [difference.low, difference.high]).filter(Number.isFinite);
  // Symmetric and in steps of ten points, so that both directions are drawn to the same scale.
  const reach = Math.min(1, Math.max(0.1, Math.ceil(Math.max(0, ...ends.map(Math.abs)) * 10) / 10));
  const at = (value: number): number => round(LEFT + ((value + reach) / (2 * reach)) * (WIDTH - LEFT - RIGHT));
  const bottom = TOP + groups.length * ROW;
  const ticks = [-1, -0.5, 0, 0.5, 1].map(
    (
      share,
    ) => html`<path class="${share === 0 ? 'axis' : 'grid'}" d="M${at(share * reach)} ${TOP - 6}V${bottom}"/><text class="soft" x="${at(share * reach)}" y="12" text-anchor="middle">${points(share * reach)}</text>
`,
  );
  const rows = groups.map((group, index) => {
    const { value, low, high } = group.difference;
    const middle = TOP + index * ROW + ROW / 2;
    const interval = group.gained + group.lost === 0 ? undefined : whisker(at(low), at(high), middle);
    return html`<text x="${LEFT - 10}" y="${middle + 4}" text-anchor="end">${shortened(group.name, 26)}</text>
${interval}<circle class="second" cx="${at(value)}" cy="${middle}" r="5"><title>${visibleLine(group.name)}: ${points(value)} points, ${differenceRange(group)}</title></circle>
<text class="soft" x="${WIDTH - RIGHT + 10}" y="${middle + 4}">${points(value)}</text>
`;
  });
  return plot(text, WIDTH, bottom + 6, [...ticks, ...rows]);
}
