import type { ComparisonTraits, Dialect } from '@askema/core';

const TIME_PART = 'EXTRACT(YEAR FROM column)';
const DIFFERENCE = 'DATE_DIFF(later, earlier, DAY)';
const SHIFT = 'DATE_ADD(column, INTERVAL 1 MONTH)';
const FORMAT = "FORMAT_DATE('%Y-%m', column)";
const PATTERN = "REGEXP_CONTAINS(column, r'pattern')";

/**
 * What other engines have and BigQuery lacks. Source:
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/functions-all: only names that are not in this list.
 */
export const BIGQUERY_FOREIGN_FUNCTIONS: NonNullable<Dialect['foreignFunctions']> = {
  YEAR: TIME_PART,
  MONTH: 'EXTRACT(MONTH FROM column)',
  DAY: 'EXTRACT(DAY FROM column)',
  DATE_PART: TIME_PART,
  DATEPART: TIME_PART,
  DATEDIFF: DIFFERENCE,
  JULIANDAY: DIFFERENCE,
  TIMESTAMPDIFF: 'TIMESTAMP_DIFF(later, earlier, SECOND)',
  DATEADD: SHIFT,
  STRFTIME: FORMAT,
  TO_CHAR: FORMAT,
  DATE_FORMAT: FORMAT,
  TO_DATE: "PARSE_DATE('%Y%m%d', text)",
  STR_TO_DATE: "PARSE_DATE('%Y%m%d', text)",
  TO_TIMESTAMP: 'PARSE_TIMESTAMP(format, text), or TIMESTAMP_SECONDS(n) for a count of seconds',
  FROM_UNIXTIME: 'TIMESTAMP_SECONDS(n)',
  UNIX_TIMESTAMP: 'UNIX_SECONDS(timestamp)',
  TO_NUMBER: 'SAFE_CAST(text AS NUMERIC)',
  NOW: 'CURRENT_TIMESTAMP()',
  GETDATE: 'CURRENT_TIMESTAMP()',
  CURDATE: 'CURRENT_DATE()',
  LISTAGG: "STRING_AGG(column, ', ')",
  GROUP_CONCAT: "STRING_AGG(column, ', ')",
  IFF: 'IF(condition, a, b)',
  IIF: 'IF(condition, a, b)',
  DECODE: 'CASE',
  CHARINDEX: 'STRPOS(text, part)',
  SPLIT_PART: 'SPLIT(text, delimiter)[SAFE_OFFSET(n)]',
  SUBSTRING_INDEX: 'SPLIT(text, delimiter)[SAFE_OFFSET(n)]',
  REGEXP_LIKE: PATTERN,
  REGEXP_MATCHES: PATTERN,
  COUNT_IF: 'COUNTIF(condition)',
  ARRAY_SIZE: 'ARRAY_LENGTH(array)',
  OBJECT_CONSTRUCT: 'STRUCT(… AS name) or JSON_OBJECT(name, value)',
  BOOL_OR: 'LOGICAL_OR(condition)',
  BOOL_AND: 'LOGICAL_AND(condition)',
  RANDOM: 'RAND()',
  TRY_TO_NUMBER: 'SAFE_CAST(text AS NUMERIC)',
  TRY_TO_DATE: 'SAFE.PARSE_DATE(format, text)',
  FLATTEN: 'UNNEST(array)',
};

/**
 * Sources: https://cloud.google.com/bigquery/docs/reference/standard-sql/query-syntax (LIMIT alone; no TOP, no FETCH,
 * no DISTINCT ON), lexical (quotes), operators (no ILIKE, no `::`).
 */
export const BIGQUERY_FOREIGN_SYNTAX: NonNullable<Dialect['foreignSyntax']> = {
  top: 'LIMIT n at the end of the statement',
  fetch: 'LIMIT n at the end of the statement',
  ilike: 'LOWER(column) LIKE with a pattern in lower case',
  'double-colon cast': 'CAST(x AS type)',
  'distinct on': 'QUALIFY ROW_NUMBER() OVER (PARTITION BY …) = 1',
  minus: 'EXCEPT DISTINCT',
  'double-quoted names': 'backticks; double quotes make strings',
};

/**
 * https://cloud.google.com/bigquery/docs/reference/standard-sql/conversion_rules: literals of strings become dates and
 * times in their canonical form, and nothing else.
 */
export const BIGQUERY_COMPARISONS: ComparisonTraits = {
  textWithNumber: 'fails',
  numberWithText: 'always fails',
  likeOnNumber: 'fails',
  sumOfText: 'fails',
  dateWithText: 'iso',
  booleansAreNumbers: false,
};
