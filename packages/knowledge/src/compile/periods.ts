import type { BoundKnowledge } from '../bind/bound-knowledge.ts';
import { fill } from '../expression/writer.ts';
import type { TimeWindow } from '../model/metric-definition.ts';
import type { TimeGrain } from '../model/semantic-model.ts';
import { refused } from './refused.ts';

/** Days and periods as SQL of a dialect. All arguments and results are expressions. */
export interface Periods {
  /** The day of a date, a time or text. */
  day(value: string): string;
  /** The first day of the period in which a day lies. */
  truncate(day: string, grain: TimeGrain): string;
  /** A day, moved by so many units; a negative count goes back. */
  add(day: string, count: number, unit: TimeGrain): string;
  /** A query with the column `period`: the first days of all periods from `first` to `last`, which are such days. */
  series(first: string, last: string, grain: TimeGrain): string;
}

/** A move in time of a whole metric, see `MetricInput`. */
export type Shift =
  | { readonly kind: 'back'; readonly window: TimeWindow }
  | { readonly kind: 'start'; readonly grain: TimeGrain };

const MONTHS: Readonly<Partial<Record<TimeGrain, number>>> = { month: 1, quarter: 3, year: 12 };
const DAYS: Readonly<Partial<Record<TimeGrain, number>>> = { day: 1, week: 7 };

/**
 * Periods as the settings count them: weeks begin on `weekStart`; with `fiscal`, quarters and years begin in the month
 * `fiscalYearStart`.
 *
 * @throws AskemaError `METRIC_REFUSED`: `no-calendar` where the dialect has none, or `grain` where there is no fiscal
 * year.
 */
export function periodsOf({ dialect, knowledge }: BoundKnowledge, fiscal: boolean): Periods {
  const { calendar } = dialect;
  if (calendar === undefined)
    throw refused(
      'no-calendar',
      `The dialect ${dialect.displayName} does not say how days are computed. Ask without a time, or give it a calendar.`,
    );
  const { fiscalYearStart, weekStart } = knowledge.settings;
  if (fiscal && fiscalYearStart === undefined)
    throw refused(
      'grain',
      'No fiscal year is defined. Set `fiscalYearStart` in knowledge.yml, or ask without `fiscal`.',
    );
  const monthsLate = fiscal ? (fiscalYearStart ?? 1) - 1 : 0;
  const add = (day: string, count: number, unit: TimeGrain): string =>
    count === 0 ? day : fill(calendar.add[unit], { day, count: String(count) });
  const plain = (day: string, grain: TimeGrain): string => fill(calendar.truncate[grain], { day });
  return {
    day: (value) => fill(calendar.toDay, { value }),
    add,
    truncate(day, grain) {
      if (grain === 'week' && weekStart === 'sunday') return add(plain(add(day, 1, 'day'), 'week'), -1, 'day');
      if (monthsLate === 0 || (grain !== 'quarter' && grain !== 'year')) return plain(day, grain);
      // From the first of the month: 31 August has no day of its own in September.
      return add(plain(add(plain(day, 'month'), -monthsLate, 'month'), grain), monthsLate, 'month');
    },
    series: (first, last, grain) => fill(calendar.series, { first, last, step: calendar.steps[grain] }),
  };
}

/** True where each period of `inner` lies in one of `outer`. */
export function nestsIn(inner: TimeGrain, outer: TimeGrain): boolean {
  if (inner === outer || inner === 'day') return true;
  return (MONTHS[inner] ?? 0) !== 0 && (MONTHS[outer] ?? 0) >= (MONTHS[inner] ?? 0);
}

/** True where a move of `window` leads from the period of a grain to another one. */
function fits({ count, unit }: TimeWindow, grain: TimeGrain): boolean {
  const months = MONTHS[unit];
  if (grain === 'day') return true;
  if (grain === 'week') return months !== undefined || (count * (DAYS[unit] ?? 1)) % 7 === 0;
  return months !== undefined && (count * months) % (MONTHS[grain] ?? 1) === 0;
}

/** The period whose value stands in `period`. A week is that of the day one month before, say. */
export function shifted(period: string, shifts: readonly Shift[], grain: TimeGrain, periods: Periods): string {
  return shifts.reduce((day, shift) => {
    if (shift.kind === 'start') {
      const first = periods.truncate(day, shift.grain);
      return nestsIn(grain, shift.grain) ? first : periods.truncate(first, grain);
    }
    const { count, unit } = shift.window;
    const moved = periods.add(day, -count, unit);
    return grain === 'week' && MONTHS[unit] !== undefined ? periods.truncate(moved, grain) : moved;
  }, period);
}

/** Refuses moves that have no meaning at a grain: one month before, of a year. */
export function checkShifts(metric: string, shifts: readonly Shift[], grain: TimeGrain): void {
  for (const shift of shifts) {
    if (shift.kind === 'back' ? fits(shift.window, grain) : nestsIn(grain, shift.grain) || grain === 'week') continue;
    const what =
      shift.kind === 'back' ? `${shift.window.count} ${shift.window.unit} before` : `the first of a ${shift.grain}`;
    throw refused(
      'offset',
      `The metric \`${metric}\` compares with ${what}, which is no whole ${grain}. Ask for a finer grain.`,
      { metric, grain },
    );
  }
}

/** The first day of what a running value at the end of `period` counts; `next` is the first day after it. */
export function runningStart(
  running: { readonly window?: TimeWindow | undefined; readonly grainToDate?: TimeGrain | undefined },
  period: string,
  next: string,
  grain: TimeGrain,
  periods: Periods,
): string | undefined {
  if (running.window !== undefined) return periods.add(next, -running.window.count, running.window.unit);
  if (running.grainToDate === undefined) return undefined;
  const end = nestsIn(grain, running.grainToDate) ? period : periods.add(next, -1, 'day');
  return periods.truncate(end, running.grainToDate);
}
