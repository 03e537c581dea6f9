import type { QueryResult, Value } from '@askema/core';
import { type Numeric, numericOf } from '../facts/numeric.ts';
import { STEP_MS, type TimeGrain } from '../facts/time-values.ts';
import { type ChartSpec, MOST_SERIES } from '../spec/chart-spec.ts';
import { keptSeries } from './bar-data.ts';
import { cellLabel } from './cell-label.ts';
import { placesOf } from './places.ts';

export interface LinePoint {
  readonly at: number;
  /** The cell of x as it is. */
  readonly label: string;
  readonly value: Numeric;
}

export interface Line {
  readonly name: string;
  /** In order. Each piece is drawn by itself: between them are NULLs, or steps of time without a row. */
  readonly pieces: readonly (readonly LinePoint[])[];
}

export interface LineData {
  readonly axis: { readonly kind: 'time' | 'number'; readonly grain: TimeGrain | undefined };
  readonly panels: readonly { readonly measure: string; readonly lines: readonly Line[] }[];
  readonly gaps: number;
  /** Steps of the grain without a row that lines pass over, because time has no rhythm here. */
  readonly passedOver: number;
  /** Points without a place or a value. */
  readonly omittedPoints: number;
  readonly omittedSeries: number;
}

/** A point of a line before gaps are known. */
interface Stop {
  readonly at: number;
  readonly cell: Value;
  readonly value: Numeric | undefined;
}

/** The lines of a specification, in the order of x, broken where something is missing. */
export function lineData(spec: ChartSpec, result: Pick<QueryResult, 'columns' | 'rows'>): LineData {
  const [x = -1] = spec.x;
  const places = placesOf(result, x);
  const series = keptSeries(spec, result, Math.min(spec.limit ?? MOST_SERIES, MOST_SERIES));
  const names = spec.series === undefined ? [''] : series.kept;
  let omittedPoints = 0;
  let gaps = 0;
  let passedOver = 0;
  const panels = spec.y.map((index) => {
    const stops = new Map<string, Stop[]>(names.map((name) => [name, []]));
    for (const row of result.rows) {
      const own = stops.get(spec.series === undefined ? '' : cellLabel(row[spec.series]));
      if (own === undefined) continue;
      const at = places.of(row[x]);
      const value = numericOf(row[index]);
      const isNumber = value !== undefined && Number.isFinite(value.approximate);
      if (at === undefined || !isNumber) omittedPoints += 1;
      if (at !== undefined) own.push({ at, cell: (row[x] ?? null) as Value, value: isNumber ? value : undefined });
    }
    const lines = [...stops].map(([name, own]) => ({ name, pieces: piecesOf(own, places.grain) }));
    const passed = [...stops.values()].reduce((sum, own) => sum + passedSteps(own, places.grain), 0);
    passedOver = Math.max(passedOver, passed);
    gaps += lines.reduce((sum, { pieces }) => sum + Math.max(0, pieces.length - 1), 0);
    return { measure: cellLabel(result.columns[index]?.name), lines };
  });
  const kind = places.kind === 'time' ? 'time' : 'number';
  return {
    axis: { kind, grain: places.grain },
    panels,
    gaps,
    passedOver,
    omittedPoints,
    omittedSeries: series.omitted,
  };
}

function piecesOf(stops: readonly Stop[], grain: TimeGrain | undefined): readonly (readonly LinePoint[])[] {
  const sorted = [...stops].sort((a, b) => a.at - b.at);
  const usual = usualSteps(sorted, grain);
  const pieces: LinePoint[][] = [];
  let current: LinePoint[] = [];
  let before: Stop | undefined;
  const close = (): void => {
    if (current.length > 0) pieces.push(current);
    current = [];
  };
  for (const stop of sorted) {
    if (before !== undefined && usual !== undefined && stepsBetween(before, stop, grain) > usual) close();
    if (stop.value === undefined) close();
    else current.push(pointOf(stop, stop.value));
    before = stop;
  }
  close();
  return pieces;
}

function pointOf({ at, cell }: Stop, value: Numeric): LinePoint {
  return {
    ...{ at, value },
    // Few of a million points are named.
    get label() {
      return cellLabel(cell);
    },
  };
}

/**
 * Up to this share of equal steps, days and weeks have no rhythm that could be broken. Of five steps between working
 * days, four are one day: their weeks are no gaps. Of years, quarters and months the shortest step is the rhythm then.
 */
const RHYTHM: Readonly<Record<TimeGrain, number>> = {
  ...{ year: 0.5, quarter: 0.5, month: 0.5 },
  ...{ week: 0.8, day: 0.8, instant: 1 },
};

/** The steps from one row to the next that most rows keep, or undefined where most keep none. */
function usualSteps(sorted: readonly Stop[], grain: TimeGrain | undefined): number | undefined {
  if (grain === undefined || STEP_MS[grain] === undefined || sorted.length < 3) return undefined;
  const counts = new Map<number, number>();
  for (const [at, stop] of sorted.entries()) {
    const before = sorted[at - 1];
    if (before === undefined) continue;
    const steps = stepsBetween(before, stop, grain);
    counts.set(steps, (counts.get(steps) ?? 0) + 1);
  }
  const [steps, count] = [...counts].reduce((best, each) => (each[1] > best[1] ? each : best), [0, 0]);
  if (count / (sorted.length - 1) > RHYTHM[grain]) return steps;
  return RHYTHM[grain] > 0.5 ? undefined : Math.max(1, Math.min(...counts.keys()));
}

/** How many steps have no row, where the line is not broken at them. */
function passedSteps(stops: readonly Stop[], grain: TimeGrain | undefined): number {
  const sorted = [...stops].sort((a, b) => a.at - b.at);
  if (usualSteps(sorted, grain) !== undefined) return 0;
  return sorted.reduce((sum, stop, at) => {
    const before = sorted[at - 1];
    return before === undefined ? sum : sum + Math.max(0, stepsBetween(before, stop, grain) - 1);
  }, 0);
}

function stepsBetween(first: Stop, second: Stop, grain: TimeGrain | undefined): number {
  const step = grain === undefined ? undefined : STEP_MS[grain];
  return step === undefined ? 0 : Math.round((second.at - first.at) / step);
}
