/**
 * Dates and times as ISO 8601, from the numbers that DuckDB stores
 * (https://duckdb.org/docs/stable/sql/data_types/timestamp).
 */

const DAY_NANOS = 86_400_000_000_000n;

/** The numbers that stand for infinity, in days and in the units of timestamps. */
const INFINITE_DAYS = 2 ** 31 - 1;
const INFINITE_UNITS = 2n ** 63n - 1n;

/** Days since 1970-01-01. Years before 1 or after 9999 have a sign and six digits, as ISO 8601 has them. */
export function isoDate(days: number): string {
  if (Math.abs(days) === INFINITE_DAYS) return days > 0 ? 'infinity' : '-infinity';
  const { year, month, day } = civil(days);
  const shown =
    year >= 0 && year <= 9999
      ? String(year).padStart(4, '0')
      : `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;
  return `${shown}-${two(month)}-${two(day)}`;
}

/** A point in time since 1970-01-01 in units of so many nanoseconds; `zone` stands behind it. */
export function isoTimestamp(units: bigint, unitNanos: bigint, zone: '' | 'Z' = ''): string {
  if (units === INFINITE_UNITS) return 'infinity';
  if (units === -INFINITE_UNITS) return '-infinity';
  const nanos = units * unitNanos;
  const rest = ((nanos % DAY_NANOS) + DAY_NANOS) % DAY_NANOS;
  return `${isoDate(Number((nanos - rest) / DAY_NANOS))}T${isoTime(rest)}${zone}`;
}

/** Nanoseconds since midnight; `24:00:00` is there. The fraction has as many digits as it needs. */
export function isoTime(nanos: bigint): string {
  const seconds = Number(nanos / 1_000_000_000n);
  const text = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return text + fraction(nanos % 1_000_000_000n, 9);
}

/** Seconds east of Greenwich: `+05:30`. */
export function isoOffset(seconds: number): string {
  const all = Math.abs(seconds);
  const rest = all % 60 === 0 ? '' : `:${two(all % 60)}`;
  return `${seconds < 0 ? '-' : '+'}${two(Math.floor(all / 3600))}:${two(Math.floor(all / 60) % 60)}${rest}`;
}

/** `P1Y2M3DT4H5M6.5S`; each part may be negative, and none is converted into another. */
export function isoInterval(months: number, days: number, micros: bigint): string {
  const years = Math.trunc(months / 12);
  const date = part(years, 'Y') + part(months - years * 12, 'M') + part(days, 'D');
  const sign = micros < 0n ? '-' : '';
  const all = micros < 0n ? -micros : micros;
  const seconds = all / 1_000_000n;
  const hours = seconds / 3600n;
  const minutes = (seconds / 60n) % 60n;
  const rest = `${seconds % 60n}${fraction(all % 1_000_000n, 6)}`;
  const time =
    (hours === 0n ? '' : `${sign}${hours}H`) +
    (minutes === 0n ? '' : `${sign}${minutes}M`) +
    (rest === '0' ? '' : `${sign}${rest}S`);
  if (date === '' && time === '') return 'PT0S';
  return `P${date}${time === '' ? '' : `T${time}`}`;
}

function part(count: number, unit: string): string {
  return count === 0 ? '' : `${count}${unit}`;
}

function fraction(value: bigint, digits: number): string {
  return value === 0n ? '' : `.${String(value).padStart(digits, '0').replace(/0+$/, '')}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/**
 * Days to the proleptic Gregorian calendar (Howard Hinnant, chrono-compatible low-level date algorithms,
 * civil_from_days).
 */
function civil(days: number): { readonly year: number; readonly month: number; readonly day: number } {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}
