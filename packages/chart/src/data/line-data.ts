import type { QueryResult, Value } from '@askema/core';
import { shareAxis } from '../axis/share-axis.ts';
import { numericOf } from '../facts/numeric.ts';
import type { TimeGrain } from '../facts/time-values.ts';
import { type ChartSpec, MOST_SERIES } from '../spec/chart-spec.ts';
import { keptSeries } from './bar-data.ts';
import { cellLabel } from './cell-label.ts';
import { type ChartPoint, pointsOf } from './chart-point.ts';
import { placesOf } from './places.ts';
import { type Rhythm, rhythmAlong } from './rhythm.ts';

export interface Line {
  readonly name: string;
  /** In order. Each piece is drawn by itself: between them are NULLs, or steps of time without a row. */
  readonly pieces: readonly (readonly ChartPoint[])[];
}

export interface LineData {
  readonly axis: { readonly kind: 'time' | 'number'; readonly grain: TimeGrain | undefined };
  readonly panels: readonly { readonly measure: string; readonly lines: readonly Line[] }[];
  readonly gaps: number;
  /** Points without a place or a value. */
  readonly omittedPoints: number;
  readonly omittedSeries: number;
}

/** A point of a line before gaps are known. */
type Stop = ChartPoint | (Omit<ChartPoint, 'value'> & { readonly value: undefined });

/** The lines of a specification, in the order of x, broken where something is missing. */
export function lineData(spec: ChartSpec, result: Pick<QueryResult, 'columns' | 'rows'>): LineData {
  const [x = -1] = spec.x;
  const places = placesOf(result, x);
  const series = keptSeries(spec, result, Math.min(spec.limit ?? MOST_SERIES, MOST_SERIES));
  const names = spec.series === undefined ? [''] : series.kept;
  let omittedPoints = 0;
  let gaps = 0;
  const rhythm = rhythmAlong(
    places,
    result.rows.map((row) => places.of(row[x])),
  );
  const panels = spec.y.map((index) => {
    const stops = names.map((): Stop[] => []);
    for (const row of result.rows) {
      const line = spec.series === undefined ? 0 : names.indexOf(cellLabel(row[spec.series]));
      if (line === -1) continue;
      const at = places.of(row[x]);
      const value = numericOf(row[index]);
      const isNumber = value !== undefined && Number.isFinite(value.approximate);
      if (at === undefined || !isNumber) omittedPoints += 1;
      const cell = (row[x] ?? null) as Value;
      if (at !== undefined) stops[line]?.push({ at, cell, value: isNumber ? value : undefined, series: line });
    }
    const lines = stops.map((own, line) => {
      own.sort((a, b) => a.at - b.at);
      return { name: names[line] ?? '', pieces: piecesOf(own, rhythm) };
    });
    gaps += lines.reduce((sum, { pieces }) => sum + Math.max(0, pieces.length - 1), 0);
    return { measure: cellLabel(result.columns[index]?.name), lines };
  });
  const kind = places.kind === 'time' ? 'time' : 'number';
  return {
    axis: { kind, grain: places.grain },
    panels,
    gaps,
    omittedPoints,
    omittedSeries: series.omitted,
  };
}

/** The points of some lines, line by line. */
export function allPoints(lines: readonly Line[]): readonly ChartPoint[] {
  return pointsOf(lines.flatMap(({ pieces }) => pieces));
}

/** The numbers that the axis of each panel has to hold: those of all panels where they have one axis. */
export function valuesOfPanels(data: LineData): readonly (readonly number[])[] {
  const own = data.panels.map(({ lines }) => allPoints(lines).map(({ value }) => value.approximate));
  if (!isOneAxisOfLines(data)) return own;
  const all = own.length === 1 ? own[0] : own.flat();
  return own.map(() => all ?? []);
}

/** Whether its panels have one axis. */
export function isOneAxisOfLines({ panels }: LineData): boolean {
  const reach = panels.map(({ lines }) =>
    allPoints(lines).reduce((most, { value }) => Math.max(most, Math.abs(value.approximate)), 0),
  );
  return shareAxis(
    reach,
    panels.map(({ measure }) => measure),
  );
}

/** Points of one place and value in several lines, each with how many of later lines lie on it. */
export function coveredPoints(lines: readonly Line[]): ReadonlyMap<ChartPoint, number> {
  const covered = new Map<ChartPoint, number>();
  if (lines.length < 2) return covered;
  const seen = new Map<number, Map<number, number>>();
  for (const { pieces } of lines.toReversed())
    for (const point of pieces.flat()) {
      const place = seen.get(point.at) ?? new Map<number, number>();
      const above = place.get(point.value.approximate) ?? 0;
      if (above > 0) covered.set(point, above);
      seen.set(point.at, place.set(point.value.approximate, above + 1));
    }
  return covered;
}

function piecesOf(sorted: readonly Stop[], rhythm: Rhythm | undefined): readonly (readonly ChartPoint[])[] {
  const pieces: ChartPoint[][] = [];
  let current: ChartPoint[] = [];
  let before: Stop | undefined;
  const close = (): void => {
    if (current.length > 0) pieces.push(current);
    current = [];
  };
  const isGap = (first: number, second: number): boolean =>
    rhythm !== undefined && rhythm.stepOf(second) - rhythm.stepOf(first) > rhythm.usual;
  for (const stop of sorted) {
    if (before !== undefined && isGap(before.at, stop.at)) close();
    if (stop.value === undefined) close();
    else current.push(stop);
    before = stop;
  }
  close();
  return pieces;
}
