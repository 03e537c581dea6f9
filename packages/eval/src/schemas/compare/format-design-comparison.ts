import {
  type ComparedSides,
  configurationTable,
  costTable,
  pairedMetricTable,
  sideNames,
} from '../../report/figures/comparison-tables.ts';
import { count, percent, points, pointsRange } from '../../report/figures/format-numbers.ts';
import { levelTitle, type Table } from '../../report/figures/run-tables.ts';
import { type Block, heading, list, paragraph, tables, writeMarkdown, writeText } from '../../report/text/document.ts';
import { METRIC_TITLES } from '../format-design-summary.ts';
import type { SchemaMetric } from '../schema-score.ts';
import type { DesignComparison, Distribution } from './design-comparison.ts';

/** What the judge's figures are called in a table. */
const JUDGE_TITLES: Readonly<Record<string, string>> = {
  judge: 'judge',
  'judge.functionalCoverage': 'judge, functional coverage',
  'judge.normalization': 'judge, normalization',
  'judge.integrity': 'judge, integrity',
};

/** A comparison of designs for a terminal (`text`, without colours) or as Markdown. Default: `text`. */
export function formatDesignComparison(comparison: DesignComparison, format: 'text' | 'markdown' = 'text'): string {
  const { a, b } = sideNames(comparison);
  const blocks: readonly Block[] = [
    heading(1, `${b} against ${a}`),
    paragraph(headlineOf(comparison)),
    ...list(comparison.remarks),
    ...tables(
      ...comparison.scorers.map(({ scorer, metrics, requirements, same }) =>
        pairedMetricTable(
          comparison,
          metrics.map((metric) => ({ ...metric, id: titleOf(metric.id) })),
          `By ${scorer}; the same scores on ${count(same)} of ${count(requirements)}`,
        ),
      ),
      judgeTable(comparison),
      sizeTable(comparison),
      errorTable(comparison),
      distributionTable(comparison),
      roleTable(comparison),
      costTable(comparison, 'requirement'),
      configurationTable(comparison),
    ),
  ];
  return format === 'markdown' ? writeMarkdown(blocks) : writeText(blocks);
}

function titleOf(id: string): string {
  return METRIC_TITLES[id as SchemaMetric] ?? JUDGE_TITLES[id] ?? id;
}

/** Below it, the interval of a bootstrap is too narrow. */
const FEWEST = 10;

/** Who is ahead by the first figure of the first scorer, and whether that is more than chance. */
function headlineOf(comparison: DesignComparison): string {
  const { scorers, requirements, options } = comparison;
  const { a, b } = sideNames(comparison);
  const metric = scorers[0]?.metrics[0];
  if (metric === undefined) return `${count(requirements)} requirements of both.`;
  const { low, high, value } = metric.difference;
  const verdict =
    metric.questions < FEWEST
      ? 'So few requirements cannot tell a lead from chance.'
      : low > 0 || high < 0
        ? 'That is more than chance explains.'
        : 'That may be chance: the interval does not leave 0 out.';
  return `${titleOf(metric.id)} (${scorers[0]?.scorer}) is ${percent(metric.meanA)} in ${a} and ${percent(metric.meanB)} in ${b}, over ${count(metric.questions)} requirements of both: ${points(value)} points, ${levelTitle(options.level)} ${pointsRange(metric.difference)}. ${verdict}`;
}

