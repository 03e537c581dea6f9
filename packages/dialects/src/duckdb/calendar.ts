import type { CalendarTraits, FunctionTraits } from '@askema/core';

/**
 * https://duckdb.org/docs/stable/sql/functions/date, sql/functions/interval, sql/functions/list (generate_series).
 * date_trunc of a DATE begins weeks on Monday.
 */
export const DUCKDB_CALENDAR: CalendarTraits = {
  toDay: 'CAST({value} AS DATE)',
  rangeTypes: 'date|timestamp.*',
  literal: 'DATE {text}',
  truncate: {
    day: '{day}',
    week: "CAST(date_trunc('week', {day}) AS DATE)",
    month: "CAST(date_trunc('month', {day}) AS DATE)",
    quarter: "CAST(date_trunc('quarter', {day}) AS DATE)",
    year: "CAST(date_trunc('year', {day}) AS DATE)",
  },
  add: {
    day: 'CAST({day} + to_days({count}) AS DATE)',
    week: 'CAST({day} + to_days(7 * ({count})) AS DATE)',
    month: 'CAST({day} + to_months({count}) AS DATE)',
    quarter: 'CAST({day} + to_months(3 * ({count})) AS DATE)',
    year: 'CAST({day} + to_months(12 * ({count})) AS DATE)',
  },
  daysBetween: "date_diff('day', {from}, {to})",
  series:
    'SELECT CAST(moment AS DATE) AS period FROM (SELECT unnest(generate_series(CAST({first} AS TIMESTAMP), CAST({last} AS TIMESTAMP), {step})) AS moment) AS moments',
  steps: {
    day: 'INTERVAL 1 DAY',
    week: 'INTERVAL 7 DAY',
    month: 'INTERVAL 1 MONTH',
    quarter: 'INTERVAL 3 MONTH',
    year: 'INTERVAL 1 YEAR',
  },
};

/** https://duckdb.org/docs/stable/sql/functions/overview. GREATEST and LEAST leave NULLs out. */
export const DUCKDB_WRITTEN: NonNullable<FunctionTraits['written']> = {
  GREATEST: 'CASE WHEN {0} IS NOT NULL AND {1} IS NOT NULL THEN GREATEST({0}, {1}) END',
  LEAST: 'CASE WHEN {0} IS NOT NULL AND {1} IS NOT NULL THEN LEAST({0}, {1}) END',
  REGEXP_LIKE: 'regexp_matches({0}, {1})',
  TRY_CAST: 'TRY_CAST({0} AS {1})',
};
