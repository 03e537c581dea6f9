import { numberScale, type Scale } from '../axis/scale.ts';
import type { BarData, BarSlot, BarValue } from '../data/bar-data.ts';
import type { NumberText } from '../data/number-text.ts';
import type { ChartSpec } from '../spec/chart-spec.ts';

/** One bar of a slot, along the axis of its measure. */
export interface DrawnBar {
  /** Where it begins and ends, from 0 to 1 along the axis. */
  readonly from: number;
  readonly to: number;
  /** Which of the lanes of its slot it stands in; stacked bars share one. */
  readonly lane: number;
  readonly series: number;
  readonly value: Exclude<BarValue, undefined>;
  readonly title: string;
}

/** Axes up to so many times as long as another share one length, so that panels can be compared. */
const NEAR = 4;

/** The axes of all measures: one for all where their numbers are of one size, else each its own. */
export function scalesOfBars(data: BarData, layout: ChartSpec['layout'], wanted: number): readonly Scale[] {
  const own = data.measures.map((_, measure) => scaleOfBars(data, [measure], layout, wanted));
  const reach = own.map(({ low, high }) => Math.max(-low, high));
  if (Math.max(...reach) > NEAR * Math.min(...reach)) return own;
  const all = scaleOfBars(data, [...own.keys()], layout, wanted);
  return own.map(() => all);
}

/** The axis of a measure. It always has zero in it, for the length of a bar is what is read. */
function scaleOfBars(data: BarData, measures: readonly number[], layout: ChartSpec['layout'], wanted: number): Scale {
  return numberScale(
    data.slots.flatMap(({ values }) => measures.flatMap((measure) => endsOf(values[measure] ?? [], layout))),
    true,
    wanted,
  );
}

const approximate = (value: BarValue): number => (typeof value === 'object' ? value.approximate : 0);

function endsOf(values: readonly BarValue[], layout: ChartSpec['layout']): readonly number[] {
  if (layout !== 'stacked') return values.map(approximate);
  const sum = (side: 1 | -1): number =>
    values.map(approximate).reduce((total, value) => (value * side > 0 ? total + value : total), 0);
  return [sum(1), sum(-1)].filter((value) => Number.isFinite(value));
}

/** The bars of a slot; negative parts of a stack go the other way from zero. */
export function barsOf(
  slot: BarSlot,
  data: BarData,
  measure: number,
  layout: ChartSpec['layout'],
  scale: Scale,
  write: NumberText,
): readonly DrawnBar[] {
  const ends = { up: 0, down: 0 };
  return (slot.values[measure] ?? []).flatMap((value, series) => {
    if (value === undefined) return [];
    const size = approximate(value);
    const side = size < 0 ? 'down' : 'up';
    const start = layout === 'stacked' ? ends[side] : 0;
    ends[side] = start + size;
    const name = [slot.label, data.series[series]].filter(Boolean).join(', ');
    const text = typeof value === 'string' ? value : write.exact(value);
    return [
      {
        ...{ from: scale.of(start), to: scale.of(start + size), lane: layout === 'stacked' ? 0 : series },
        ...{ series, value, title: name === '' ? text : `${name}: ${text}` },
      },
    ];
  });
}

/** How many bars stand beside each other in a slot. */
export function lanesOf(data: BarData, layout: ChartSpec['layout']): number {
  return layout === 'stacked' ? 1 : data.series.length;
}
