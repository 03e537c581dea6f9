/** How people and programs write a day or a month. `m` and `d` are without a leading zero. */
const FORMS = [
  'yyyy-mm-dd',
  'yyyy-m-d',
  'yyyy/mm/dd',
  'yyyy/m/d',
  'yyyy.mm.dd',
  'yyyymmdd',
  'dd/mm/yyyy',
  'd/m/yyyy',
  'mm/dd/yyyy',
  'm/d/yyyy',
  'dd-mm-yyyy',
  'mm-dd-yyyy',
  'dd.mm.yyyy',
  'd.m.yyyy',
  'd Month yyyy',
  'd Mon yyyy',
  'dd-Mon-yyyy',
  'd-Mon-yyyy',
  'Month d, yyyy',
  'Mon d, yyyy',
  'Month yyyy',
  'Mon yyyy',
  'yyyy-mm',
  'mm/yyyy',
] as const;

const TOKEN = /yyyy|Month|Mon|mm|dd|m|d/g;
const MONTHS = 'January|February|March|April|May|June|July|August|September|October|November|December'.split('|');
const SHORT_MONTHS = MONTHS.map((name) => name.slice(0, 3));

const PATTERNS: Readonly<Record<string, string>> = {
  yyyy: '(?<year>\\d{4})',
  Month: `(?<name>${MONTHS.join('|')})`,
  Mon: `(?<name>${SHORT_MONTHS.join('|')})`,
  mm: '(?<month>0[1-9]|1[0-2])',
  m: '(?<month>[1-9]|1[0-2])',
  dd: '(?<day>0[1-9]|[12]\\d|3[01])',
  d: '(?<day>[1-9]|[12]\\d|3[01])',
};
const READERS = FORMS.map((form) => {
  const pattern = form.replaceAll('.', '\\.').replace(TOKEN, (token) => PATTERNS[token] ?? token);
  return { form, pattern: new RegExp(`^${pattern}$`, 'i') };
});

/** Behind a day: a time, of which midnight says nothing. */
const TIME = /^(.*\d)[ T](\d{1,2}:\d{2}[\w:.,+/ -]*)$/;
const MIDNIGHT = /^0?0:00(?::00(?:\.0+)?)?Z?$/;
const MAX_CHARACTERS = 60;

type Form = (typeof FORMS)[number];

/** A day, or a month. */
interface ReadDate {
  readonly form: Form;
  readonly year: number;
  readonly month: number;
  readonly day: number | undefined;
}

/** All days and months that a text may be: of `01/03/2024` two. None of digits alone, which are numbers. */
function readDate(text: string): readonly ReadDate[] {
  if (text.length > MAX_CHARACTERS) return [];
  const { day: date } = splitTime(text);
  return READERS.flatMap(({ form, pattern }) => {
    const groups = pattern.exec(date)?.groups;
    if (groups === undefined) return [];
    const short = groups.name?.slice(0, 3).toLowerCase();
    const month =
      short === undefined ? Number(groups.month) : SHORT_MONTHS.findIndex((m) => m.toLowerCase() === short) + 1;
    const day = groups.day === undefined ? undefined : Number(groups.day);
    return [{ form, year: Number(groups.year), month, day }];
  });
}

function splitTime(text: string): { readonly day: string; readonly time: string | undefined } {
  const [, day, time] = TIME.exec(text.trim()) ?? [];
  return day === undefined ? { day: text.trim(), time: undefined } : { day, time };
}

/** True for a day or a month in one of the usual forms, also with a time behind it. False for digits alone. */
export function isDateText(text: string): boolean {
  return !/^\d*$/.test(text.trim()) && readDate(text).length > 0;
}

/** True where a text has a time of the day behind its date. */
export function hasTime(text: string): boolean {
  return splitTime(text).time !== undefined;
}

/**
 * All other usual ways to write the day that a text is, for each day that it may be. None where it has a time other
 * than midnight.
 */
export function writtenOtherwise(text: string): readonly string[] {
  const { time } = splitTime(text);
  if (time !== undefined && !MIDNIGHT.test(time)) return [];
  const found = new Set(
    readDate(text).flatMap((date) =>
      FORMS.filter((form) => hasDay(form) === hasDay(date.form)).map((form) => write(date, form)),
    ),
  );
  found.delete(text);
  return [...found];
}

/** True where a text has a form that all of the dates have; undefined where these are no dates of one form. */
export function isWrittenLike(text: string, dates: readonly string[]): boolean | undefined {
  const formsOf = (date: string): readonly Form[] => readDate(date).map(({ form }) => form);
  const [first, ...others] = dates.map(formsOf);
  const shared = first?.filter((form) => others.every((forms) => forms.includes(form))) ?? [];
  if (shared.length === 0) return undefined;
  return formsOf(text).some((form) => shared.includes(form));
}

/** The day after one that is written as in ISO 8601. Undefined for other texts and for days that do not exist. */
export function nextDay(text: string): string | undefined {
  const start = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(start)) return undefined;
  return new Date(start + 24 * 60 * 60 * 1_000).toISOString().slice(0, 10);
}

function hasDay(form: Form): boolean {
  return /d/.test(form);
}

function write({ year, month, day = 1 }: ReadDate, form: Form): string {
  const two = (part: number): string => String(part).padStart(2, '0');
  const written: Readonly<Record<string, string>> = {
    yyyy: String(year).padStart(4, '0'),
    Month: MONTHS[month - 1] ?? '',
    Mon: SHORT_MONTHS[month - 1] ?? '',
    mm: two(month),
    m: String(month),
    dd: two(day),
    d: String(day),
  };
  return form.replace(TOKEN, (token) => written[token] ?? token);
}
