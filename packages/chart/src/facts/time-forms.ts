import { firstOfWeek, namedPart, type TimePoint, timePoint, timePointOf } from './time-values.ts';

/** Reads the point of time that a cell of one column names. */
export type TimeReader = (text: string) => TimePoint | undefined;

type Unit = 'week' | 'quarter' | 'month';

const UNIT_NAMES: readonly (readonly [Unit, RegExp])[] = [
  ['week', /week(?!_?day|s|end|ly)|(?:^|_)wk|%[WUV]/i],
  ['quarter', /quarter(?!s|ly)|qtr/i],
  ['month', /month(?!s|ly)|(?:^|_)ym(?:$|_)|yyyymm|%Y.?%m|%m.?%Y/i],
];
const DAY_NAME = /date|day(?!s)|yyyymmdd|%Y%m%d|_on$|_at$/i;
const YEAR_FIRST = /^(\d{4})([-/. ]?)W?(\d{1,2})$/i;
const YEAR_LAST = /^(\d{1,2})([-/. ])(\d{4})$/;
const DAY = /^(\d{1,2})([./-])(\d{1,2})\2(\d{4})(?:[ T](\d{2}):(\d{2})(?::(\d{2}))?)?$/;
const DAY_YEAR_FIRST = /^(\d{4})([/.])(\d{1,2})\2(\d{1,2})$/;
const COMPACT_DAY = /^((?:19|20)\d\d)(\d\d)(\d\d)$/;
const NAMED_MONTH = /^(?:([a-z]{3,9})\.?[- ,/]{1,2}(\d{4})|(\d{4})[- /]([a-z]{3,9}))$/i;
/** `12 Jun 2023`, `June 12, 2023`, `2023-Jun-12`. */
const NAMED_DAYS: readonly RegExp[] = [
  /^(?<day>\d{1,2})\.?[- ](?<month>[a-z]{3,9})\.?,?[- ](?<year>\d{4})$/i,
  /^(?<month>[a-z]{3,9})\.? (?<day>\d{1,2}),? (?<year>\d{4})$/i,
  /^(?<year>\d{4})[- ](?<month>[a-z]{3,9})[- ](?<day>\d{1,2})$/i,
];

/**
 * How the texts of a column name points of time, where each of them does in one and the same way; undefined where one
 * does not, or where they may be read in two ways: `03/04/2024`, seasons such as `2008-09`, two digits for a year.
 * A year with a number is what the column is called: a week, a quarter, or a month.
 */
export function timeReaderOf(name: string, texts: readonly string[]): TimeReader | undefined {
  const [first] = texts;
  if (first === undefined || first.length > 40) return undefined;
  const readers = [numberedReader(name, texts), timePointOf, dayReader(name, texts), namedReader, compactReader(name)];
  if (isSeasons(name, texts)) return undefined;
  return readers.find((read) => read !== undefined && texts.every((text) => read(text) !== undefined));
}

const unitOf = (name: string): Unit | undefined => UNIT_NAMES.find(([, pattern]) => pattern.test(name))?.[0];

/** `2024-07`, `7/2024`, `202407`. */
function numberedReader(name: string, texts: readonly string[]): TimeReader | undefined {
  const named = unitOf(name);
  const parts = texts.map(numbered);
  if (parts.some((part) => part === undefined)) return undefined;
  const hasMark = parts.every((part) => part?.mark === '/' || (part?.mark !== '' && part?.isLast));
  const isWeeks = texts.every((text) => /w/i.test(text));
  const unit = isWeeks ? 'week' : (named ?? (hasMark ? 'month' : undefined));
  // ISO 8601 has no week 0. Where it is counted, weeks begin with the first Monday.
  const isIso = isWeeks && parts.every((part) => (part?.number ?? 0) > 0);
  if (unit === undefined || (!isWeeks && texts.some((text) => /w/i.test(text)))) return undefined;
  return (text) => {
    const part = numbered(text);
    if (part === undefined || part.year < 1000 || part.year > 2999) return undefined;
    const { year, number } = part;
    if (unit === 'week') return isIso ? timePointOf(text) : firstOfWeek(year, number);
    if (unit === 'quarter') return number > 4 ? undefined : timePoint(year, number * 3 - 2, 1, 'quarter');
    return timePoint(year, number, 1, 'month');
  };
}

