import type { CalendarTraits, FunctionTraits } from '@askema/core';

const TEN =
  '(SELECT 0 AS digit UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4 UNION ALL SELECT 5 UNION ALL SELECT 6 UNION ALL SELECT 7 UNION ALL SELECT 8 UNION ALL SELECT 9)';

/**
 * https://dev.mysql.com/doc/refman/8.4/en/date-and-time-functions.html. The series counts to 99,999 with digits:
 * recursion ends after 1,000 rounds, with an error in MySQL and without one in MariaDB.
 */
export const MYSQL_CALENDAR: CalendarTraits = {
  toDay: 'DATE(LEFT({value}, 10))',
  rangeTypes: 'date|(datetime|timestamp).*',
  literal: 'DATE {text}',
  truncate: {
    day: '{day}',
    week: 'DATE_SUB({day}, INTERVAL WEEKDAY({day}) DAY)',
    month: 'DATE_SUB({day}, INTERVAL DAYOFMONTH({day}) - 1 DAY)',
    quarter: 'DATE_ADD(MAKEDATE(YEAR({day}), 1), INTERVAL QUARTER({day}) - 1 QUARTER)',
    year: 'MAKEDATE(YEAR({day}), 1)',
  },
  add: {
    day: 'DATE_ADD({day}, INTERVAL ({count}) DAY)',
    week: 'DATE_ADD({day}, INTERVAL ({count}) WEEK)',
    month: 'DATE_ADD({day}, INTERVAL ({count}) MONTH)',
    quarter: 'DATE_ADD({day}, INTERVAL ({count}) QUARTER)',
    year: 'DATE_ADD({day}, INTERVAL ({count}) YEAR)',
  },
  daysBetween: 'DATEDIFF({to}, {from})',
  series: `SELECT period FROM (SELECT DATE_ADD(bounds.lowest, INTERVAL e.digit * 10000 + d.digit * 1000 + c.digit * 100 + b.digit * 10 + a.digit {step}) AS period, bounds.highest FROM (SELECT {first} AS lowest, {last} AS highest) AS bounds JOIN ${TEN} AS a JOIN ${TEN} AS b JOIN ${TEN} AS c JOIN ${TEN} AS d JOIN ${TEN} AS e) AS periods WHERE period <= highest`,
  steps: { day: 'DAY', week: 'WEEK', month: 'MONTH', quarter: 'QUARTER', year: 'YEAR' },
};

/** Halves of exact numbers are rounded up, those of floating-point numbers to the even neighbour (precision-math-rounding). */
const EXACT = 'CAST({0} AS DECIMAL(60, 20))';

/** The n-th piece of a text, '' behind the last. */
const PIECE =
  "CASE WHEN (CHAR_LENGTH({0}) - CHAR_LENGTH(REPLACE({0}, {1}, ''))) DIV CHAR_LENGTH({1}) < {2} - 1 THEN '' ELSE SUBSTRING_INDEX(SUBSTRING_INDEX({0}, {1}, {2}), {1}, -1) END";

/**
 * https://dev.mysql.com/doc/refman/8.4/en/aggregate-functions.html (no MEDIAN, no percentiles), string-functions.html
 * (LENGTH counts bytes), regexp.html, arithmetic-functions.html: `/` and AVG of decimals keep four digits more than
 * their operand; as floating-point numbers they keep all.
 */
export const MYSQL_WRITTEN: NonNullable<FunctionTraits['written']> = {
  '/': '{0} * 1e0 / {1}',
  '||': 'CONCAT({0}, {1})',
  AVG: 'AVG(1e0 * {0})',
  MEDIAN: null,
  PERCENTILE_CONT: null,
  PERCENTILE_DISC: null,
  ROUND: `ROUND(${EXACT}, {1})`,
  LENGTH: 'CHAR_LENGTH({0})',
  CHAR_LENGTH: 'CHAR_LENGTH({0})',
  SPLIT_PART: PIECE,
  REGEXP_LIKE: "REGEXP_LIKE({0}, {1}, 'c')",
  WEEK: 'WEEK({0}, 3)',
  DAYOFWEEK: '(DAYOFWEEK({0}) - 1)',
  DAYOFYEAR: 'DAYOFYEAR({0})',
  HOUR: 'HOUR(CAST({0} AS DATETIME))',
  MINUTE: 'MINUTE(CAST({0} AS DATETIME))',
  SECOND: 'SECOND(CAST({0} AS DATETIME))',
  TRY_CAST: null,
  'CAST AS INTEGER': `CAST(ROUND(${EXACT}) AS SIGNED)`,
  'CAST AS FLOAT': 'CAST({0} AS DOUBLE)',
};

/** https://mariadb.com/kb/en/regexp/: no REGEXP_LIKE; MEDIAN and percentiles are window functions only. */
export const MARIADB_WRITTEN: NonNullable<FunctionTraits['written']> = {
  ...MYSQL_WRITTEN,
  REGEXP_LIKE: "({0} REGEXP CONCAT('(?-i)', {1}))",
};
