import type { QueryResult, Row } from '@askema/core';
import { CYCLE_LENGTH, DAY_MS, firstOfWeek } from '../facts/time-values.ts';
import { type Places, placesOf } from './places.ts';
import { rhythmAlong, STEP_OF } from './rhythm.ts';

type Result = Pick<QueryResult, 'columns' | 'rows'>;

/** The number of a row's place on an axis where each step has one; undefined where a cell has no place. */
export type StepOf = (row: Row) => number | undefined;

/** Undefined for names, and for moments and numbers that follow no rhythm. */
export function stepsAlong(x: readonly number[], result: Result): StepOf | undefined {
  const places = x.map((index) => placesOf(result, index));
  const [first] = places;
  if (first === undefined || places.some(({ kind }) => kind === 'names')) return undefined;
  const of = (row: Row, at: number): number | undefined => places[at]?.of(row[x[at] ?? -1]);
  if (places.length > 1) return places.slice(1).every(({ kind }) => kind === 'part') ? nested(places, of) : undefined;
  if (first.kind === 'part') return (row) => of(row, 0);
  const rhythm = rhythmAlong(
    first,
    result.rows.map((row) => of(row, 0)),
  );
  if (rhythm === undefined) return undefined;
  return (row) => {
    const at = of(row, 0);
    return at === undefined ? undefined : Math.floor(rhythm.stepOf(at) / rhythm.usual);
  };
}

/** From the first to the last, those without a row too. */
export function stepCount(x: readonly number[], result: Result): number | undefined {
  const stepOf = stepsAlong(x, result);
  if (stepOf === undefined) return undefined;
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const row of result.rows) {
    const step = stepOf(row);
    low = Math.min(low, step ?? low);
    high = Math.max(high, step ?? high);
  }
  return high < low ? 0 : high - low + 1;
}

/** A year that has all days. */
const LEAP_YEAR = 2024;

/** Parts behind a time or a part: months of years, days of months, hours of days. */
function nested(places: readonly Places[], of: (row: Row, at: number) => number | undefined): StepOf | undefined {
  const [first, ...parts] = places;
  if (first === undefined) return undefined;
  const { grain } = first;
  if (grain === 'instant') return undefined;
  const cycles = parts.map(({ cycle }) => cycle);
  // Months and weeks are not equally long: what stands in them has a date.
  const isWeeks = grain === 'year' && cycles.join() === 'week';
  const hasDays = cycles.at(-1) === 'day' && (grain === 'month' || [first.cycle, ...cycles].includes('month'));
  return (row) => {
    const [outer, ...inner] = places.map((_, at) => of(row, at));
    if (outer === undefined || inner.some((place) => place === undefined)) return undefined;
    const year = first.kind === 'time' ? new Date(outer).getUTCFullYear() : LEAP_YEAR;
    if (isWeeks) return STEP_OF.week(firstOfWeek(year, inner[0] ?? 1)?.at ?? 0);
    const month = first.cycle === 'month' ? outer - 1 : new Date(outer).getUTCMonth();
    if (hasDays) {
      const inYear = grain === 'year' && inner.length > 1 ? (inner[0] ?? 1) - 1 : month;
      return Date.UTC(year, inYear, inner.at(-1) ?? 1) / DAY_MS;
    }
    const start = first.kind === 'time' ? STEP_OF[grain ?? 'day'](outer) : outer;
    return inner.reduce<number>((sum, place, at) => {
      const cycle = cycles[at];
      return sum * (cycle === undefined ? 1 : CYCLE_LENGTH[cycle]) + (place ?? 0);
    }, start);
  };
}
