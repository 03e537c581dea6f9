import { oneLine } from '@askema/core';
import type { ColumnFacts } from '../facts/column-facts.ts';
import { type ChartSpec, MOST_MEASURES, MOST_SERIES } from '../spec/chart-spec.ts';
import type { ChoiceFacts } from './choice-facts.ts';

interface Channels {
  readonly kind: ChartSpec['kind'];
  readonly x?: readonly ColumnFacts[];
  readonly y: readonly ColumnFacts[];
  readonly series?: ColumnFacts | undefined;
  readonly layout?: ChartSpec['layout'];
  readonly sort?: ChartSpec['sort'];
  readonly limit?: number | undefined;
}

const LONGEST_TITLE = 160;

/** A specification of these columns, with the question as its title, or the names of the columns. */
export function offer(facts: ChoiceFacts, channels: Channels): ChartSpec {
  const { kind, x = [], series, layout, sort = 'given', limit } = channels;
  const y = channels.y.slice(0, MOST_MEASURES);
  const by = [...x, ...(series === undefined ? [] : [series])].map(({ name }) => name).join(', ');
  const names = y.map(({ name }) => name).join(', ');
  const asked = facts.question?.trim();
  return {
    kind,
    x: x.map(({ index }) => index),
    y: y.map(({ index }) => index),
    ...(series === undefined ? {} : { series: series.index }),
    ...(layout === undefined ? {} : { layout }),
    sort,
    ...(limit === undefined ? {} : { limit }),
    format: y.every(({ percent }) => percent) ? 'percent' : 'plain',
    title: oneLine(asked || (by === '' ? names : `${names} by ${by}`), LONGEST_TITLE),
  };
}

/** Bars in the order of the rows where the statement gave one, of bands in theirs, else the largest first. */
export function barOrder({ shape, labels, times, parts }: ChoiceFacts): ChartSpec['sort'] {
  const isSorted = shape?.sorted === true;
  if (!isSorted && labels.length === 1 && times.length + parts.length === 0 && labels[0]?.banded === true) return 'x';
  return shape === undefined || shape.sorted ? 'given' : 'value';
}

/** Parts of a whole are stacked: sums and counts without a negative one. */
export function layoutOf({ additive, negative }: ColumnFacts): 'stacked' | 'grouped' {
  return additive && !negative ? 'stacked' : 'grouped';
}

/** The series to keep where there are too many; undefined where all are drawn. */
export function seriesLimit({ distinct }: ColumnFacts): number | undefined {
  return distinct > MOST_SERIES ? MOST_SERIES : undefined;
}
