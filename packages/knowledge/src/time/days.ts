import type { TimeGrain } from '../model/semantic-model.ts';

/** Days as ISO dates: `2024-02-29`. All of this is the calendar alone, without hours or zones. */
export interface DayRange {
  /** The first day; open when left out. */
  readonly from?: string | undefined;
  /** The day behind the last; open when left out. */
  readonly to?: string | undefined;
}

/** How periods are counted. */
export interface CalendarRules {
  /** 1 to 12: the month in which years begin. A year has the number of the calendar year in which it ends. */
  readonly yearStart: number;
  readonly weekStart: 'monday' | 'sunday';
}

const MS_A_DAY = 86_400_000;

export function addDays(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * MS_A_DAY).toISOString().slice(0, 10);
}

/** The first of a month, counted from year 0. */
function firstOfMonth(months: number): string {
  const year = Math.floor(months / 12);
  return `${String(year).padStart(4, '0')}-${String(months - year * 12 + 1).padStart(2, '0')}-01`;
}

function monthsOf(day: string): number {
  return Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1;
}

const MONTHS_OF = { month: 1, quarter: 3, year: 12 } as const;

/** The period that holds a day, moved by a number of periods. */
export function periodOf(day: string, grain: TimeGrain, { yearStart, weekStart }: CalendarRules, moved = 0): DayRange {
  if (grain === 'day') return { from: addDays(day, moved), to: addDays(day, moved + 1) };
  if (grain === 'week') {
    const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
    const first = addDays(day, 7 * moved - (weekStart === 'sunday' ? weekday : (weekday + 6) % 7));
    return { from: first, to: addDays(first, 7) };
  }
  const size = MONTHS_OF[grain];
  const since = monthsOf(day) - (yearStart - 1);
  const first = Math.floor(since / size) * size + (yearStart - 1) + moved * size;
  return { from: firstOfMonth(first), to: firstOfMonth(first + size) };
}

/** The months `first` to `first + count - 1` of a year, 0 for its first. */
export function monthsOfYear(year: number, first: number, count: number, { yearStart }: CalendarRules): DayRange {
  const start = (yearStart === 1 ? year : year - 1) * 12 + yearStart - 1 + first;
  return { from: firstOfMonth(start), to: firstOfMonth(start + count) };
}

/** The day so many months before; the last day of a month stays within the month. */
export function monthsBefore(day: string, count: number): string {
  const first = firstOfMonth(monthsOf(day) - count);
  const last = addDays(firstOfMonth(monthsOf(day) - count + 1), -1);
  return `${first.slice(0, 8)}${Math.min(Number(day.slice(8, 10)), Number(last.slice(8)))
    .toString()
    .padStart(2, '0')}`;
}

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/u.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
