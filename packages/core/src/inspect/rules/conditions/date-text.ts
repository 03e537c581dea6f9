/** What a string next to a date looks like. `other date` is a date that is not written as in ISO 8601. */
export type DateText = 'date' | 'date and time' | 'year or month' | 'time' | 'digits' | 'other date' | 'no date';

const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}\\.?';
const OTHER_DATES = [
  /^\d{1,2}[/.-]\d{1,2}[/.-](?:\d{4}|\d{2})(?:[ T]\d{1,2}:.*)?$/,
  /^\d{4}[/.]\d{1,2}[/.]\d{1,2}(?:[ T]\d{1,2}:.*)?$/,
  /^\d{4}-\d{1,2}-\d{1,2}(?:[ T]\d{1,2}:.*)?$/,
  /^\d{1,2}[/-]\d{4}$/,
  new RegExp(`^${MONTH}$`, 'i'),
  new RegExp(`^(?:\\d{1,2}(?:st|nd|rd|th)?[ -])?${MONTH}[ -]?,?[ ]?(?:\\d{1,2}(?:st|nd|rd|th)?,?[ ])?\\d{2,4}$`, 'i'),
  new RegExp(`^\\d{4}[ -]${MONTH}(?:[ -]\\d{1,2})?$`, 'i'),
];

/** Longer strings are no dates. */
const MAX_CHARACTERS = 60;

/** Sorts a string by how it would be read as a date. ISO 8601 in the forms that SQL engines take: `2024-05-01`, `2024-05-01 10:00:00Z`. */
export function dateText(text: string): DateText {
  const value = text.trim();
  if (value.length > MAX_CHARACTERS) return 'no date';
  if (/^\d{4}-\d{2}-\d{2}$/.test(value)) return 'date';
  if (
    /^\d{4}-\d{2}-\d{2}[ T]\d{1,2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?\s?(?:Z|[+-]\d{1,2}(?::?\d{2})?|[A-Za-z][\w/]*)?$/.test(
      value,
    )
  )
    return 'date and time';
  if (/^\d{4}(?:-\d{2}-?)?$/.test(value)) return 'year or month';
  if (/^\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:\s?[ap]m)?$/i.test(value)) return 'time';
  if (/^\d+$/.test(value)) return 'digits';
  return OTHER_DATES.some((pattern) => pattern.test(value)) ? 'other date' : 'no date';
}

/** False for 2024-02-30: no such day. Only of texts that begin like an ISO date. */
export function dayExists(text: string): boolean {
  const [, year, month, day] = /^\s*(\d{4})-(\d{2})-(\d{2})/.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return true;
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day) && Number(month) > 0;
}
