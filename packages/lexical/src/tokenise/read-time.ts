import { readNumber } from './numbers.ts';
import type { Token } from './token.ts';

/** A stretch of time: from the first day on, up to but not including the day after the last. */
export interface TimeSpan {
  /** ISO 8601 date, or date and time. */
  readonly start: string;
  readonly end: string;
  /** Set when the span is exactly one calendar year. */
  readonly year?: number | undefined;
  /** The day that it was counted from, where the words say none: "last month". */
  readonly countedFrom?: string | undefined;
}

export interface TimePhrase {
  readonly span: TimeSpan;
  readonly end: number;
}

const MONTHS = [
  'january',
  'february',
  'march',
  'april',
  'may',
  'june',
  'july',
  'august',
  'september',
  'october',
  'november',
  'december',
];

/**
 * The time that begins at this token: a year, a month with a year, a day, a quarter, or one relative to today ("last
 * month", "the last 30 days"). `today` is an ISO 8601 date.
 */
export function readTime(tokens: readonly Token[], at: number, today: string): TimePhrase | undefined {
  const first = tokens[at];
  if (first === undefined) return undefined;
  if (first.kind === 'date') return readIsoDate(first, at);
  if (first.kind === 'number') return readDayFirst(tokens, at) ?? readYear(first, at);
  if (first.kind !== 'word') return undefined;
  const named = readMonth(tokens, at) ?? readQuarter(tokens, at) ?? readBoundary(tokens, at);
  const relative = named === undefined ? readRelative(tokens, at, today) : undefined;
  if (relative === undefined) return named;
  return { ...relative, span: { ...relative.span, countedFrom: today.slice(0, 10) } };
}

function readIsoDate(token: Token, at: number): TimePhrase | undefined {
  const iso = token.isoDate ?? '';
  const day = iso.slice(0, 10);
  if (Number.isNaN(Date.parse(day))) return undefined;
  const span =
    iso.length > 10
      ? { start: iso.replace('T', ' '), end: iso.replace('T', ' ') }
      : { start: day, end: addDays(day, 1) };
  return { span, end: at + 1 };
}

/** The year that a plain number means; undefined for one that is none. */
function readYear(token: Token | undefined, at: number): TimePhrase | undefined {
  const year = yearOf(token);
  return year === undefined ? undefined : { span: yearSpan(year), end: at + 1 };
}

function yearOf(token: Token | undefined): number | undefined {
  return token?.kind === 'number' && /^[12]\d{3}$/u.test(token.text) ? Number(token.text) : undefined;
}

function yearSpan(year: number): TimeSpan {
  return { start: `${year}-01-01`, end: `${year + 1}-01-01`, year };
}

/** "March 2014", "March 5, 2014", "March 5th 2014". */
function readMonth(tokens: readonly Token[], at: number): TimePhrase | undefined {
  const month = monthOf(tokens[at]);
  if (month === undefined) return undefined;
  const year = yearOf(tokens[at + 1]);
  if (year !== undefined) return { span: monthSpan(year, month, 1), end: at + 2 };
  if (tokens[at + 1]?.lower === 'of') {
    const later = yearOf(tokens[at + 2]);
    return later === undefined ? undefined : { span: monthSpan(later, month, 1), end: at + 3 };
  }
  if (tokens[at + 1]?.kind !== 'number') return undefined;
  let next = at + 2;
  if (isOrdinalEnding(tokens[next])) next += 1;
  if (tokens[next]?.kind === 'comma') next += 1;
  return dayPhrase(yearOf(tokens[next]), month, tokens[at + 1]?.value, next + 1);
}

/** "5 March 2014", "5th of March 2014". */
function readDayFirst(tokens: readonly Token[], at: number): TimePhrase | undefined {
  let next = at + 1;
  if (isOrdinalEnding(tokens[next])) next += 1;
  if (tokens[next]?.lower === 'of') next += 1;
  const month = monthOf(tokens[next]);
  if (month === undefined) return undefined;
  next += 1;
  if (tokens[next]?.kind === 'comma') next += 1;
  return dayPhrase(yearOf(tokens[next]), month, tokens[at]?.value, next + 1);
}

function dayPhrase(
  year: number | undefined,
  month: number,
  day: number | undefined,
  end: number,
): TimePhrase | undefined {
  if (year === undefined || day === undefined || !Number.isInteger(day) || day < 1 || day > 31) return undefined;
  const start = `${year}-${pad(month)}-${pad(day)}`;
  if (Number.isNaN(Date.parse(start))) return undefined;
  return { span: { start, end: addDays(start, 1) }, end };
}

function isOrdinalEnding(token: Token | undefined): boolean {
  return token !== undefined && ['st', 'nd', 'rd', 'th'].includes(token.lower);
}

/** "January and March 2025": the first month is one of the year that the last one names. */
export function readMonthRange(
  tokens: readonly Token[],
  at: number,
  joints: readonly string[],
): TimePhrase | undefined {
  const first = monthOf(tokens[at]);
  if (first === undefined || !joints.includes(tokens[at + 1]?.lower ?? '')) return undefined;
  const last = monthOf(tokens[at + 2]);
  const year = yearOf(tokens[at + 3]);
  if (last === undefined || year === undefined || first > last) return undefined;
  return { span: monthSpan(year, first, last - first + 1), end: at + 4 };
}

function monthOf(token: Token | undefined): number | undefined {
  if (token?.kind !== 'word') return undefined;
  const place = MONTHS.findIndex(
    (month) => month === token.lower || (token.lower.length === 3 && month.startsWith(token.lower)),
  );
  return place < 0 ? undefined : place + 1;
}