function judgeTable(comparison: DesignComparison): Table {
  const { a, b } = sideNames(comparison);
  const signed = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(2)}`;
  return {
    caption: 'By the judge, from 1 to 10',
    columns: ['', 'paired', a, b, 'difference', levelTitle(comparison.options.level)],
    rows: comparison.judge.map(({ id, questions, meanA, meanB, difference }) => [
      titleOf(id),
      count(questions),
      meanA.toFixed(2),
      meanB.toFixed(2),
      signed(difference.value),
      `${signed(difference.low)} to ${signed(difference.high)}`,
    ]),
  };
}

/** Table F1 and accuracy by the number of gold tables (SchemaAgent, Figure 7). */
function sizeTable(comparison: DesignComparison): Table {
  const { a, b } = sideNames(comparison);
  const level = levelTitle(comparison.options.level);
  const rows = comparison.bySize.flatMap(({ tables: size, metrics }) =>
    metrics.flatMap(({ id, questions, meanA, meanB, difference }) =>
      id === 'tableF1' || id === 'tableAccuracy'
        ? [
            [
              String(size),
              titleOf(id),
              count(questions),
              percent(meanA),
              percent(meanB),
              points(difference.value),
              pointsRange(difference),
            ],
          ]
        : [],
    ),
  );
  return {
    caption: `By the number of gold tables (${comparison.scorers[0]?.scorer ?? 'no scorer'})`,
    columns: ['gold tables', 'measure', 'paired', a, b, 'difference in points', level],
    rows,
    words: [1],
  };
}

/** What roles sent back, by the number of gold tables (SchemaAgent, Figure 7); none where no run has chats. */
function errorTable(comparison: DesignComparison): Table {
  const { a, b } = sideNames(comparison);
  const hasChats = comparison.bySize.some(({ feedbackA, feedbackB }) => feedbackA.chats + feedbackB.chats > 0);
  const rows = comparison.bySize.flatMap(({ tables: size, feedbackA, feedbackB }) =>
    [
      { name: a, feedback: feedbackA },
      { name: b, feedback: feedbackB },
    ].map(({ name, feedback }) => [
      String(size),
      name,
      count(feedback.chats),
      count(feedback.withFeedback),
      count(feedback.conceptualErrors),
      count(feedback.otherErrors),
    ]),
  );
  return {
    caption: 'What roles sent back, by the number of gold tables',
    columns: ['gold tables', 'run', 'chats', 'with feedback', 'conceptual errors', 'other errors'],
    rows: hasChats ? rows : [],
    words: [1],
  };
}

/** How scores lie in each run (SchemaAgent, Figure 9). */
function distributionTable(comparison: DesignComparison): Table {
  const { a, b } = sideNames(comparison);
  const rows = comparison.distributions.flatMap(({ what, a: first, b: second }) => {
    const write = (value: number): string => (what.startsWith('judge') ? value.toFixed(1) : percent(value));
    return [
      { name: a, side: first },
      { name: b, side: second },
    ].map(({ name, side }) => [
      titleOf(what),
      name,
      ...[side.least, side.quarter, side.median, side.threeQuarters, side.most].map(write),
      bars(side),
    ]);
  });
  return {
    caption: 'How scores lie, and how many requirements are in each tenth of the scale, from low to high',
    columns: ['', 'run', 'least', 'quarter', 'median', 'three quarters', 'most', 'tenths'],
    rows,
    words: [1],
  };
}

const BARS = '▁▂▃▄▅▆▇█';

/** One sign for each part, as high as its share of the fullest one; a point where there is nothing. */
function bars({ parts }: Distribution): string {
  const fullest = Math.max(...parts);
  return parts
    .map((part) => (part === 0 ? '.' : (BARS[Math.ceil((part / fullest) * BARS.length) - 1] ?? BARS[0])))
    .join('');
}

/** Turns and tool calls of each role (SchemaAgent, Figure 8). */
function roleTable(comparison: ComparedSides & Pick<DesignComparison, 'roles'>): Table {
  const { a, b } = sideNames(comparison);
  return {
    caption: 'What roles did for a requirement, in the mean',
    columns: ['role', `turns in ${a}`, `turns in ${b}`, `tool calls in ${a}`, `tool calls in ${b}`],
    rows: comparison.roles.map(({ role, turnsA, turnsB, toolCallsA, toolCallsB }) => [
      role,
      ...[turnsA, turnsB, toolCallsA, toolCallsB].map((mean) => mean.toFixed(2)),
    ]),
  };
}
