import { numberScale, type Scale } from '../axis/scale.ts';
import type { BarData, BarSlot, BarValue } from '../data/bar-data.ts';
import { endsOf, isOneAxis, sizeOf } from '../data/bar-reach.ts';
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

/** The axes of all measures: one for all where their numbers may be compared, else each its own. */
export function scalesOfBars(data: BarData, layout: ChartSpec['layout'], wanted: number): readonly Scale[] {
  const all = [...data.measures.keys()];
  if (!isOneAxis(data, layout)) return all.map((measure) => scaleOfBars(data, [measure], layout, wanted));
  const one = scaleOfBars(data, all, layout, wanted);
  return all.map(() => one);
}

/** The axis of a measure. It always has zero in it, for the length of a bar is what is read. */
function scaleOfBars(data: BarData, measures: readonly number[], layout: ChartSpec['layout'], wanted: number): Scale {
  return numberScale(
    data.slots.flatMap(({ values }) => measures.flatMap((measure) => endsOf(values[measure] ?? [], layout))),
    true,
    wanted,
  );
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
    const size = sizeOf(value);
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
