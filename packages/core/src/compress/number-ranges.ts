/** What a run of digits counts: days (`20160801`), months (`201608`) or numbers. */
type NumberKind = 'day' | 'month' | 'number';

/** Longer runs of digits are listed, never counted. */
const MAX_DIGITS = 15;

/** A range as it is written: `7`, or `20160801..20170801`. */
export interface NumberRange {
  readonly first: string;
  readonly last: string;
  readonly count: number;
}

/** Eight digits that are a date between 1900 and 2099 count in days, six that are a year and a month in months, all others by one. */
function numberKind(digits: string): NumberKind {
  if (!/^(?:19|20)\d{4}(?:\d\d)?$/.test(digits)) return 'number';
  const month = Number(digits.slice(4, 6));
  if (month < 1 || month > 12) return 'number';
  if (digits.length === 6) return 'month';
  const day = Number(digits.slice(6));
  return day >= 1 && day <= daysOfMonth(Number(digits.slice(0, 4)), month) ? 'day' : 'number';
}

/** True for a run of digits that can be a year, a month or a day of a calendar. */
export function isCalendar(digits: string): boolean {
  return /^(?:19|20)\d\d$/.test(digits) || numberKind(digits) !== 'number';
}

/** What follows a run of digits; undefined where counting ends. */
function nextDigits(digits: string): string | undefined {
  if (digits.length > MAX_DIGITS) return undefined;
  const kind = numberKind(digits);
  if (kind === 'number') return String(Number(digits) + 1).padStart(digits.length, '0');
  const year = Number(digits.slice(0, 4));
  const month = Number(digits.slice(4, 6));
  const day = kind === 'day' ? Number(digits.slice(6)) : 0;
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  if (kind === 'day' && day < daysOfMonth(year, month)) return `${digits.slice(0, 6)}${twoDigits(day + 1)}`;
  const following = month === 12 ? `${year + 1}01` : `${year}${twoDigits(month + 1)}`;
  return kind === 'day' ? `${following}01` : following;
}

function daysOfMonth(year: number, month: number): number {
  return new Date(Date.UTC(year, month, 0)).getUTCDate();
}

/**
 * Distinct runs of digits as ranges without gaps, in ascending order. Runs of one range have one kind, and one width unless none
 * has a leading zero, so that the ends alone say what lies between.
 */
export function toRanges(values: readonly string[]): NumberRange[] {
  const sorted = [...new Set(values)].sort((a, b) => a.length - b.length || (a < b ? -1 : 1));
  const isPadded = sorted.some((value) => value.length > 1 && value.startsWith('0'));
  const ranges: { first: string; last: string; count: number }[] = [];
  for (const value of sorted) {
    const current = ranges.at(-1);
    const isNext =
      current !== undefined &&
      nextDigits(current.last) === value &&
      numberKind(current.first) === numberKind(value) &&
      (!isPadded || current.first.length === value.length);
    if (isNext) {
      current.last = value;
      current.count += 1;
    } else ranges.push({ first: value, last: value, count: 1 });
  }
  return ranges;
}

/** Ranges as text: `20160801..20170801,20170803`. A range of two is a list of two. */
export function writeRanges(ranges: readonly NumberRange[]): string {
  return ranges
    .map(({ first, last, count }) => (count === 1 ? first : `${first}${count === 2 ? ',' : '..'}${last}`))
    .join(',');
}
