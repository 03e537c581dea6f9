import type { ComparisonTraits, Dialect } from '@askema/core';

const SHIFT = 'column + INTERVAL 1 MONTH';
const FORMAT = "DATE_FORMAT(column, '%Y-%m')";
const PARSED = "STR_TO_DATE(text, '%Y%m%d')";
const CONDITION = 'IF(condition, a, b)';

/**
 * What other engines have and MySQL lacks: only names that
 * https://dev.mysql.com/doc/refman/8.4/en/built-in-function-reference.html does not list.
 */
export const MYSQL_FOREIGN_FUNCTIONS: NonNullable<Dialect['foreignFunctions']> = {
  STRFTIME: FORMAT,
  TO_CHAR: FORMAT,
  FORMAT_DATE: FORMAT,
  DATE_TRUNC: "DATE_FORMAT(column, '%Y-%m-01')",
  DATE_PART: 'EXTRACT(YEAR FROM column)',
  DATEPART: 'EXTRACT(YEAR FROM column)',
  DATE_DIFF: 'DATEDIFF(later, earlier)',
  JULIANDAY: 'DATEDIFF(later, earlier)',
  TIMESTAMP_DIFF: 'TIMESTAMPDIFF(SECOND, earlier, later)',
  DATEADD: SHIFT,
  ADD_MONTHS: SHIFT,
  TO_DATE: PARSED,
  PARSE_DATE: PARSED,
  TO_TIMESTAMP: 'FROM_UNIXTIME(n), or STR_TO_DATE(text, format)',
  GETDATE: 'NOW()',
  UNIXEPOCH: 'UNIX_TIMESTAMP(column)',
  TO_NUMBER: 'CAST(text AS DECIMAL(20, 6))',
  TRY_CAST: 'CAST',
  SAFE_CAST: 'CAST',
  SAFE_DIVIDE: 'a / b, which is NULL for a division by zero',
  DIV0: 'COALESCE(a / b, 0)',
  NVL: 'COALESCE(a, b)',
  IFF: CONDITION,
  IIF: CONDITION,
  STRING_AGG: "GROUP_CONCAT(column SEPARATOR ', ')",
  LISTAGG: "GROUP_CONCAT(column SEPARATOR ', ')",
  ARRAY_AGG: 'JSON_ARRAYAGG(column)',
  MEDIAN: 'ROW_NUMBER() and COUNT(*) OVER () in a sub-query, and the middle rows of it',
  PERCENTILE_CONT: 'ROW_NUMBER() and COUNT(*) OVER () in a sub-query',
  COUNTIF: 'SUM(condition)',
  COUNT_IF: 'SUM(condition)',
  BOOL_OR: 'MAX(condition)',
  BOOL_AND: 'MIN(condition)',
  LOGICAL_OR: 'MAX(condition)',
  LOGICAL_AND: 'MIN(condition)',
  STRPOS: 'LOCATE(part, text)',
  CHARINDEX: 'LOCATE(part, text)',
  LEN: 'CHAR_LENGTH(text)',
  SPLIT_PART: 'SUBSTRING_INDEX(text, delimiter, n)',
  STARTS_WITH: "text LIKE 'start%'",
  STARTSWITH: "text LIKE 'start%'",
  REGEXP_CONTAINS: 'REGEXP_LIKE(column, pattern)',
  REGEXP_MATCHES: 'REGEXP_LIKE(column, pattern)',
  REGEXP_EXTRACT: 'REGEXP_SUBSTR(column, pattern)',
  GENERATE_SERIES: 'WITH RECURSIVE',
  RANDOM: 'RAND()',
};

/**
 * Sources: https://dev.mysql.com/doc/refman/8.4/en/select.html, string-comparison-functions.html, cast-functions.html,
 * identifiers.html.
 */
export const MYSQL_FOREIGN_SYNTAX: NonNullable<Dialect['foreignSyntax']> = {
  top: 'LIMIT n at the end of the statement',
  fetch: 'LIMIT n at the end of the statement',
  ilike: 'LIKE, which ignores case under the usual collations',
  'double-colon cast': 'CAST(x AS type)',
  'distinct on': 'ROW_NUMBER() OVER (PARTITION BY …) = 1 in a sub-query',
  minus: 'EXCEPT',
  'bracket names': 'backticks',
  'double-quoted names': 'backticks: double quotes make strings',
};

/**
 * https://dev.mysql.com/doc/refman/8.4/en/type-conversion.html: text beside a number is read as a floating-point
 * number, and as 0 where it is none; a string becomes a date or a time where it is one, in several formats
 * (date-and-time-literals).
 */
export const MYSQL_COMPARISONS: ComparisonTraits = {
  textWithNumber: 'number or zero',
  numberWithText: 'zero',
  likeOnNumber: 'text',
  sumOfText: 'number',
  dateWithText: 'lenient',
  booleansAreNumbers: true,
};
