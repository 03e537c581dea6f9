import type { QueryResult, Row } from '@askema/core';
import { approximateOf, type Numeric, numericOf } from '../facts/numeric.ts';
import { type ChartSpec, MOST_BARS, MOST_SERIES } from '../spec/chart-spec.ts';
import { cellLabel } from './cell-label.ts';
import { placesOf } from './places.ts';

/** What a bar stands for: a number, or what the cell holds instead; undefined where there is no row for it. */
export type BarValue = Numeric | string | undefined;

export interface BarSlot {
  readonly label: string;
  /** By measure, then by series. */
  readonly values: readonly (readonly BarValue[])[];
}

export interface BarData {
  readonly slots: readonly BarSlot[];
  /** One without a name where there is no series. */
  readonly series: readonly string[];
  readonly measures: readonly string[];
  readonly omittedSlots: number;
  readonly omittedSeries: number;
  /** NULL, NaN or infinite among what is drawn. */
  readonly withoutValue: number;
}

type Result = Pick<QueryResult, 'columns' | 'rows'>;

interface Draft {
  readonly row: Row;
  readonly label: string;
  readonly values: BarValue[][];
}

/** The bars of a specification: in their order, and no more than 50 of them. */
export function barData(spec: ChartSpec, result: Result): BarData {
  const series = keptSeries(spec, result);
  const limit = spec.limit ?? MOST_BARS;
  const candidates = candidateRows(spec, result, limit);
  const slots = slotsOf(spec, { ...result, rows: candidates }, series.kept);
  sortSlots(slots, spec, result);
  const kept = slots.slice(0, limit);
  return {
    slots: kept.map(({ label, values }) => ({ label, values })),
    series: series.kept.length === 0 ? [''] : series.kept,
    measures: spec.y.map((index) => cellLabel(result.columns[index]?.name)),
    omittedSlots: slots.length - kept.length + result.rows.length - candidates.length,
    omittedSeries: series.omitted,
    withoutValue: countWithoutValue(kept),
  };
}

/** No more than `most` of the bars. */
export function fewerBars(data: BarData, most: number): BarData {
  const slots = data.slots.slice(0, most);
  const omittedSlots = data.omittedSlots + data.slots.length - slots.length;
  return { ...data, slots, omittedSlots, withoutValue: countWithoutValue(slots) };
}

function countWithoutValue(slots: readonly BarSlot[]): number {
  return slots.flatMap(({ values }) => values.flat()).filter((cell) => typeof cell === 'string').length;
}

/** The names of the series, those with the largest values where there are too many, in the order of the rows. */
export function keptSeries(
  spec: ChartSpec,
  { rows }: Result,
  most = MOST_SERIES,
): { readonly kept: readonly string[]; readonly omitted: number } {
  const { series, y } = spec;
  if (series === undefined) return { kept: [], omitted: 0 };
  const largest = new Map<string, number>();
  for (const row of rows) {
    const name = cellLabel(row[series]);
    const size = Math.abs(approximateOf(row[y[0] ?? -1]) ?? 0);
    largest.set(name, Math.max(largest.get(name) ?? 0, Number.isFinite(size) ? size : 0));
  }
  if (largest.size <= most) return { kept: [...largest.keys()], omitted: 0 };
  const top = new Set(
    [...largest]
      .sort(([, a], [, b]) => b - a)
      .slice(0, most)
      .map(([name]) => name),
  );
  return { kept: [...largest.keys()].filter((name) => top.has(name)), omitted: largest.size - top.size };
}

/** Of a million rows without a series, those that can be among the first bars. */
function candidateRows({ sort, series, y }: ChartSpec, { rows }: Result, limit: number): readonly Row[] {
  if (series !== undefined || sort === 'x' || rows.length <= limit) return rows;
  if (sort === 'given') return rows.slice(0, limit);
  const sizes = rows.map((row) => {
    const size = approximateOf(row[y[0] ?? -1]);
    return size !== undefined && Number.isFinite(size) ? size : Number.NEGATIVE_INFINITY;
  });
  const order = [...rows.keys()].sort((a, b) => (sizes[b] ?? 0) - (sizes[a] ?? 0) || a - b);
  return order.slice(0, limit).map((at) => rows[at] ?? []);
}

function slotsOf({ x, y, series }: ChartSpec, { rows }: Result, kept: readonly string[]): Draft[] {
  const slots = new Map<string, Draft>();
  for (const [at, row] of rows.entries()) {
    const names = x.map((index) => cellLabel(row[index]));
    const place = series === undefined ? 0 : kept.indexOf(cellLabel(row[series]));
    if (place === -1) continue;
    // Without a series each row is a bar of its own: no row hides another.
    const key = series === undefined ? String(at) : JSON.stringify(names);
    const slot = slots.get(key) ?? {
      row,
      label: names.join(' · '),
      values: y.map(() => Array.from<BarValue>({ length: Math.max(1, kept.length) })),
    };
    slots.set(key, slot);
    for (const [measure, index] of y.entries()) (slot.values[measure] as BarValue[])[place] = barValue(row[index]);
  }
  return [...slots.values()];
}

function barValue(cell: Row[number] | undefined): BarValue {
  const number = numericOf(cell);
  return number !== undefined && Number.isFinite(number.approximate) ? number : cellLabel(cell);
}

function sortSlots(slots: Draft[], { sort, x, layout }: ChartSpec, result: Result): void {
  if (sort === 'value') {
    const sizes = new Map(slots.map((slot) => [slot, sizeOf(slot, layout)]));
    slots.sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  }
  if (sort !== 'x') return;
  const places = x.map((index) => placesOf(result, index));
  slots.sort((a, b) => {
    for (const [at, index] of x.entries()) {
      const [first, second] = [places[at]?.of(a.row[index]), places[at]?.of(b.row[index])];
      // What has no place comes last.
      const order = (first ?? Number.MAX_VALUE) - (second ?? Number.MAX_VALUE);
      if (order !== 0) return order;
    }
    return a.label < b.label ? -1 : Number(a.label > b.label);
  });
}

/** Stacked bars are as long as their parts together. */
function sizeOf({ values: [first = []] }: Draft, layout: ChartSpec['layout']): number {
  const sizes = first.map((value) => (typeof value === 'object' ? value.approximate : Number.NEGATIVE_INFINITY));
  const known = sizes.filter((size) => Number.isFinite(size));
  if (known.length === 0) return Number.NEGATIVE_INFINITY;
  return layout === 'stacked' ? known.reduce((sum, size) => sum + size, 0) : Math.max(...known);
}
