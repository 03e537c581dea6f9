import type { QueryResult, Value } from '@askema/core';
import { type Numeric, numericOf } from '../facts/numeric.ts';
import type { TimeGrain } from '../facts/time-values.ts';
import { type ChartSpec, MOST_SERIES } from '../spec/chart-spec.ts';
import { keptSeries } from './bar-data.ts';
import { cellLabel } from './cell-label.ts';
import { placesOf } from './places.ts';
import { type Rhythm, rhythmOf } from './rhythm.ts';

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
  /** Steps of the grain without a row that a line passes over, of the line that passes over most. */
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
    const lines = [...stops].map(([name, own]) => {
      own.sort((a, b) => a.at - b.at);
      const rhythm = rhythmOf(
        own.map(({ at }) => at),
        places.grain,
      );
      passedOver = Math.max(passedOver, rhythm.passedOver);
      return { name, pieces: piecesOf(own, rhythm) };
    });
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

function piecesOf(sorted: readonly Stop[], rhythm: Rhythm): readonly (readonly LinePoint[])[] {
  const pieces: LinePoint[][] = [];
  let current: LinePoint[] = [];
  let before: Stop | undefined;
  const close = (): void => {
    if (current.length > 0) pieces.push(current);
    current = [];
  };
  for (const stop of sorted) {
    if (before !== undefined && rhythm.isGap(before.at, stop.at)) close();
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
