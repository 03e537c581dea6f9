import type { ComparisonTraits, Dialect } from '@askema/core';

const FORMAT = "strftime(column, '%Y-%m')";
const PARSED = "strptime(text, '%Y%m%d')::date";
const SHIFT = 'column + INTERVAL 1 MONTH';
const CONDITION = 'CASE WHEN condition THEN a ELSE b END';

/**
 * What other engines have and DuckDB lacks: only names that `duckdb_functions()` of DuckDB 1.5 does not have and its
 * binder does not know (a test calls them). Source: https://duckdb.org/docs/stable/sql/functions/overview.
 */
export const DUCKDB_FOREIGN_FUNCTIONS: NonNullable<Dialect['foreignFunctions']> = {
  TO_CHAR: FORMAT,
  DATE_FORMAT: FORMAT,
  FORMAT_DATE: FORMAT,
  TO_DATE: PARSED,
  STR_TO_DATE: PARSED,
  PARSE_DATE: PARSED,
  TIMESTAMPDIFF: "date_diff('second', earlier, later)",
  TIMESTAMP_DIFF: "date_diff('second', earlier, later)",
  JULIANDAY: "date_diff('day', earlier, later)",
  DATEADD: SHIFT,
  ADD_MONTHS: SHIFT,
  GETDATE: 'now()',
  SYSDATE: 'now()',
  CURDATE: 'current_date',
  UNIX_TIMESTAMP: 'epoch(column)',
  UNIXEPOCH: 'epoch(column)',
  FROM_UNIXTIME: 'to_timestamp(n)',
  SAFE_CAST: 'TRY_CAST(x AS type)',
  TO_NUMBER: 'CAST(text AS DOUBLE)',
  SAFE_DIVIDE: 'a / NULLIF(b, 0)',
  DIV0: 'a / NULLIF(b, 0)',
  NVL: 'COALESCE(a, b)',
  IFF: CONDITION,
  IIF: CONDITION,
  CHARINDEX: 'strpos(text, part)',
  LOCATE: 'strpos(text, part)',
  SUBSTRING_INDEX: 'split_part(text, delimiter, n)',
  REGEXP_CONTAINS: 'regexp_matches(column, pattern)',
  REGEXP_LIKE: 'regexp_matches(column, pattern)',
  REGEXP_SUBSTR: 'regexp_extract(column, pattern)',
  LOGICAL_OR: 'bool_or(condition)',
  LOGICAL_AND: 'bool_and(condition)',
  ARRAY_SIZE: 'len(list)',
  RAND: 'random()',
};

/**
 * Sources: https://duckdb.org/docs/stable/sql/query_syntax/select, sql/query_syntax/setops,
 * sql/dialect/keywords_and_identifiers.
 */
export const DUCKDB_FOREIGN_SYNTAX: NonNullable<Dialect['foreignSyntax']> = {
  top: 'LIMIT n at the end of the statement',
  minus: 'EXCEPT',
  'backtick names': 'double quotes',
};

/** https://duckdb.org/docs/stable/sql/data_types/typecasting (implicit casts), and the engine itself. */
export const DUCKDB_COMPARISONS: ComparisonTraits = {
  textWithNumber: 'number',
  numberWithText: 'fails',
  likeOnNumber: 'fails',
  sumOfText: 'fails',
  dateWithText: 'iso',
  booleansAreNumbers: false,
};