function monthSpan(year: number, month: number, months: number): TimeSpan {
  const last = month - 1 + months;
  return {
    start: `${year}-${pad(month)}-01`,
    end: `${year + Math.floor(last / 12)}-${pad((last % 12) + 1)}-01`,
  };
}

/** "Q3 2014", "the third quarter of 2014", "the first half of 2014", "H1 2014". */
function readQuarter(tokens: readonly Token[], at: number): TimePhrase | undefined {
  const short = /^q([1-4])$/u.exec(tokens[at]?.lower ?? '');
  if (short !== null) {
    const year = yearOf(tokens[at + 1]);
    return year === undefined ? undefined : { span: monthSpan(year, (Number(short[1]) - 1) * 3 + 1, 3), end: at + 2 };
  }
  const half = /^h([12])$/u.exec(tokens[at]?.lower ?? '');
  const halfYear = half === null ? undefined : yearOf(tokens[at + 1]);
  if (half !== null && halfYear !== undefined)
    return { span: monthSpan(halfYear, (Number(half[1]) - 1) * 6 + 1, 6), end: at + 2 };
  const start = tokens[at]?.lower === 'the' ? at + 1 : at;
  const place = ['first', 'second', 'third', 'fourth'].indexOf(tokens[start]?.lower ?? '');
  const months = { quarter: 3, half: 6 }[tokens[start + 1]?.lower ?? ''];
  if (place < 0 || months === undefined || (place + 1) * months > 12) return undefined;
  const behind = start + (tokens[start + 2]?.lower === 'of' ? 3 : 2);
  const year = yearOf(tokens[behind]);
  return year === undefined ? undefined : { span: monthSpan(year, place * months + 1, months), end: behind + 1 };
}

/** "the beginning of 2024", "the end of May 2024": the first or the last day of it. */
function readBoundary(tokens: readonly Token[], at: number): TimePhrase | undefined {
  const start = tokens[at]?.lower === 'the' ? at + 1 : at;
  const word = tokens[start]?.lower ?? '';
  const isFirst = word === 'beginning' || word === 'start';
  if ((!isFirst && word !== 'end') || tokens[start + 1]?.lower !== 'of') return undefined;
  const whole = readMonth(tokens, start + 2) ?? readYear(tokens[start + 2], start + 2);
  if (whole === undefined) return undefined;
  const day = isFirst ? whole.span.start : addDays(whole.span.end, -1);
  return { span: { start: day, end: addDays(day, 1) }, end: whole.end };
}

/** "today", "last month", "this year", "the last 30 days". Without a valid `today` nothing is relative to it. */
function readRelative(tokens: readonly Token[], at: number, today: string): TimePhrase | undefined {
  if (!/^\d{4}-\d{2}-\d{2}/u.test(today)) return undefined;
  const day = today.slice(0, 10);
  const start = tokens[at]?.lower === 'the' ? at + 1 : at;
  const word = tokens[start]?.lower ?? '';
  if (word === 'today') return { span: { start: day, end: addDays(day, 1) }, end: start + 1 };
  if (word === 'yesterday') return { span: { start: addDays(day, -1), end: day }, end: start + 1 };
  const offset = ['this', 'current'].includes(word) ? 0 : ['last', 'previous', 'past'].includes(word) ? -1 : undefined;
  if (offset === undefined) return undefined;
  const unit = tokens[start + 1]?.lower ?? '';
  const calendar = calendarSpan(day, unit, offset);
  if (calendar !== undefined) return { span: calendar, end: start + 2 };
  const number = readNumber(tokens, start + 1);
  if (number === undefined || offset === 0) return undefined;
  const from = shiftBack(day, tokens[number.end]?.lower ?? '', number.value);
  return from === undefined ? undefined : { span: { start: from, end: addDays(day, 1) }, end: number.end + 1 };
}

function calendarSpan(day: string, unit: string, offset: number): TimeSpan | undefined {
  const year = Number(day.slice(0, 4));
  const month = Number(day.slice(5, 7));
  if (unit === 'year') return yearSpan(year + offset);
  if (unit === 'month') {
    const place = year * 12 + month - 1 + offset;
    return monthSpan(Math.floor(place / 12), (place % 12) + 1, 1);
  }
  if (unit === 'quarter') {
    const place = year * 4 + Math.floor((month - 1) / 3) + offset;
    return monthSpan(Math.floor(place / 4), (place % 4) * 3 + 1, 3);
  }
  if (unit !== 'week') return undefined;
  // Weeks begin on Monday (ISO 8601).
  const weekday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const monday = addDays(day, -weekday + 7 * offset);
  return { start: monday, end: addDays(monday, 7) };
}

function shiftBack(day: string, unit: string, count: number): string | undefined {
  if (!Number.isInteger(count) || count < 1 || count > 100_000) return undefined;
  const singular = unit.replace(/s$/u, '');
  if (singular === 'day') return addDays(day, -count);
  if (singular === 'week') return addDays(day, -7 * count);
  if (singular !== 'month' && singular !== 'year') return undefined;
  const months = singular === 'month' ? count : 12 * count;
  const place = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - 1 - months;
  if (place < 12_000) return undefined;
  const first = `${Math.floor(place / 12)}-${pad((place % 12) + 1)}`;
  const lastDay = Number(addDays(monthSpan(Math.floor(place / 12), (place % 12) + 1, 1).end, -1).slice(8));
  return `${first}-${pad(Math.min(Number(day.slice(8)), lastDay))}`;
}

function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}

function pad(number: number): string {
  return String(number).padStart(2, '0');
}
