import type { CalendarTraits, FunctionTraits } from '@askema/core';

/**
 * https://docs.snowflake.com/en/sql-reference/functions-date-time, functions/generator. Weeks are counted from
 * DAYOFWEEKISO, which no setting of the session changes. The series counts to 99,999 and no further than it must, since
 * days behind the year 9999 are errors.
 */
export const SNOWFLAKE_CALENDAR: CalendarTraits = {
  toDay: 'CAST(CAST({value} AS TIMESTAMP_NTZ) AS DATE)',
  rangeTypes: 'date|datetime.*|timestamp_[nl]tz.*',
  literal: 'DATE {text}',
  truncate: {
    day: '{day}',
    week: 'CAST(DATEADD(DAY, 1 - DAYOFWEEKISO({day}), {day}) AS DATE)',
    month: "CAST(DATE_TRUNC('MONTH', {day}) AS DATE)",
    quarter: "CAST(DATE_TRUNC('QUARTER', {day}) AS DATE)",
    year: "CAST(DATE_TRUNC('YEAR', {day}) AS DATE)",
  },
  add: {
    day: 'CAST(DATEADD(DAY, {count}, {day}) AS DATE)',
    week: 'CAST(DATEADD(DAY, 7 * ({count}), {day}) AS DATE)',
    month: 'CAST(DATEADD(MONTH, {count}, {day}) AS DATE)',
    quarter: 'CAST(DATEADD(MONTH, 3 * ({count}), {day}) AS DATE)',
    year: 'CAST(DATEADD(YEAR, {count}, {day}) AS DATE)',
  },
  daysBetween: 'DATEDIFF(DAY, {from}, {to})',
  series:
    'SELECT period FROM (SELECT CAST(DATEADD({step}, LEAST(number, DATEDIFF({step}, bounds.lowest, bounds.highest) + 1), bounds.lowest) AS DATE) AS period, bounds.highest FROM (SELECT {first} AS lowest, {last} AS highest) AS bounds CROSS JOIN (SELECT ROW_NUMBER() OVER (ORDER BY NULL) - 1 AS number FROM TABLE(GENERATOR(ROWCOUNT => 100000))) AS numbers) AS periods WHERE period <= highest',
  steps: { day: 'DAY', week: 'WEEK', month: 'MONTH', quarter: 'QUARTER', year: 'YEAR' },
};

/**
 * https://docs.snowflake.com/en/sql-reference/operators-arithmetic: `/` of exact numbers keeps six digits more than its
 * dividend; a floating-point number keeps all. functions/log, functions/regexp_like (it matches the whole text),
 * functions/year.
 */
export const SNOWFLAKE_WRITTEN: NonNullable<FunctionTraits['written']> = {
  '/': 'CAST({0} AS FLOAT) / {1}',
  AVG: 'AVG(1.0::FLOAT * {0})',
  LOG10: 'LOG(10, {0})',
  REGEXP_LIKE: '(REGEXP_INSTR({0}, {1}) > 0)',
  WEEK: 'WEEKISO({0})',
  DAYOFWEEK: '(DAYOFWEEKISO({0}) % 7)',
  DAYOFYEAR: 'DAYOFYEAR({0})',
  TRY_CAST: 'TRY_CAST({0} AS {1})',
  'CAST AS FLOAT': 'CAST({0} AS FLOAT)',
};
