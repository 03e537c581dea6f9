import type { ComparisonTraits, Dialect } from '@askema/core';

const TO_TIME = 'TO_TIMESTAMP(n), or TO_TIMESTAMP(n, 6) for microseconds';

/**
 * What other engines have and Snowflake lacks. Source: https://docs.snowflake.com/en/sql-reference/functions-all: only
 * names that are not in this list, nor among its aliases.
 */
export const SNOWFLAKE_FOREIGN_FUNCTIONS: NonNullable<Dialect['foreignFunctions']> = {
  STRFTIME: "TO_CHAR(column, 'YYYY-MM')",
  JULIANDAY: "DATEDIFF('day', earlier, later)",
  GROUP_CONCAT: "LISTAGG(column, ', ')",
  DATE_FORMAT: "TO_CHAR(column, 'YYYY-MM-DD')",
  FORMAT_DATE: "TO_CHAR(column, 'YYYY-MM-DD')",
  FORMAT_TIMESTAMP: "TO_CHAR(column, 'YYYY-MM-DD')",
  PARSE_DATE: "TO_DATE(text, 'YYYYMMDD')",
  PARSE_TIMESTAMP: 'TO_TIMESTAMP(text, format)',
  STR_TO_DATE: "TO_DATE(text, 'YYYYMMDD')",
  TIMESTAMP_DIFF: "DATEDIFF('day', earlier, later)",
  TIMESTAMP_TRUNC: "DATE_TRUNC('month', column)",
  TIMESTAMP_SECONDS: TO_TIME,
  TIMESTAMP_MILLIS: TO_TIME,
  TIMESTAMP_MICROS: TO_TIME,
  FROM_UNIXTIME: TO_TIME,
  UNIX_TIMESTAMP: "DATE_PART('epoch_second', column)",
  UNIXEPOCH: "DATE_PART('epoch_second', column)",
  CURDATE: 'CURRENT_DATE()',
  SAFE_CAST: 'TRY_CAST',
  SAFE_DIVIDE: 'DIV0NULL(a, b) or a / NULLIF(b, 0)',
  COUNTIF: 'COUNT_IF(condition)',
  LOGICAL_OR: 'BOOLOR_AGG(condition)',
  LOGICAL_AND: 'BOOLAND_AGG(condition)',
  REGEXP_CONTAINS: 'REGEXP_LIKE(column, pattern), which matches the whole text',
  STRPOS: 'POSITION(part IN text) or CHARINDEX(part, text)',
  SUBSTRING_INDEX: 'SPLIT_PART(text, delimiter, n)',
  ARRAY_LENGTH: 'ARRAY_SIZE(array)',
  GENERATE_ARRAY: 'ARRAY_GENERATE_RANGE(first, last + 1)',
  GENERATE_SERIES: 'TABLE(GENERATOR(ROWCOUNT => n)) with ROW_NUMBER()',
};

/**
 * Sources: https://docs.snowflake.com/en/sql-reference/identifiers-syntax, constructs/limit and sql/select (TOP, LIMIT
 * and FETCH are all there).
 */
export const SNOWFLAKE_FOREIGN_SYNTAX: NonNullable<Dialect['foreignSyntax']> = {
  'backtick names': 'double quotes, with the name exactly as it is stored',
  'bracket names': 'double quotes, with the name exactly as it is stored',
  'distinct on': 'QUALIFY ROW_NUMBER() OVER (PARTITION BY …) = 1',
};

/**
 * https://docs.snowflake.com/en/sql-reference/data-type-conversion (a string is turned into the other side's type),
 * https://docs.snowflake.com/en/user-guide/date-time-input-output (formats that are detected), functions/sum,
 * functions/like.
 */
export const SNOWFLAKE_COMPARISONS: ComparisonTraits = {
  textWithNumber: 'number',
  numberWithText: 'fails',
  likeOnNumber: 'text',
  sumOfText: 'number',
  dateWithText: 'lenient',
  booleansAreNumbers: false,
};
