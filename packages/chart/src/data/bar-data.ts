import type { QueryResult, Row } from '@askema/core';
import { approximateOf, type Numeric, numericOf } from '../facts/numeric.ts';
import { type ChartSpec, MOST_BARS, MOST_PLACES, MOST_SERIES } from '../spec/chart-spec.ts';
import { cellLabel } from './cell-label.ts';
import { placesOf } from './places.ts';
import { stepsAlong } from './steps.ts';

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
  /** Which are drawn where some are not: the largest, or the first in their order. */
  readonly kept: 'largest' | 'first';
  /** Steps of an ordered axis without a row; a slot without a label is the place of one. */
  readonly emptySteps: number;
  readonly omittedSeries: number;
  /** NULL, NaN or infinite among what is drawn. */
  readonly withoutValue: number;
}

type Result = Pick<QueryResult, 'columns' | 'rows'>;

interface Draft {
  readonly row: Row | undefined;
  readonly label: string;
  readonly values: BarValue[][];
}

/**
 * The bars of a specification: in their order, and no more than `most` of them. In the order of x each step has a
 * place. What is cut off is never as large as the last that is kept, where another cut is possible.
 */
export function barData(spec: ChartSpec, result: Result, most = Number.POSITIVE_INFINITY): BarData {
  const series = keptSeries(spec, result);
  const limit = Math.min(spec.limit ?? (spec.sort === 'x' ? MOST_PLACES : MOST_BARS), most);
  // One more than fit, to see whether the cut parts equal ones.
  const candidates = candidateRows(spec, result, limit + 1);
  const slots = slotsOf(spec, { ...result, rows: candidates }, series.kept);
  sortSlots(slots, spec, result);
  const all = spec.sort === 'x' ? withEmptySteps(slots, spec, result, limit) : { slots, missing: [] };
  const kept = all.slots.slice(0, untied(all.slots, spec, limit));
  const bars = kept.filter(({ row }) => row !== undefined);
  return {
    slots: kept.map(({ label, values }) => ({ label, values })),
    series: series.kept.length === 0 ? [''] : series.kept,
    measures: spec.y.map((index) => cellLabel(result.columns[index]?.name)),
    omittedSlots: slots.length - bars.length + result.rows.length - candidates.length,
    kept: spec.sort === 'value' ? 'largest' : 'first',
    emptySteps: all.missing.slice(0, kept.length).reduce((sum, count) => sum + count, 0),
    omittedSeries: series.omitted,
    withoutValue: bars.flatMap(({ values }) => values.flat()).filter((cell) => typeof cell === 'string').length,
  };
}

/** What stands for several steps, where each would take too much room. */
const SEVERAL_STEPS = '⋯';

/** With a slot for each step that no row has; `missing` says how many steps a slot stands for. */
function withEmptySteps(
  slots: readonly Draft[],
  { x, y }: ChartSpec,
  result: Result,
  limit: number,
): { readonly slots: readonly Draft[]; readonly missing: readonly number[] } {
  const stepOf = stepsAlong(x, result);
  const steps = slots.map(({ row }) => row && stepOf?.(row));
  const missing = steps.map((step, at) => Math.max(0, (step ?? 0) - (steps[at - 1] ?? step ?? 0) - 1));
  const isShort = slots.length + missing.reduce((sum, count) => sum + count, 0) <= limit;
  const empty = (label: string): Draft => ({ row: undefined, label, values: y.map(() => []) });
  const filled = slots.flatMap((slot, at) => {
    const count = missing[at] ?? 0;
    // What has no place does not stand as if it were the next.
    if (at > 0 && steps[at] === undefined && steps[at - 1] !== undefined)
      return [
        { slot: empty(''), count: 0 },
        { slot, count: 0 },
      ];
    const places = isShort ? Array.from({ length: count }, () => 1) : count > 0 ? [count] : [];
    return [...places.map((some) => ({ slot: empty(some > 1 ? SEVERAL_STEPS : ''), count: some })), { slot, count: 0 }];
  });
  return { slots: filled.map(({ slot }) => slot), missing: filled.map(({ count }) => count) };
}

/** How many of the ranked are kept, so that of equal ones all or none are; the limit where all before it are equal. */
function untied(slots: readonly Draft[], { sort, layout }: ChartSpec, limit: number): number {
  if (sort === 'x' || slots.length <= limit) return limit;
  const sizes = slots.slice(0, limit + 1).map((slot) => sizeOf(slot, layout));
  const tied = sizes[limit] ?? 0;
  const before = sizes.indexOf(tied);
  return before === 0 || sizes.slice(before).some((size) => size !== tied) ? limit : before;
}

/**
 * The names of the series, in the order of the rows; where there are too many, those with the largest values. Of equal
 * ones all or none are kept, as long as one is left.
 */
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
  const ranked = [...largest].sort(([, a], [, b]) => b - a);
  const before = ranked.findIndex(([, size]) => size === ranked[most]?.[1]);
  const top = new Set(ranked.slice(0, before > 0 ? before : most).map(([name]) => name));
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
      const [first, second] = [places[at]?.of(a.row?.[index]), places[at]?.of(b.row?.[index])];
      // What has no place comes last.
      const [one, other] = [first ?? Number.POSITIVE_INFINITY, second ?? Number.POSITIVE_INFINITY];
      if (one !== other) return one < other ? -1 : 1;
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
