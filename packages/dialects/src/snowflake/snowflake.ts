import type { Dialect } from '@askema/core';
import { COMMON_PROBES } from '../common-probes.ts';
import { SNOWFLAKE_CALENDAR, SNOWFLAKE_WRITTEN } from './calendar.ts';
import { SNOWFLAKE_ERRORS } from './errors.ts';
import { SNOWFLAKE_COMPARISONS, SNOWFLAKE_FOREIGN_FUNCTIONS, SNOWFLAKE_FOREIGN_SYNTAX } from './foreign.ts';
import { snowflakeLexer } from './lexer.ts';

/**
 * https://docs.snowflake.com/en/sql-reference/reserved-keywords, without the single letters that stand there as
 * headings.
 */
const KEYWORDS =
  'ACCOUNT ALL ALTER AND ANY AS BETWEEN BY CASE CAST CHECK COLUMN CONNECT CONNECTION CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DATABASE DELETE DISTINCT DROP ELSE EXISTS FALSE FOLLOWING FOR FROM FULL GRANT GROUP GSCLUSTER HAVING ILIKE IN INCREMENT INNER INSERT INTERSECT INTO IS ISSUE JOIN LATERAL LEFT LIKE LOCALTIME LOCALTIMESTAMP MINUS NATURAL NOT NULL OF ON OR ORDER ORGANIZATION QUALIFY REGEXP REVOKE RIGHT RLIKE ROW ROWS SAMPLE SCHEMA SELECT SET SOME START TABLE TABLESAMPLE THEN TO TRIGGER TRUE TRY_CAST UNION UNIQUE UPDATE USING VALUES VIEW WHEN WHENEVER WHERE WITH';

/**
 * Snowflake, as data. Sources, all on https://docs.snowflake.com/en/sql-reference: identifiers-syntax and
 * reserved-keywords (names), intro-summary-data-types (types), constraints-overview (keys are not enforced),
 * sql/comment (comments), and the pages that `lexer.ts` and `errors.ts` name; for the hints functions/flatten,
 * operators-arithmetic, constructs/qualify, functions/try_cast, functions/like, querying-semistructured,
 * constructs/order-by.
 */
export const snowflakeDialect: Dialect = {
  name: 'snowflake',
  displayName: 'Snowflake',
  grammar: 'snowflake',
  identifiers: {
    quote: ['"', '"'],
    escape: 'double',
    unquotedFolding: 'upper',
    comparison: 'sensitive',
    plainPattern: '[A-Za-z_][A-Za-z0-9_$]*',
    reservedWords: KEYWORDS.split(' '),
    qualifiers: ['database', 'schema'],
    maxLength: 255,
  },
  lexer: snowflakeLexer,
  types: {
    // NUMBER alone is NUMBER(38, 0) and rounds fractions away (data-types-numeric).
    native: {
      NUMERIC: 'NUMBER(38, 10)',
      TEXT: 'VARCHAR',
      DATETIME: 'TIMESTAMP_NTZ',
      BINARY: 'BINARY',
      BOOL: 'BOOLEAN',
    },
    logical: [
      { pattern: 'boolean', type: 'BOOL' },
      { pattern: '(date|datetime|time|timestamp).*', type: 'DATETIME' },
      {
        pattern:
          '(number|decimal|dec|numeric|int|integer|bigint|smallint|tinyint|byteint|float|float4|float8|double|double precision|real|decfloat)(\\s*\\(.*\\))?',
        type: 'NUMERIC',
      },
      { pattern: '(binary|varbinary)(\\s*\\(.*\\))?', type: 'BINARY' },
    ],
    fallback: 'TEXT',
  },
  ddl: {
    primaryKey: 'informational',
    foreignKey: 'informational',
    unique: 'informational',
    forwardReference: 'alter',
    foreignKeyTarget: 'key',
    // constraints-properties: the default, said aloud.
    informationalSuffix: 'NOT ENFORCED',
    comments: {
      placement: 'suffix',
      relation: 'COMMENT = {text}',
      attribute: 'COMMENT {text}',
    },
  },
  errors: SNOWFLAKE_ERRORS,
  hints: [
    'Names without quotes are read in upper case: a column that is stored as "Name" or name must be written in double quotes, exactly as it is stored: t."name".',
    'Name tables in full: DATABASE.SCHEMA.TABLE.',
    "Strings stand in single quotes; double quotes make names. LIKE is case-sensitive, ILIKE is not; CONTAINS(column, 'text') is exact.",
    'VARIANT, OBJECT and ARRAY columns: column:field.inner::VARCHAR reads a field (field names are case-sensitive), and FROM t, LATERAL FLATTEN(INPUT => t.column) AS f gives one row per element as f.value; f.value:"field"::NUMBER casts it. Text that holds JSON needs PARSE_JSON(column) first.',
    'Dividing two integers gives a decimal number. TRY_CAST and TRY_TO_NUMBER take text only, and give NULL for what they cannot read.',
    'QUALIFY filters by window functions, without a subquery around it.',
    'A correlated subquery that is more than a plain aggregate fails with "Unsupported subquery type": write a JOIN or a CTE instead.',
    "DATE_TRUNC('month', d), DATEADD('day', 1, d), DATEDIFF('day', a, b), YEAR(d), TO_DATE(text, 'YYYYMMDD'); a count of seconds or microseconds since 1970 becomes a timestamp by TO_TIMESTAMP(n) or TO_TIMESTAMP(n, 6).",
    'NULLs sort last in ascending and first in descending order: write NULLS LAST where it matters.',
    'Places: ST_MAKEPOINT(longitude, latitude), TO_GEOGRAPHY(binary or text), ST_DWITHIN, ST_DISTANCE in metres.',
  ],
  probes: {
    ...COMMON_PROBES,
    search: 'SELECT DISTINCT {attribute} FROM {relation} WHERE {attribute} ILIKE {pattern} LIMIT {limit}',
    elements:
      'SELECT DISTINCT element.value FROM {relation}, LATERAL FLATTEN(INPUT => {attribute}) AS element LIMIT {limit}',
    jsonFields:
      'SELECT DISTINCT field.path, TYPEOF(field.value) FROM (SELECT {attribute} FROM {relation} WHERE {attribute} IS NOT NULL LIMIT 1000) AS sampled, LATERAL FLATTEN(INPUT => sampled.{attribute}, RECURSIVE => TRUE) AS field LIMIT {limit}',
  },
  // operators-arithmetic: the division of two integers.
  integerDivision: 'exact',
  // constructs/order-by
  nullOrder: 'high',
  comparisons: SNOWFLAKE_COMPARISONS,
  // sql/select (every clause sees aliases), constructs/from: "invalid identifier" for what the comma hides.
  scopes: { joinBeforeComma: true },
  // functions/flatten, functions/generator.
  functions: {
    written: SNOWFLAKE_WRITTEN,
    tableColumns: { FLATTEN: ['SEQ', 'KEY', 'PATH', 'INDEX', 'VALUE', 'THIS'], GENERATOR: [] },
  },
  // constructs/limit, operators-query, data-types-logical: as most engines write them.
  forms: { rowLimit: 'limit', truthValues: 'words', setDistinct: 'implied', setOperand: 'brackets' },
  // constructs/group-by
  ungroupedColumns: 'refused',
  calendar: SNOWFLAKE_CALENDAR,
  foreignFunctions: SNOWFLAKE_FOREIGN_FUNCTIONS,
  foreignSyntax: SNOWFLAKE_FOREIGN_SYNTAX,
};
