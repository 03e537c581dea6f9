import { shareAxis } from '../axis/share-axis.ts';
import type { ChartSpec } from '../spec/chart-spec.ts';
import type { BarData, BarValue } from './bar-data.ts';

/** Whether the panels of all measures have one axis. */
export function isOneAxis(data: BarData, layout: ChartSpec['layout']): boolean {
  const reach = data.measures.map((_, measure) =>
    data.slots.reduce(
      (most, { values }) =>
        endsOf(values[measure] ?? [], layout).reduce((far, end) => Math.max(far, Math.abs(end)), most),
      0,
    ),
  );
  return shareAxis(reach, data.measures);
}

/** How long the bar is. */
export const sizeOf = (value: BarValue): number => (typeof value === 'object' ? value.approximate : 0);

/** Where the bars of a slot end, on both sides of zero where they are stacked. */
export function endsOf(values: readonly BarValue[], layout: ChartSpec['layout']): readonly number[] {
  if (layout !== 'stacked') return values.map(sizeOf);
  const sum = (side: 1 | -1): number =>
    values.map(sizeOf).reduce((total, value) => (value * side > 0 ? total + value : total), 0);
  return [sum(1), sum(-1)].filter((value) => Number.isFinite(value));
}
