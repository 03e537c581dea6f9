import type { Calibration } from '../../calibration/calibrate.ts';
import { count, decimal, duration, percent, percentRange, usd } from './format-numbers.ts';
import type { GroupFigures, RunFigures } from './run-figures.ts';

/** A table of text: the first column stands to the left, the others are numbers unless `words` names them. */
export interface Table {
  readonly caption: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Positions of columns of words, from 0, beside the first. */
  readonly words?: readonly number[] | undefined;
}

/** How many rows of reasons and databases a table lists; the other reasons are added up. */
const MOST_ROWS = 20;

export function groupTable(caption: string, first: string, groups: readonly GroupFigures[], level: number): Table {
  return {
    caption,
    columns: [first, 'counted', 'right', 'wrong', 'declined', 'failed', 'gold failed', 'accuracy', levelTitle(level)],
    rows: groups.map(({ name, counts, counted, accuracy }) => [
      name,
      count(counted),
      count(counts.right),
      count(counts.wrong),
      count(counts.declined),
      count(counts.failed),
      count(counts.goldFailed),
      counted === 0 ? '-' : percent(accuracy.value),
      counted === 0 ? '-' : percentRange(accuracy),
    ]),
  };
}

/** The databases on which most questions were missed. */
export function databaseTable(groups: readonly GroupFigures[], level: number): Table {
  const missed = (group: GroupFigures): number => group.counted - group.counts.right;
  const worst = [...groups].sort((a, b) => missed(b) - missed(a) || (a.name < b.name ? -1 : 1));
  const caption = groups.length > MOST_ROWS ? `The ${MOST_ROWS} databases with the most misses` : 'By database';
  return groupTable(caption, 'database', worst.slice(0, MOST_ROWS), level);
}

export function reasonTable({ reasons, total }: RunFigures): Table {
  const shown = reasons.slice(0, MOST_ROWS);
  const missed = total.counted - total.counts.right;
  const rest = reasons.slice(MOST_ROWS).reduce((sum, { questions }) => sum + questions, 0);
  const row = (reason: string, verdict: string, questions: number, share: number | undefined): readonly string[] => [
    reason,
    verdict,
    count(questions),
    percent(share),
  ];
  return {
    caption: 'Why questions were not right',
    columns: ['reason', 'verdict', 'questions', 'of the misses'],
    rows: [
      // Questions whose gold failed are no misses: they do not count.
      ...shown.map(({ reason, verdict, questions }) =>
        row(reason, verdictName(verdict), questions, verdict === 'goldFailed' ? undefined : questions / missed),
      ),
      ...(rest > 0 ? [row(`${count(reasons.length - MOST_ROWS)} further reasons`, '', rest, undefined)] : []),
    ],
    words: [1],
  };
}

export function spendingTable(figures: RunFigures): Table {
  const { usage, total } = figures;
  const each = (value: number | undefined): string =>
    value === undefined || total.counted === 0 ? '-' : count(value / total.counted);
  const tokens = (value: number | undefined): string => (value === undefined ? 'unknown' : count(value));
  const used = [
    ['tokens in', tokens(usage.inputTokens), each(usage.inputTokens)],
    ['of these from a cache', tokens(usage.cachedInputTokens), each(usage.cachedInputTokens)],
    ['tokens out', tokens(usage.outputTokens), each(usage.outputTokens)],
  ];
  const rows: (readonly string[])[] = [
    ['model calls', count(figures.calls), each(figures.calls)],
    ...(figures.calls === 0 ? [] : used),
    ['statements on databases', count(figures.executions), each(figures.executions)],
    ['time of all questions', duration(figures.elapsedMs), duration(figures.elapsedMs / total.counted)],
  ];
  if (figures.costUsd !== undefined) rows.push(['cost', usd(figures.costUsd), usd(figures.costUsd / total.counted)]);
  return { caption: 'What it cost', columns: ['', 'in all', 'per question'], rows };
}

export function latencyTable(figures: RunFigures): Table {
  return {
    caption: 'Time from a question to its answer',
    columns: ['', 'time'],
    rows: [
      ['half of the questions within (p50)', duration(figures.p50Ms)],
      ['95 % of the questions within (p95)', duration(figures.p95Ms)],
      ['the slowest', duration(figures.slowestMs)],
    ],
  };
}

export function metricTable({ metrics, validSql }: RunFigures, level: number): Table {
  const rows = metrics.map(({ id, questions, mean, failed }) => [
    failed === 0 ? id : `${id} (failed on ${count(failed)})`,
    count(questions),
    questions === 0 ? '-' : percent(mean.value),
    questions === 0 ? '-' : percentRange(mean),
  ]);
  if (validSql !== undefined)
    rows.unshift(['SQL that ran', count(validSql.statements), percent(validSql.value), percentRange(validSql)]);
  return { caption: 'Other measures', columns: ['measure', 'questions', 'mean', levelTitle(level)], rows };
}

export function reliabilityTable({ bins }: NonNullable<Calibration['confidence']>, level: number): Table {
  const filled = bins.filter((bin) => bin.questions > 0);
  return {
    caption: 'Confidence against accuracy',
    columns: ['confidence', 'answers', 'right', 'mean confidence', 'accuracy', levelTitle(level)],
    rows: filled.map(({ from, to, questions, right, confidence, accuracy }) => [
      `${from.toFixed(2)} to ${to.toFixed(2)}`,
      count(questions),
      count(right),
      percent(confidence),
      percent(accuracy?.value),
      accuracy === undefined ? '-' : percentRange(accuracy),
    ]),
  };
}

/** At most 12 of the thresholds, evenly spread. */
export function coverageTable({ coverage }: NonNullable<Calibration['confidence']>, level: number): Table {
  const step = Math.max(1, (coverage.length - 1) / 11);
  const places = new Set<number>();
  for (let place = 0; place < coverage.length; place += step) places.add(Math.round(place));
  if (coverage.length > 0) places.add(coverage.length - 1);
  const points = [...places].flatMap((place) => coverage[place] ?? []);
  return {
    caption: 'Accuracy if only answers of this confidence or more are given',
    columns: ['confidence from', 'answers', 'coverage', 'accuracy', levelTitle(level)],
    rows: points.map((point) => [
      decimal(point.threshold),
      count(point.questions),
      percent(point.coverage),
      percent(point.accuracy.value),
      percentRange(point.accuracy),
    ]),
  };
}

export function sureTable({ sure, unsure }: NonNullable<Calibration['sure']>, level: number): Table {
  return {
    caption: 'Answers that a check confirmed, and the others',
    columns: ['', 'answers', 'right', 'of all questions', 'accuracy', levelTitle(level)],
    rows: (
      [
        ['sure', sure],
        ['not sure', unsure],
      ] as const
    ).map(([name, group]) => [
      name,
      count(group.questions),
      count(group.right),
      percent(group.coverage),
      group.questions === 0 ? '-' : percent(group.accuracy.value),
      group.questions === 0 ? '-' : percentRange(group.accuracy),
    ]),
  };
}

export function verdictName(verdict: string): string {
  return verdict === 'goldFailed' ? 'gold failed' : verdict;
}

export function levelTitle(level: number): string {
  return `${Number((level * 100).toFixed(2))} % interval`;
}
