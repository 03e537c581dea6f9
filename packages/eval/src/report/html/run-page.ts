import { calibrate } from '../../calibration/calibrate.ts';
import type { StoredRun } from '../../compare/read-run.ts';
import type { Verdict } from '../../run/evaluation-result.ts';
import { DEFAULT_LEVEL } from '../../statistics/wilson-interval.ts';
import { count, counted, duration, instant, percent, percentRange, usd } from '../figures/format-numbers.ts';
import type { ReportOptions } from '../figures/report-options.ts';
import { figuresOf, type GroupFigures, type RunFigures } from '../figures/run-figures.ts';
import { accuracySentence, runNotes, titleOf } from '../figures/run-notes.ts';
import * as table from '../figures/run-tables.ts';
import { calibrationSection } from './calibration-section.ts';
import { type Html, html, htmlTable } from './html.ts';
import { intervalPlot, plot, round } from './interval-plot.ts';
import { questionList } from './question-list.ts';
import {
  beside,
  cards,
  identityTable,
  methodSection,
  notes,
  type PageContent,
  problemSection,
  type Section,
} from './sections.ts';

/** The page of one run. */
export function runPage(stored: StoredRun, options: ReportOptions): PageContent {
  const level = options.level ?? DEFAULT_LEVEL;
  const figures = figuresOf(stored.results, options);
  const misses = stored.results.filter((result) => result.verdict !== 'right');
  return {
    title: options.title ?? `${stored.run.dataset.name}: ${titleOf(stored)}`,
    subtitle: `Evaluation of ${instant(stored.run.startedAt)}, dataset ${stored.run.dataset.name}`,
    summary: headline(stored, figures),
    sections: [
      whereItFails(figures, level),
      whatItCost(figures, level),
      calibrationSection([{ calibration: calibrate(stored.results, { level }), colour: 'second' }], level),
      {
        id: 'misses',
        title: `Misses (${count(misses.length)})`,
        content: [questionList(misses.map((result) => ({ state: result.verdict, sides: [{ result }] })))],
      },
      problemSection([stored]),
      methodSection([identityTable(stored)], level, 'those of other measures come from resampling the questions.'),
    ].filter((part) => part !== undefined),
  };
}

function headline(stored: StoredRun, figures: RunFigures): Html {
  const { total, answered } = figures;
  const { counts } = total;
  return html`<p class="headline"><strong>${total.counted === 0 ? '-' : percent(total.accuracy.value)}</strong> <span class="lead">${accuracySentence(figures)}</span></p>
${verdictBar('verdicts', total)}${cards([
  [
    'right when it answers',
    answered.questions === 0 ? '-' : percent(answered.value),
    answered.questions === 0 ? undefined : `${percentRange(answered)}, ${counted(answered.questions, 'answer')}`,
  ],
  ...(figures.validSql === undefined
    ? []
    : [['SQL that runs', percent(figures.validSql.value), counted(figures.validSql.statements, 'statement')] as const]),
  ...spendingCards(figures),
  ['time per question', duration(figures.p50Ms), `p95 ${duration(figures.p95Ms)}`],
  ...(counts.goldFailed === 0 ? [] : [['gold failed', count(counts.goldFailed), 'not counted'] as const]),
])}${notes(runNotes(stored, figures))}`;
}

type Card = Parameters<typeof cards>[0][number];

function spendingCards({ calls, usage, costUsd, costPerRightUsd }: RunFigures): readonly Card[] {
  if (calls === 0) return [['model calls', '0', 'no tokens, no cost']];
  const { inputTokens, outputTokens } = usage;
  const isKnown = inputTokens !== undefined || outputTokens !== undefined;
  const each = costPerRightUsd === undefined ? undefined : `${usd(costPerRightUsd)} per right answer`;
  return [
    ['cost', costUsd === undefined ? 'no prices' : usd(costUsd), each],
    ['tokens', isKnown ? count((inputTokens ?? 0) + (outputTokens ?? 0)) : 'unknown', counted(calls, 'model call')],
  ];
}

function whereItFails(figures: RunFigures, level: number): Section {
  const { byDifficulty, byCategory, byDatabase, total } = figures;
  return {
    id: 'groups',
    title: 'Where it fails',
    content: [
      groupFigure('difficulty', [total, ...byDifficulty], level),
      byCategory.length > 1 ? groupFigure('category', byCategory, level) : undefined,
      htmlTable(table.reasonTable(figures)),
      byDatabase.length > 1 ? htmlTable(table.databaseTable(byDatabase, level)) : undefined,
    ],
  };
}

/** More groups than this are in the table alone. */
const MOST_BARS = 40;

function groupFigure(by: string, groups: readonly GroupFigures[], level: number): Html {
  const drawn = groups.filter((group) => group.counted > 0).slice(0, MOST_BARS);
  const rows = drawn.map(({ name, counts, counted: all, accuracy }) => ({
    name,
    note: `${count(counts.right)} of ${count(all)}`,
    bars: [{ run: 'second' as const, estimate: accuracy }],
  }));
  const said = drawn.slice(0, 12).map(({ name, accuracy }) => `${name} ${percent(accuracy.value)}`);
  const text = {
    id: `by-${by}`,
    title: `Accuracy by ${by}`,
    description: `Bars with ${table.levelTitle(level)}s: ${said.join(', ')}. The table says the same.`,
  };
  return html`<h3>By ${by}</h3>
<figure>${intervalPlot(text, rows)}</figure>
${htmlTable(table.groupTable(`Accuracy by ${by}`, by, groups, level))}`;
}

function whatItCost(figures: RunFigures, level: number): Section {
  return {
    id: 'cost',
    title: 'What it cost',
    content: [
      beside(htmlTable(table.spendingTable(figures)), htmlTable(table.latencyTable(figures))),
      htmlTable(table.metricTable(figures, level)),
    ],
  };
}

const SHOWN: readonly Exclude<Verdict, 'goldFailed'>[] = ['right', 'wrong', 'declined', 'failed'];
const WIDTH = 720;
const HEIGHT = 26;

/** All counted questions as one bar, split by verdict, and its key. */
function verdictBar(id: string, { counts, counted: all }: GroupFigures): Html | undefined {
  if (all === 0) return undefined;
  let from = 0;
  const parts = SHOWN.filter((verdict) => counts[verdict] > 0).map((verdict) => {
    const width = (counts[verdict] / all) * WIDTH;
    const part = html`<rect class="${verdict}" x="${round(from)}" y="0" width="${round(Math.max(1, width - 2))}" height="${HEIGHT}"><title>${verdict}: ${count(counts[verdict])}</title></rect>
`;
    from += width;
    return part;
  });
  const said = SHOWN.map((verdict) => `${count(counts[verdict])} ${verdict} (${percent(counts[verdict] / all)})`);
  const key = SHOWN.map(
    (verdict, index) => html`<li><i class="${verdict}"></i>${said[index]}</li>
`,
  );
  const text = { id, title: 'Verdicts', description: `Of ${counted(all, 'question')}: ${said.join(', ')}.` };
  return html`<figure>${plot(text, WIDTH, HEIGHT, parts)}<figcaption><ul class="key">
${key}</ul></figcaption></figure>
`;
}
