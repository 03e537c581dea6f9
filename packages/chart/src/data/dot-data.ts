import type { QueryResult, Value } from '@askema/core';
import { numericOf } from '../facts/numeric.ts';
import type { TimeGrain } from '../facts/time-values.ts';
import { type ChartSpec, MOST_SERIES } from '../spec/chart-spec.ts';
import { keptSeries } from './bar-data.ts';
import { cellLabel } from './cell-label.ts';
import type { ChartPoint } from './chart-point.ts';
import { placesOf } from './places.ts';

export interface DotData {
  readonly axis: { readonly kind: 'time' | 'number'; readonly grain: TimeGrain | undefined };
  readonly across: string;
  readonly measure: string;
  readonly series: readonly string[];
  readonly dots: readonly ChartPoint[];
  readonly omittedPoints: number;
  readonly omittedSeries: number;
}

/** The dots of a specification: one for each row that has a place in both directions. */
export function dotData(spec: ChartSpec, result: Pick<QueryResult, 'columns' | 'rows'>): DotData {
  const [[x = -1], [y = -1]] = [spec.x, spec.y];
  const places = placesOf(result, x);
  const { kept, omitted } = keptSeries(spec, result, Math.min(spec.limit ?? MOST_SERIES, MOST_SERIES));
  const dots: ChartPoint[] = [];
  let omittedPoints = 0;
  for (const row of result.rows) {
    const series = spec.series === undefined ? 0 : kept.indexOf(cellLabel(row[spec.series]));
    if (series === -1) continue;
    const at = places.of(row[x]);
    const value = numericOf(row[y]);
    if (at === undefined || value === undefined || !Number.isFinite(value.approximate)) omittedPoints += 1;
    else dots.push({ at, cell: row[x] as Value, value, series });
  }
  return {
    axis: { kind: places.kind === 'time' ? 'time' : 'number', grain: places.grain },
    across: cellLabel(result.columns[x]?.name),
    measure: cellLabel(result.columns[y]?.name),
    series: kept.length === 0 ? [''] : kept,
    ...{ dots, omittedPoints, omittedSeries: omitted },
  };
}
