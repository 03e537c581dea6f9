import type { ComparisonTraits, Dialect } from '@askema/core';

const TIME_PART = 'EXTRACT(YEAR FROM column)';
const SHIFT = "column + INTERVAL '1 month'";
const DAYS = 'later::date - earlier::date';
const FORMAT = "TO_CHAR(column, 'YYYY-MM')";
const PARSED = "TO_DATE(text, 'YYYYMMDD')";
const NOW = 'CURRENT_TIMESTAMP, or CURRENT_DATE';

/**
 * What other engines have and PostgreSQL lacks: only names that `pg_proc` of PostgreSQL 18 does not have (a test asks
 * it). Source: https://www.postgresql.org/docs/current/functions.html. Extensions have names of their own mostly; IF
 * and the like are not functions there.
 */
export const POSTGRES_FOREIGN_FUNCTIONS: NonNullable<Dialect['foreignFunctions']> = {
  YEAR: TIME_PART,
  MONTH: 'EXTRACT(MONTH FROM column)',
  DAY: 'EXTRACT(DAY FROM column)',
  HOUR: 'EXTRACT(HOUR FROM column)',
  QUARTER: 'EXTRACT(QUARTER FROM column)',
  WEEK: 'EXTRACT(WEEK FROM column)',
  DAYOFWEEK: 'EXTRACT(DOW FROM column), where Sunday is 0',
  DAYNAME: "TO_CHAR(column, 'FMDay')",
  MONTHNAME: "TO_CHAR(column, 'FMMonth')",
  DATEPART: TIME_PART,
  STRFTIME: FORMAT,
  DATE_FORMAT: FORMAT,
  FORMAT_DATE: FORMAT,
  DATEDIFF: DAYS,
  DATE_DIFF: DAYS,
  JULIANDAY: DAYS,
  TIMESTAMPDIFF: 'EXTRACT(EPOCH FROM later - earlier)',
  TIMESTAMP_DIFF: 'EXTRACT(EPOCH FROM later - earlier)',
  DATEADD: SHIFT,
  DATE_SUB: "column - INTERVAL '1 month'",
  ADD_MONTHS: SHIFT,
  LAST_DAY: "(DATE_TRUNC('month', column) + INTERVAL '1 month - 1 day')::date",
  STR_TO_DATE: PARSED,
  PARSE_DATE: PARSED,
  GETDATE: NOW,
  SYSDATE: NOW,
  CURDATE: 'CURRENT_DATE',
  UNIX_TIMESTAMP: 'EXTRACT(EPOCH FROM column)',
  UNIXEPOCH: 'EXTRACT(EPOCH FROM column)',
  FROM_UNIXTIME: 'TO_TIMESTAMP(n)',
  SAFE_CAST: 'CAST, with a CASE around it where cells may not fit',
  SAFE_DIVIDE: 'a / NULLIF(b, 0)',
  DIV0: 'a / NULLIF(b, 0)',
  IFNULL: 'COALESCE(a, b)',
  NVL: 'COALESCE(a, b)',
  IF: 'CASE WHEN condition THEN a ELSE b END',
  IIF: 'CASE WHEN condition THEN a ELSE b END',
  IFF: 'CASE WHEN condition THEN a ELSE b END',
  GROUP_CONCAT: "STRING_AGG(column, ', ')",
  LISTAGG: "STRING_AGG(column, ', ')",
  MEDIAN: 'PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY column)',
  COUNTIF: 'COUNT(*) FILTER (WHERE condition)',
  COUNT_IF: 'COUNT(*) FILTER (WHERE condition)',
  LOGICAL_OR: 'BOOL_OR(condition)',
  LOGICAL_AND: 'BOOL_AND(condition)',
  INSTR: 'STRPOS(text, part)',
  CHARINDEX: 'STRPOS(text, part)',
  LOCATE: 'STRPOS(text, part)',
  LEN: 'LENGTH(text)',
  SUBSTRING_INDEX: 'SPLIT_PART(text, delimiter, n)',
  CONTAINS: 'STRPOS(text, part) > 0',
  STARTSWITH: 'STARTS_WITH(text, start)',
  REGEXP_CONTAINS: 'column ~ pattern',
  REGEXP_EXTRACT: 'SUBSTRING(column FROM pattern)',
  JSON_EXTRACT: "column -> 'field', or column #> '{path, to}'",
  ISNULL: 'COALESCE(a, b) for a default, or a IS NULL for the test',
  ARRAY_SIZE: 'CARDINALITY(array)',
  RAND: 'RANDOM()',
};

/** Sources: https://www.postgresql.org/docs/current/sql-select.html, sql-syntax-lexical.html. */
export const POSTGRES_FOREIGN_SYNTAX: NonNullable<Dialect['foreignSyntax']> = {
  top: 'LIMIT n at the end of the statement',
  qualify: 'a sub-query with the window function and a WHERE around it',
  minus: 'EXCEPT',
  'backtick names': 'double quotes, with the name exactly as it is stored',
  'bracket names': 'double quotes, with the name exactly as it is stored',
};

/**
 * https://www.postgresql.org/docs/current/typeconv-oper.html: a string that stands in the statement takes the other
 * side's type, a text column never does; datatype-datetime.html (input formats, DateStyle).
 */
export const POSTGRES_COMPARISONS: ComparisonTraits = {
  textWithNumber: 'fails',
  numberWithText: 'fails',
  likeOnNumber: 'fails',
  sumOfText: 'fails',
  dateWithText: 'lenient',
  booleansAreNumbers: false,
};
