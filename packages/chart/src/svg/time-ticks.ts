import { utcTicks } from 'd3-time';
import { DAY_MS, STEP_MS, type TimeGrain } from '../facts/time-values.ts';

/** Marks of an axis of time: the points themselves where they are few, else calendar steps not finer than the grain. */
export function timeTicks(points: readonly number[], grain: TimeGrain | undefined, wanted: number): readonly number[] {
  const distinct = new Set<number>();
  let [first, last] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const point of points) {
    if (distinct.size <= wanted) distinct.add(point);
    first = Math.min(first, point);
    last = Math.max(last, point);
  }
  if (distinct.size <= wanted) return [...distinct].sort((a, b) => a - b);
  const finest = (grain === undefined ? undefined : STEP_MS[grain]) ?? 0;
  for (let count = wanted; count >= 1; count -= 1) {
    const ticks = utcTicks(new Date(first), new Date(last), count).map(Number);
    const [one, two] = ticks;
    if (ticks.length <= 2 * wanted && one !== undefined && (two === undefined || two - one >= finest * 0.9))
      return ticks;
  }
  return [first, last];
}

/** How the marks are written: years, months, days or hours, as far as they differ. */
export function timeTickText(
  ticks: readonly number[],
  locale: string,
  grain: TimeGrain | undefined,
): (at: number) => string {
  const [first = 0, second = first] = ticks;
  const step = second - first;
  if (grain === 'quarter' && step < 360 * DAY_MS) return quarterText;
  const spansYears = new Date(first).getUTCFullYear() !== new Date(ticks.at(-1) ?? first).getUTCFullYear();
  const options: Intl.DateTimeFormatOptions =
    grain === 'year' || step >= 360 * DAY_MS
      ? { year: 'numeric' }
      : grain === 'month' || step >= 28 * DAY_MS
        ? { year: 'numeric', month: 'short' }
        : grain !== 'instant' || step >= DAY_MS
          ? { day: 'numeric', month: 'short', ...(spansYears ? { year: '2-digit' } : {}) }
          : { day: 'numeric', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
  const format = new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' });
  return (at) => format.format(at);
}

function quarterText(at: number): string {
  const date = new Date(at);
  return `${date.getUTCFullYear()} Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
}
