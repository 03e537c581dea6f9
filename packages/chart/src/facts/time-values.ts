/** From coarse to fine. */
export type TimeGrain = 'year' | 'quarter' | 'month' | 'week' | 'day' | 'instant';

/** A point of time that a cell names. */
export interface TimePoint {
  /** Milliseconds since 1970 in UTC. */
  readonly at: number;
  readonly grain: TimeGrain;
}

const GRAINS: readonly TimeGrain[] = ['year', 'quarter', 'month', 'week', 'day', 'instant'];

/** The finer of two. */
export function finer(first: TimeGrain, second: TimeGrain): TimeGrain {
  return GRAINS.indexOf(first) > GRAINS.indexOf(second) ? first : second;
}

export const DAY_MS = 86_400_000;
/** The calendar comes again after so many years and days. */
const [CYCLE, CYCLE_MS] = [400, 146_097 * DAY_MS];
/** Behind the minute, and behind the second. */
const ZONE = /^()\s?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i;
const FRACTION_AND_ZONE = /^(\.\d{1,9})?\s?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?$/i;
const MONTH = /^(\d{4})-(\d{2})$/;
const QUARTER = /^(?:(\d{4})[- ]?Q([1-4])|Q([1-4])[- /]?(\d{4}))$/i;
const WEEK = /^(\d{4})-?W(\d{2})$/i;
const YEAR = /^(\d{4})$/;

/**
 * The point of time that a text names: ISO 8601 dates and times, `2024-03`, `2024-Q1`, `Q1 2024`, `2024-W07`, and a
 * year, which only its column can tell from a number. Undefined for all else, and for days that no calendar has.
 */
export function timePointOf(text: string): TimePoint | undefined {
  if (text.length > 40) return undefined;
  if (text.length >= 10 && text[4] === '-' && text[7] === '-') return isoPoint(text);
  const month = MONTH.exec(text);
  if (month !== null) return timePoint(Number(month[1]), Number(month[2]), 1, 'month');
  const quarter = QUARTER.exec(text);
  if (quarter !== null)
    return timePoint(Number(quarter[1] ?? quarter[4]), Number(quarter[2] ?? quarter[3]) * 3 - 2, 1, 'quarter');
  const week = WEEK.exec(text);
  if (week !== null) return weekPoint(Number(week[1]), Number(week[2]));
  const year = YEAR.exec(text);
  return year === null ? undefined : timePoint(Number(year[1]), 1, 1, 'year');
}

/** Undefined for days that no calendar has. */
export function timePoint(year: number, month: number, day: number, grain: TimeGrain): TimePoint | undefined {
  if (!(month >= 1 && month <= 12 && day >= 1 && day <= 31)) return undefined;
  // Date.UTC takes the years 0 to 99 for those of the twentieth century.
  const at = Date.UTC(year + CYCLE, month - 1, day) - CYCLE_MS;
  // 30 February would become a day of March.
  const isDay = day <= 28 || new Date(at).getUTCDate() === day;
  return isDay && !Number.isNaN(at) ? { at, grain } : undefined;
}

/** Read by place, not by pattern: a million moments are read several times. */
function isoPoint(text: string): TimePoint | undefined {
  const date = timePoint(digitsAt(text, 0, 4), digitsAt(text, 5, 2), digitsAt(text, 8, 2), 'day');
  if (date === undefined || text.length === 10) return date;
  if (!' Tt'.includes(text.charAt(10)) || text[13] !== ':') return undefined;
  const hasSecond = text[16] === ':';
  const [hour, minute, second] = [digitsAt(text, 11, 2), digitsAt(text, 14, 2), hasSecond ? digitsAt(text, 17, 2) : 0];
  if (!(hour <= 24 && minute <= 59 && second <= 60)) return undefined;
  const ms = ((hour * 60 + minute) * 60 + second) * 1_000;
  const end = hasSecond ? 19 : 16;
  if (text.length === end) return { at: date.at + ms, grain: 'instant' };
  const rest = (hasSecond ? FRACTION_AND_ZONE : ZONE).exec(text.slice(end));
  return rest === null
    ? undefined
    : { at: date.at + ms + Number(rest[1] || 0) * 1_000 - offsetMs(rest[2]), grain: 'instant' };
}

/** A number of so many digits, or NaN where something else stands among them. */
function digitsAt(text: string, start: number, length: number): number {
  let number = 0;
  for (let at = start; at < start + length; at += 1) {
    const digit = text.charCodeAt(at) - 48;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function offsetMs(zone: string | undefined): number {
  const [, sign, hours, minutes] = /^([+-])(\d{2}):?(\d{2})?$/.exec(zone ?? '') ?? [];
  if (sign === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes ?? 0)) * 60_000;
}

/** ISO 8601: week 1 is the one with 4 January in it, and begins on Monday. */
function weekPoint(year: number, week: number): TimePoint | undefined {
  if (week < 1 || week > 53) return undefined;
  const fourth = new Date(Date.UTC(year, 0, 4));
  const monday = fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS;
  return { at: monday + (week - 1) * 7 * DAY_MS, grain: 'week' };
}

/** Weeks from the first Monday of a year; week 0 is what is before it. What a text counts from Sundays is a day off. */
export function firstOfWeek(year: number, week: number): TimePoint | undefined {
  if (week > 53) return undefined;
  const first = Date.UTC(year, 0, 1);
  const monday = first + ((8 - new Date(first).getUTCDay()) % 7) * DAY_MS;
  return { at: Math.max(first, monday + (week - 1) * 7 * DAY_MS), grain: 'week' };
}

/** A place in time that comes again. */
export type Cycle = 'month' | 'quarter' | 'week' | 'weekday' | 'hour' | 'day';

/** How many places a cycle has at most. */
export const CYCLE_LENGTH: Readonly<Record<Cycle, number>> = {
  ...{ month: 12, quarter: 4, week: 53, weekday: 7, hour: 24, day: 31 },
};

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const NUMBERED_PART = /^(?:Q([1-4])|(?:week |wk |W)(\d{1,2}))$/i;
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];
const LONG_MONTHS = /^(?:january|february|march|april|june|july|august|september|october|november|december)$/i;
const LONG_WEEKDAYS = /^(?:monday|tuesday|wednesday|thursday|friday|saturday|sunday)$/i;

/** The place of an English name of a month or weekday in its cycle, of `Q3` or `Week 7`, or undefined. */
export function namedPart(text: string): { readonly cycle: Cycle; readonly place: number } | undefined {
  const [, quarter, week] = NUMBERED_PART.exec(text) ?? [];
  if (quarter !== undefined) return { cycle: 'quarter', place: Number(quarter) };
  if (week !== undefined) return Number(week) > 53 ? undefined : { cycle: 'week', place: Number(week) };
  const isLong = LONG_MONTHS.test(text) || LONG_WEEKDAYS.test(text) || /^sept$/i.test(text);
  if (text.length > 3 && !isLong) return undefined;
  const short = text.slice(0, 3).toLowerCase();
  if (MONTHS.includes(short)) return { cycle: 'month', place: MONTHS.indexOf(short) + 1 };
  if (WEEKDAYS.includes(short)) return { cycle: 'weekday', place: WEEKDAYS.indexOf(short) };
  return undefined;
}

/** How long a step of the grain is, for telling gaps; an instant has no step. */
export const STEP_MS: Readonly<Record<TimeGrain, number | undefined>> = {
  year: 365.25 * DAY_MS,
  quarter: 91.3 * DAY_MS,
  month: 30.44 * DAY_MS,
  week: 7 * DAY_MS,
  day: DAY_MS,
  instant: undefined,
};
