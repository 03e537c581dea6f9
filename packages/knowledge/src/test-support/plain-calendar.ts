import type { TimeGrain } from '../model/semantic-model.ts';

/** How periods are counted where that is not by the calendar year and by Mondays. */
export interface PlainCalendar {
  /** 1 to 12. Default: 1. */
  readonly fiscalYearStart?: number | undefined;
  readonly weekStart?: 'monday' | 'sunday' | undefined;
}

const MONTHS: Readonly<Partial<Record<TimeGrain, number>>> = { month: 1, quarter: 3, year: 12 };

const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/** The first day of the period in which `day` (`2024-02-29`, or a time of it) lies. */
export function firstDay(day: string, grain: TimeGrain, calendar: PlainCalendar = {}): string {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  if (grain === 'week') {
    const since = calendar.weekStart === 'sunday' ? date.getUTCDay() : (date.getUTCDay() + 6) % 7;
    date.setUTCDate(date.getUTCDate() - since);
  }
  const months = MONTHS[grain];
  if (months !== undefined) {
    const start = months === 1 ? 0 : (calendar.fiscalYearStart ?? 1) - 1;
    date.setUTCMonth(date.getUTCMonth() - ((date.getUTCMonth() - start + 12) % months), 1);
  }
  return dayOf(date);
}

/** `day`, moved by whole units; the last day of a month stays within the month. */
export function moved(day: string, count: number, unit: TimeGrain): string {
  const date = new Date(`${day.slice(0, 10)}T00:00:00Z`);
  const months = MONTHS[unit];
  if (months === undefined) {
    date.setUTCDate(date.getUTCDate() + count * (unit === 'week' ? 7 : 1));
    return dayOf(date);
  }
  const target = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count * months, 1));
  const last = new Date(Date.UTC(target.getUTCFullYear(), target.getUTCMonth() + 1, 0)).getUTCDate();
  target.setUTCDate(Math.min(date.getUTCDate(), last));
  return dayOf(target);
}
