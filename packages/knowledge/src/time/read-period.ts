import type { TimeGrain } from '../model/semantic-model.ts';
import type { Word } from '../words/words-of.ts';
import { addDays, type CalendarRules, type DayRange, isDay, monthsBefore, monthsOfYear, periodOf } from './days.ts';

/** What relative times are relative to. */
export interface Clock {
  /** ISO date; without one, an empty text, nothing is relative to it. */
  readonly today: string;
  readonly calendar: CalendarRules;
  /** Undefined where nobody says when fiscal years begin: then there are none. */
  readonly fiscal?: CalendarRules | undefined;
}

export interface Period {
  readonly range: DayRange;
  /** The position of the word behind it. */
  readonly end: number;
  /** It was counted in fiscal years. */
  readonly isFiscal?: boolean | undefined;
  /** A month without a year: its number, 0 for January. */
  readonly bareMonth?: number | undefined;
  /** "the last year": behind "over" it ends today. */
  readonly isLoose?: boolean | undefined;
  /** What was taken for granted, as one sentence. */
  readonly assumption?: string | undefined;
}

type Groups = Readonly<Record<string, string | undefined>>;
type Meaning = Omit<Period, 'end'> | undefined;

interface Pattern {
  readonly pattern: RegExp;
  readonly read: (groups: Groups, clock: Clock) => Meaning;
}

/** What needs to know which day it is. */
const RELATIVE = /this|current|last|past|previous|prior|today|yesterday|to date|so far|td\b/u;

const MONTHS = [
  'jan(?:uary)?',
  'feb(?:ruary)?',
  'mar(?:ch)?',
  'apr(?:il)?',
  'may',
  'june?',
  'july?',
  'aug(?:ust)?',
  'sept?(?:ember)?',
  'oct(?:ober)?',
  'nov(?:ember)?',
  'dec(?:ember)?',
];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const YEAR = '(?<year>(?:19|20)\\d\\d)';
const FISCAL = '(?<fiscal>fiscal|financial)';
const ORDINALS = ['first', 'second', 'third', 'fourth'];
const THIS = '(?<which>this|current|last|previous|prior)';
const NUMBERS = 'one two three four five six seven eight nine ten eleven twelve'.split(' ');

/** The longest that is understood wins. All read whole words in lower case. */
const PATTERNS: readonly Pattern[] = [
  pattern(`(?:the )?(?:calendar )?(?:year )?${YEAR}`, ({ year }, { calendar }) => ({
    range: monthsOfYear(Number(year), 0, 12, calendar),
  })),
  pattern(
    `(?:the )?(?:${FISCAL} (?:year )?|(?<fy>fy) ?)(?<year>(?:(?:19|20)\\d\\d)|(?<=fy ?)\\d\\d)`,
    ({ year }, clock) => inFiscal(clock, (rules) => monthsOfYear(fullYear(year), 0, 12, rules)),
  ),
  pattern(`(?:the month of )?${MONTH}(?: of)?(?: the year)? ${YEAR}`, ({ month, year }, { calendar }) => ({
    range: monthsOfYear(Number(year), monthNumber(month), 1, calendar),
  })),
  pattern(`${MONTH}(?: of)? (?<which>this|last) year`, ({ month, which }, { calendar, today }) => ({
    range: monthsOfYear(Number(today.slice(0, 4)) - (which === 'last' ? 1 : 0), monthNumber(month), 1, calendar),
  })),
  pattern(MONTH, readBareMonth),
  pattern(
    `(?:the )?(?:${FISCAL} )?(?:q(?<number>[1-4])|h(?<half>[12])|(?<ordinal>${ORDINALS.join('|')}|last) (?:(?<fiscal2>fiscal) )?(?<part>quarter|half))(?: of| in)?(?: the)? (?:(?:(?<fiscal3>fiscal|financial) (?:year )?|(?<fy>fy) ?)?(?<year>(?:19|20)\\d\\d)|${THIS} (?:(?<fiscal4>fiscal) )?year)`,
    readPartOfYear,
  ),
  pattern(`${YEAR} q(?<number>[1-4])`, readPartOfYear),
  pattern(`(?:the )?${MONTH} (?<day>\\d{1,2})(?:st|nd|rd|th)?(?: ,)? ${YEAR}`, readDay),
  pattern(`(?:the )?(?<day>\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?: ,)? ${YEAR}`, readDay),
  pattern('(?<iso>\\d{4}-\\d{2}-\\d{2})', ({ iso = '' }) =>
    isDay(iso) ? { range: { from: iso, to: addDays(iso, 1) } } : undefined,
  ),
  pattern('(?<day>today|yesterday)', ({ day }, { today, calendar }) => ({
    range: periodOf(today, 'day', calendar, day === 'today' ? 0 : -1),
  })),
  pattern(
    `(?:(?<the>the) )?${THIS} (?:${FISCAL} )?(?<unit>week|month|quarter|year)`,
    ({ the, which, fiscal, unit }, clock) => {
      const moved = which === 'this' || which === 'current' ? 0 : -1;
      const range = (rules: CalendarRules): DayRange => periodOf(clock.today, unit as TimeGrain, rules, moved);
      const isLoose = the !== undefined && which === 'last';
      if (fiscal !== undefined) return inFiscal(clock, range);
      const assumption = isLoose ? `The last ${unit} is the whole one before this.` : undefined;
      return { range: range(clock.calendar), isLoose, assumption };
    },
  ),
  pattern(
    `(?:the )?(?:last|past|previous) (?<count>\\d{1,4}|${NUMBERS.join('|')}) (?<unit>day|week|month|quarter|year)s?`,
    readLastMany,
  ),
  pattern(
    `(?:the )?(?:(?:this )?(?:${FISCAL} )?(?<unit>week|month|quarter|year) (?:to date|so far)|so far this (?:(?<fiscal2>fiscal) )?(?<unit2>week|month|quarter|year)|(?<short>[ymq])td)`,
    readToDate,
  ),
];

