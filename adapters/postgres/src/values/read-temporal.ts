/**
 * Dates and times as ISO 8601, from the form that `DateStyle = ISO` gives (https://www.postgresql.org/docs/current/datatype-datetime.html):
 * `T` between the two, whole offsets (`+00:00`), years before Christ and beyond 9999 with a sign. `infinity` and `-infinity` stay.
 */
export function readTimestamp(text: string): string {
  const space = text.indexOf(' ');
  if (space < 0) return text;
  const isBefore = text.endsWith(' BC');
  const time = text.slice(space + 1, isBefore ? -3 : undefined);
  return `${isoDate(text.slice(0, space), isBefore)}T${readTime(time)}`;
}

export function readDate(text: string): string {
  if (text.endsWith('infinity')) return text;
  return text.endsWith(' BC') ? isoDate(text.slice(0, -3), true) : isoDate(text, false);
}

/** `10:00:00+02` is `10:00:00+02:00` in ISO 8601. */
export function readTime(text: string): string {
  return /[+-]\d\d$/.test(text) ? `${text}:00` : text;
}

/** ISO 8601 counts a year 0, so 1 BC is 0000 and 44 BC is -0043; years of more digits carry a sign. */
function isoDate(date: string, isBefore: boolean): string {
  const end = date.indexOf('-');
  const digits = date.slice(0, end);
  const rest = date.slice(end);
  if (!isBefore) return digits.length > 4 ? `+${digits.padStart(6, '0')}${rest}` : date;
  const year = Number(digits) - 1;
  return year === 0 ? `0000${rest}` : `-${String(year).padStart(digits.length > 4 ? 6 : 4, '0')}${rest}`;
}
