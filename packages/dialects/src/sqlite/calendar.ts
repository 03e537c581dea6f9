import type { CalendarTraits, FunctionTraits } from '@askema/core';

/**
 * Days are ISO text. https://sqlite.org/lang_datefunc.html: modifiers; `floor` keeps to the month (3.46). The first ten
 * characters alone count, because an offset of a time zone would move the day.
 */
export const SQLITE_CALENDAR: CalendarTraits = {
  toDay: 'date(substr({value}, 1, 10))',
  literal: '{text}',
  truncate: {
    day: '{day}',
    week: "date({day}, '-6 days', 'weekday 1')",
    month: "date({day}, 'start of month')",
    quarter: "date({day}, 'start of month', '-' || ((strftime('%m', {day}) - 1) % 3) || ' months')",
    year: "date({day}, 'start of year')",
  },
  add: {
    day: "date({day}, ({count}) || ' days')",
    week: "date({day}, (({count}) * 7) || ' days')",
    month: "date({day}, ({count}) || ' months', 'floor')",
    quarter: "date({day}, (({count}) * 3) || ' months', 'floor')",
    year: "date({day}, ({count}) || ' years', 'floor')",
  },
  daysBetween: 'CAST(julianday({to}) - julianday({from}) AS INTEGER)',
  series:
    'WITH RECURSIVE periods (period, highest) AS (SELECT * FROM (SELECT {first} AS lowest, {last} AS highest) WHERE lowest <= highest UNION ALL SELECT date(period, {step}), highest FROM periods WHERE date(period, {step}) <= highest) SELECT period FROM periods',
  steps: { day: "'+1 day'", week: "'+7 days'", month: "'+1 month'", quarter: "'+3 months'", year: "'+1 year'" },
};

const PART = (format: string): string => `CAST(strftime('${format}', {0}) AS INTEGER)`;

/**
 * https://sqlite.org/lang_aggfunc.html, lang_corefunc.html, percentile.html, lang_datefunc.html (formats). Deviations
 * are not computed from sums of squares: of large values nothing right would be left.
 */
export const SQLITE_WRITTEN: NonNullable<FunctionTraits['written']> = {
  STDDEV: null,
  STDDEV_SAMP: null,
  STDDEV_POP: null,
  VARIANCE: null,
  VAR_SAMP: null,
  VAR_POP: null,
  PERCENTILE_CONT: 'percentile_cont({1}, {0})',
  PERCENTILE_DISC: 'percentile_disc({1}, {0})',
  GREATEST: 'MAX({0}, {1})',
  LEAST: 'MIN({0}, {1})',
  LEFT: 'substr({0}, 1, {1})',
  RIGHT: "CASE WHEN {1} <= 0 THEN '' ELSE substr({0}, -{1}) END",
  SPLIT_PART: null,
  REGEXP_LIKE: null,
  YEAR: PART('%Y'),
  QUARTER: "((CAST(strftime('%m', {0}) AS INTEGER) + 2) / 3)",
  MONTH: PART('%m'),
  WEEK: PART('%V'),
  DAY: PART('%d'),
  DAYOFWEEK: PART('%w'),
  DAYOFYEAR: PART('%j'),
  HOUR: PART('%H'),
  MINUTE: PART('%M'),
  SECOND: PART('%S'),
  TRY_CAST: null,
  'CAST AS INTEGER': 'CAST(ROUND({0}) AS INTEGER)',
  'CAST AS FLOAT': 'CAST({0} AS REAL)',
  'CAST AS DECIMAL': 'ROUND(CAST({0} AS REAL), {2})',
  'CAST AS TIMESTAMP': 'datetime({0})',
};
