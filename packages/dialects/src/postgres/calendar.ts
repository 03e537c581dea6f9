import type { CalendarTraits, FunctionTraits } from '@askema/core';

const TRUNCATED = (unit: string): string => `CAST(date_trunc('${unit}', CAST({day} AS TIMESTAMP)) AS DATE)`;
const MOVED = (step: string): string => `CAST({day} + ({count}) * INTERVAL '${step}' AS DATE)`;

/**
 * https://www.postgresql.org/docs/current/functions-datetime.html, functions-srf.html (generate_series). Days are cut as
 * times without a zone: as times with one, the zone of the session would take part.
 */
export const POSTGRES_CALENDAR: CalendarTraits = {
  toDay: 'CAST({value} AS DATE)',
  rangeTypes: 'date|timestamp.*',
  literal: 'DATE {text}',
  truncate: {
    day: '{day}',
    week: TRUNCATED('week'),
    month: TRUNCATED('month'),
    quarter: TRUNCATED('quarter'),
    year: TRUNCATED('year'),
  },
  add: {
    day: MOVED('1 day'),
    week: MOVED('7 days'),
    month: MOVED('1 month'),
    quarter: MOVED('3 months'),
    year: MOVED('1 year'),
  },
  daysBetween: '({to} - {from})',
  series:
    'SELECT CAST(moment AS DATE) AS period FROM generate_series(CAST({first} AS TIMESTAMP), CAST({last} AS TIMESTAMP), {step}) AS moment',
  steps: {
    day: "INTERVAL '1 day'",
    week: "INTERVAL '7 days'",
    month: "INTERVAL '1 month'",
    quarter: "INTERVAL '3 months'",
    year: "INTERVAL '1 year'",
  },
};

const PART = (part: string): string => `CAST(EXTRACT(${part} FROM {0}) AS INTEGER)`;
const TIME_PART = (part: string): string => `CAST(FLOOR(EXTRACT(${part} FROM CAST({0} AS TIMESTAMP))) AS INTEGER)`;

/**
 * https://www.postgresql.org/docs/current/functions-aggregate.html, functions-math.html (ROUND to digits of numeric
 * alone), functions-matching.html, functions-conditional.html (GREATEST leaves NULLs out). EXTRACT gives numeric.
 */
export const POSTGRES_WRITTEN: NonNullable<FunctionTraits['written']> = {
  MEDIAN: 'PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY {0})',
  ROUND: 'ROUND(CAST({0} AS NUMERIC), {1})',
  GREATEST: 'CASE WHEN {0} IS NOT NULL AND {1} IS NOT NULL THEN GREATEST({0}, {1}) END',
  LEAST: 'CASE WHEN {0} IS NOT NULL AND {1} IS NOT NULL THEN LEAST({0}, {1}) END',
  REGEXP_LIKE: '({0} ~ {1})',
  YEAR: PART('YEAR'),
  QUARTER: PART('QUARTER'),
  MONTH: PART('MONTH'),
  WEEK: PART('WEEK'),
  DAY: PART('DAY'),
  DAYOFWEEK: PART('DOW'),
  DAYOFYEAR: PART('DOY'),
  HOUR: TIME_PART('HOUR'),
  MINUTE: TIME_PART('MINUTE'),
  SECOND: TIME_PART('SECOND'),
  TRY_CAST: null,
};