interface Numbered {
  readonly year: number;
  readonly number: number;
  readonly mark: string;
  readonly isLast: boolean;
}

function numbered(text: string): Numbered | undefined {
  const [, year, mark = '', number] = YEAR_FIRST.exec(text) ?? [];
  if (year !== undefined) return { year: Number(year), number: Number(number), mark, isLast: false };
  const [, before, between = '', last] = YEAR_LAST.exec(text) ?? [];
  return last === undefined ? undefined : { year: Number(last), number: Number(before), mark: between, isLast: true };
}

/** `2008-09`, `2009-10`: each the year after, which may be months as well. */
function isSeasons(name: string, texts: readonly string[]): boolean {
  return (
    unitOf(name) === undefined &&
    texts.every((text) => {
      const part = numbered(text);
      return part !== undefined && !part.isLast && part.mark !== '' && part.number === (part.year + 1) % 100;
    })
  );
}

/** `31.12.2024` has the day first. With other marks one of the two orders has to be impossible, or in the name. */
function dayReader(name: string, texts: readonly string[]): TimeReader | undefined {
  if (texts.every((text) => DAY_YEAR_FIRST.test(text)))
    return (text) => {
      const [, year, , month, day] = DAY_YEAR_FIRST.exec(text) ?? [];
      return timePoint(Number(year), Number(month), Number(day), 'day');
    };
  const orders = [true, false].filter((isDayFirst) => texts.every((text) => dayIn(text, isDayFirst) !== undefined));
  const isNamed = (pattern: RegExp): boolean => pattern.test(name);
  const hasDots = texts.every((text) => text.includes('.'));
  if (orders.includes(true) && (hasDots || orders.length === 1 || isNamed(/%d.%m/))) return (text) => dayIn(text, true);
  return orders.includes(false) && (orders.length === 1 || isNamed(/%m.%d/)) && !hasDots
    ? (text) => dayIn(text, false)
    : undefined;
}

function dayIn(text: string, isDayFirst: boolean): TimePoint | undefined {
  const [, first, , second, year, hour, minute, seconds = '0'] = DAY.exec(text) ?? [];
  if (year === undefined) return undefined;
  const [day, month] = isDayFirst ? [first, second] : [second, first];
  const date = timePoint(Number(year), Number(month), Number(day), 'day');
  if (date === undefined || hour === undefined) return date;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(seconds) > 59) return undefined;
  const ms = ((Number(hour) * 60 + Number(minute)) * 60 + Number(seconds)) * 1_000;
  return { at: date.at + ms, grain: 'instant' };
}

/** `Jun 2023`, `2023-June`, `12 Jun 2023`, `June 12, 2023`. */
function namedReader(text: string): TimePoint | undefined {
  const [, month = '', year, yearFirst, monthLast = ''] = NAMED_MONTH.exec(text) ?? [];
  const inYear = monthNumber(month || monthLast);
  if (inYear !== undefined) return timePoint(Number(year ?? yearFirst), inYear, 1, 'month');
  for (const pattern of NAMED_DAYS) {
    const { day, month: name = '', year: ofYear } = pattern.exec(text)?.groups ?? {};
    const number = monthNumber(name);
    if (number !== undefined) return timePoint(Number(ofYear), number, Number(day), 'day');
  }
  return undefined;
}

function monthNumber(text: string): number | undefined {
  const part = namedPart(text);
  return part?.cycle === 'month' ? part.place : undefined;
}

/** `20241231`, where the column is called a day. */
function compactReader(name: string): TimeReader | undefined {
  if (!DAY_NAME.test(name)) return undefined;
  return (text) => {
    const [, year, month, day] = COMPACT_DAY.exec(text) ?? [];
    return year === undefined ? undefined : timePoint(Number(year), Number(month), Number(day), 'day');
  };
}