function pattern(text: string, read: Pattern['read']): Pattern {
  return { pattern: new RegExp(`^(?:${text})(?= |$)`, 'u'), read };
}

/** No pattern reads more words. */
const MAX_WORDS = 9;

/** The longest period that begins with a word. */
export function readPeriod(words: readonly Word[], at: number, clock: Clock): Period | undefined {
  const text = words
    .slice(at, at + MAX_WORDS)
    .map(({ lower }) => lower)
    .join(' ');
  let best: Period | undefined;
  for (const { pattern: shape, read } of PATTERNS) {
    const match = shape.exec(text);
    if (match === null) continue;
    const end = at + match[0].split(' ').length;
    if (best !== undefined && best.end >= end) continue;
    const isRelative =
      RELATIVE.test(match[0]) || (match.groups?.month !== undefined && match.groups.year === undefined);
    if (isRelative && clock.today === '') continue;
    const meaning = read(match.groups ?? {}, clock);
    if (meaning !== undefined) best = { ...meaning, end };
  }
  return best;
}

function inFiscal({ fiscal }: Clock, range: (rules: CalendarRules) => DayRange): Meaning {
  return fiscal === undefined ? undefined : { range: range(fiscal), isFiscal: true };
}

function fullYear(year = ''): number {
  return year.length === 2 ? 2000 + Number(year) : Number(year);
}

function monthNumber(name = ''): number {
  return MONTHS.findIndex((month) => new RegExp(`^${month}$`, 'u').test(name));
}

/** The last one that has begun. */
function readBareMonth({ month }: Groups, { today, calendar }: Clock): Meaning {
  const number = monthNumber(month);
  const year = Number(today.slice(0, 4)) - (number + 1 > Number(today.slice(5, 7)) ? 1 : 0);
  const range = monthsOfYear(year, number, 1, calendar);
  return { range, bareMonth: number, assumption: `The month without a year is that of ${year}.` };
}

function readPartOfYear(groups: Groups, clock: Clock): Meaning {
  const { number, half, ordinal, part, year, which, fiscal, fiscal2, fiscal3, fiscal4, fy } = groups;
  const size = half !== undefined || part === 'half' ? 6 : 3;
  const last = 12 / size - 1;
  const place =
    ordinal === 'last' ? last : ordinal === undefined ? Number(number ?? half) - 1 : ORDINALS.indexOf(ordinal);
  if (place > last) return undefined;
  const range = (rules: CalendarRules): DayRange => {
    const moved = which === 'this' || which === 'current' ? 0 : -1;
    const within = which === undefined ? undefined : periodOf(clock.today, 'year', rules, moved);
    const last = within?.to === undefined ? fullYear(year) : Number(addDays(within.to, -1).slice(0, 4));
    return monthsOfYear(last, place * size, size, rules);
  };
  const isFiscal = [fiscal, fiscal2, fiscal3, fiscal4, fy].some((word) => word !== undefined);
  return isFiscal ? inFiscal(clock, range) : { range: range(clock.calendar) };
}

function readDay({ day, month, year }: Groups): Meaning {
  const iso = `${year}-${String(monthNumber(month) + 1).padStart(2, '0')}-${day?.padStart(2, '0')}`;
  return isDay(iso) ? { range: { from: iso, to: addDays(iso, 1) } } : undefined;
}

/** Days and weeks that end with today; the last whole months, quarters and years. */
function readLastMany({ count = '', unit = '' }: Groups, { today, calendar }: Clock): Meaning {
  const number = /^\d/u.test(count) ? Number(count) : NUMBERS.indexOf(count) + 1;
  if (number < 1) return undefined;
  const tomorrow = addDays(today, 1);
  if (unit === 'day' || unit === 'week') {
    const from = addDays(tomorrow, -number * (unit === 'week' ? 7 : 1));
    return { range: { from, to: tomorrow }, assumption: `The last ${number} ${unit}s end with today, ${today}.` };
  }
  const months = number * { month: 1, quarter: 3, year: 12 }[unit as 'month' | 'quarter' | 'year'];
  const { from: end = today } = periodOf(today, unit as TimeGrain, calendar);
  const from = monthsBefore(end, months);
  return {
    range: { from, to: end },
    assumption: `The last ${number} ${unit}s are whole ones: ${from} to ${addDays(end, -1)}.`,
  };
}

function readToDate({ unit, unit2, fiscal, fiscal2, short = '' }: Groups, clock: Clock): Meaning {
  const grain = unit ?? unit2 ?? { y: 'year', m: 'month', q: 'quarter' }[short];
  const range = (rules: CalendarRules): DayRange => ({
    from: periodOf(clock.today, grain as TimeGrain, rules).from,
    to: addDays(clock.today, 1),
  });
  return (fiscal ?? fiscal2) === undefined ? { range: range(clock.calendar) } : inFiscal(clock, range);
}
