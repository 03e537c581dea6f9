import type { PairedCost, PairedGroup, PairedMetric, RunComparison } from '../../compare/run-comparison.ts';
import type { Verdict } from '../../run/evaluation-result.ts';
import { count, duration, instant, percent, percentRange, points, pointsRange, pValue, usd } from './format-numbers.ts';
import { levelTitle, type Table, verdictName } from './run-tables.ts';

const VERDICTS: readonly Verdict[] = ['right', 'wrong', 'declined', 'failed', 'goldFailed'];

export function pairedGroupTable(
  caption: string,
  first: string,
  groups: readonly PairedGroup[],
  comparison: Pick<RunComparison, 'a' | 'b' | 'options'>,
): Table {
  const { a, b } = sideNames(comparison);
  const level = levelTitle(comparison.options.level);
  return {
    caption,
    columns: [first, 'paired', a, b, 'gained', 'lost', 'difference in points', level, 'p', 'p after Holm'],
    rows: groups.map((group) => [
      group.name,
      count(group.questions),
      percent(group.accuracyA.value),
      percent(group.accuracyB.value),
      count(group.gained),
      count(group.lost),
      points(group.difference.value),
      differenceRange(group),
      pValue(group.pValue),
      pValue(group.adjustedPValue),
    ]),
  };
}

/**
 * The interval; nothing is resampled where no question changed sides, and an interval without width would say too much.
 */
export function differenceRange(group: PairedGroup): string {
  return group.gained + group.lost === 0 ? 'no change' : pointsRange(group.difference);
}

export function sideTable(comparison: RunComparison): Table {
  const { total, options } = comparison;
  const { a, b } = sideNames(comparison);
  return {
    caption: 'Accuracy on the questions of both',
    columns: ['run', 'right', 'of', 'accuracy', levelTitle(options.level)],
    rows: [
      [
        a,
        count(total.bothRight + total.lost),
        count(total.questions),
        percent(total.accuracyA.value),
        percentRange(total.accuracyA),
      ],
      [
        b,
        count(total.bothRight + total.gained),
        count(total.questions),
        percent(total.accuracyB.value),
        percentRange(total.accuracyB),
      ],
    ],
  };
}

export function verdictTable(comparison: RunComparison): Table {
  const { a, b } = sideNames(comparison);
  return {
    caption: `From the verdicts of ${a} (rows) to those of ${b} (columns)`,
    columns: ['', ...VERDICTS.map(verdictName)],
    rows: VERDICTS.map((from) => [verdictName(from), ...VERDICTS.map((to) => count(comparison.verdicts[from][to]))]),
  };
}

const COST_NAMES: Readonly<Record<PairedCost['what'], string>> = {
  costUsd: 'cost',
  inputTokens: 'tokens in',
  outputTokens: 'tokens out',
  calls: 'model calls',
  elapsedMs: 'time',
};

/** Two runs, and the level of what is said of them. */
export interface ComparedSides extends Pick<RunComparison, 'a' | 'b'> {
  readonly options: Pick<RunComparison['options'], 'level'>;
}

export function costTable(comparison: ComparedSides & Pick<RunComparison, 'costs'>, noun = 'question'): Table {
  const { a, b } = sideNames(comparison);
  const write = (what: PairedCost['what'], value: number): string => {
    if (what === 'costUsd') return usd(value);
    if (what === 'elapsedMs') return value < 0 ? `-${duration(-value)}` : duration(value);
    return what === 'calls' ? value.toFixed(2) : count(value);
  };
  return {
    caption: `Per ${noun}, in the mean over the ${noun}s of both`,
    columns: ['', 'paired', a, b, 'difference', levelTitle(comparison.options.level)],
    rows: comparison.costs.map(({ what, questions, meanA, meanB, difference }) => [
      COST_NAMES[what],
      count(questions),
      write(what, meanA),
      write(what, meanB),
      write(what, difference.value),
      `${write(what, difference.low)} to ${write(what, difference.high)}`,
    ]),
  };
}

export function pairedMetricTable(
  comparison: ComparedSides,
  metrics: readonly PairedMetric[],
  caption = 'Other measures, over the questions that have them in both',
): Table {
  const { a, b } = sideNames(comparison);
  return {
    caption,
    columns: ['measure', 'paired', a, b, 'difference in points', levelTitle(comparison.options.level)],
    rows: metrics.map(({ id, questions, meanA, meanB, difference }) => [
      id,
      count(questions),
      percent(meanA),
      percent(meanB),
      points(difference.value),
      pointsRange(difference),
    ]),
  };
}

/** What differs between the configurations, and what both have in common. */
export function configurationTable({ a, b }: Pick<RunComparison, 'a' | 'b'>): Table {
  const names = sideNames({ a, b });
  const keys = [...new Set([...Object.keys(a.configuration), ...Object.keys(b.configuration)])];
  const text = (value: unknown): string =>
    value === undefined ? 'not set' : typeof value === 'string' ? value : JSON.stringify(value);
  const rows = keys.map((key) => [key, text(a.configuration[key]), text(b.configuration[key])] as const);
  const differing = rows.filter(([, left, right]) => left !== right);
  const shared = rows.filter(([, left, right]) => left === right);
  return {
    caption: 'Configurations, what differs first',
    columns: ['', names.a, names.b],
    rows: [
      ['dataset', a.dataset, b.dataset],
      ['started', instant(a.startedAt), instant(b.startedAt)],
      ...differing,
      ...shared,
    ],
    words: [1, 2],
  };
}

/** The names of the runs, told apart where they are the same. */
export function sideNames({ a, b }: Pick<RunComparison, 'a' | 'b'>): { readonly a: string; readonly b: string } {
  return a.name === b.name ? { a: `${a.name} (first)`, b: `${b.name} (second)` } : { a: a.name, b: b.name };
}
