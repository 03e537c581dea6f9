import type { CalendarTraits, FunctionTraits } from '@askema/core';

/**
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/date_functions, array_functions (GENERATE_DATE_ARRAY),
 * conversion_rules: text with a time is no DATE, so that its first ten characters are cast.
 */
export const BIGQUERY_CALENDAR: CalendarTraits = {
  toDay: 'CAST(SUBSTR(CAST({value} AS STRING), 1, 10) AS DATE)',
  rangeTypes: 'date|datetime|timestamp',
  literal: 'DATE {text}',
  truncate: {
    day: '{day}',
    week: 'DATE_TRUNC({day}, ISOWEEK)',
    month: 'DATE_TRUNC({day}, MONTH)',
    quarter: 'DATE_TRUNC({day}, QUARTER)',
    year: 'DATE_TRUNC({day}, YEAR)',
  },
  add: {
    day: 'DATE_ADD({day}, INTERVAL ({count}) DAY)',
    week: 'DATE_ADD({day}, INTERVAL ({count}) WEEK)',
    month: 'DATE_ADD({day}, INTERVAL ({count}) MONTH)',
    quarter: 'DATE_ADD({day}, INTERVAL ({count}) QUARTER)',
    year: 'DATE_ADD({day}, INTERVAL ({count}) YEAR)',
  },
  daysBetween: 'DATE_DIFF({to}, {from}, DAY)',
  series: 'SELECT period FROM UNNEST(GENERATE_DATE_ARRAY({first}, {last}, INTERVAL 1 {step})) AS period',
  steps: { day: 'DAY', week: 'WEEK', month: 'MONTH', quarter: 'QUARTER', year: 'YEAR' },
};

/**
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-all: MEDIAN is not there, percentiles are
 * window functions only. conversion_functions#safe_casting.
 */
export const BIGQUERY_WRITTEN: NonNullable<FunctionTraits['written']> = {
  MEDIAN: null,
  PERCENTILE_CONT: null,
  PERCENTILE_DISC: null,
  SPLIT_PART: "CASE WHEN {0} IS NOT NULL THEN COALESCE(SPLIT({0}, {1})[SAFE_OFFSET({2} - 1)], '') END",
  REGEXP_LIKE: 'REGEXP_CONTAINS({0}, {1})',
  WEEK: 'EXTRACT(ISOWEEK FROM {0})',
  DAYOFWEEK: '(EXTRACT(DAYOFWEEK FROM {0}) - 1)',
  DAYOFYEAR: 'EXTRACT(DAYOFYEAR FROM {0})',
  TRY_CAST: 'SAFE_CAST({0} AS {1})',
  'CAST AS INTEGER': 'CAST({0} AS INT64)',
  'CAST AS FLOAT': 'CAST({0} AS FLOAT64)',
  'CAST AS DECIMAL': 'ROUND(CAST({0} AS NUMERIC), {2})',
};
