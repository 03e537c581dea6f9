import type { Dialect } from '@askema/core';
import { COMMON_PROBES } from '../common-probes.ts';
import { BIGQUERY_CALENDAR, BIGQUERY_WRITTEN } from './calendar.ts';
import { BIGQUERY_ERRORS } from './errors.ts';
import { BIGQUERY_COMPARISONS, BIGQUERY_FOREIGN_FUNCTIONS, BIGQUERY_FOREIGN_SYNTAX } from './foreign.ts';
import { bigqueryLexer } from './lexer.ts';

/** https://cloud.google.com/bigquery/docs/reference/standard-sql/lexical#reserved_keywords */
const KEYWORDS =
  'ALL AND ANY ARRAY AS ASC ASSERT_ROWS_MODIFIED AT BETWEEN BY CASE CAST COLLATE CONTAINS CREATE CROSS CUBE CURRENT DEFAULT DEFINE DESC DISTINCT ELSE END ENUM ESCAPE EXCEPT EXCLUDE EXISTS EXTRACT FALSE FETCH FOLLOWING FOR FROM FULL GROUP GROUPING GROUPS HASH HAVING IF IGNORE IN INNER INTERSECT INTERVAL INTO IS JOIN LATERAL LEFT LIKE LIMIT LOOKUP MERGE NATURAL NEW NO NOT NULL NULLS OF ON OR ORDER OUTER OVER PARTITION PRECEDING PROTO QUALIFY RANGE RECURSIVE RESPECT RIGHT ROLLUP ROWS SELECT SET SOME STRUCT TABLESAMPLE THEN TO TREAT TRUE UNBOUNDED UNION UNNEST USING WHEN WHERE WINDOW WITH WITHIN';

const BIGQUERY_COMMON_PROBES = Object.fromEntries(
  Object.entries(COMMON_PROBES).map(([name, sql]) => [name, sql.replace('{relation}', '{relation} AS probed')]),
);

/**
 * BigQuery (GoogleSQL), as data. Sources, all on https://cloud.google.com/bigquery/docs: reference/standard-sql/lexical
 * (names, quotes, escapes, case), reference/standard-sql/data-types, reference/standard-sql/data-definition-language
 * and primary-foreign-keys (keys are NOT ENFORCED), reference/standard-sql/operators, reference/standard-sql/arrays,
 * querying-wildcard-tables, and the pages that `lexer.ts` and `errors.ts` name.
 */
export const bigqueryDialect: Dialect = {
  name: 'bigquery',
  displayName: 'BigQuery',
  // The conventions have no name for it; this one begins as that of Spanner does.
  systemName: 'gcp.bigquery',
  grammar: 'bigquery',
  identifiers: {
    quote: ['`', '`'],
    escape: 'backslash',
    unquotedFolding: 'none',
    // Names of datasets and tables are case-sensitive; those of columns are not, and may be written in any case.
    comparison: 'sensitive',
    plainPattern: '[A-Za-z_][A-Za-z0-9_]*',
    reservedWords: KEYWORDS.split(' '),
    qualifiers: ['database', 'schema'],
    maxLength: 300,
  },
  lexer: bigqueryLexer,
  types: {
    native: { NUMERIC: 'NUMERIC', TEXT: 'STRING', DATETIME: 'TIMESTAMP', BINARY: 'BYTES', BOOL: 'BOOL' },
    logical: [
      { pattern: 'bool(ean)?', type: 'BOOL' },
      { pattern: 'date|datetime|time|timestamp(\\s*\\(.*\\))?', type: 'DATETIME' },
      {
        pattern:
          '(int64|int|smallint|integer|bigint|tinyint|byteint|numeric|decimal|bignumeric|bigdecimal|float64|float)(\\s*\\(.*\\))?',
        type: 'NUMERIC',
      },
      { pattern: 'bytes(\\s*\\(.*\\))?', type: 'BINARY' },
    ],
    fallback: 'TEXT',
  },
  ddl: {
    primaryKey: 'informational',
    foreignKey: 'informational',
    unique: 'none',
    forwardReference: 'alter',
    // information-schema-table-constraints, limitations
    foreignKeyTarget: 'primary key',
    selfReference: false,
    typesOutsideKeys: ['BINARY'],
    maxKeyAttributes: 16,
    informationalSuffix: 'NOT ENFORCED',
    comments: {
      placement: 'suffix',
      relation: 'OPTIONS(description={text})',
      attribute: 'OPTIONS(description={text})',
    },
  },
  errors: BIGQUERY_ERRORS,
  hints: [
    'Quote names with backticks, part by part as the schema shows them (`my-project`.dataset.table) or a whole path at once (`my-project.dataset.table`). Single and double quotes both make strings.',
    "A backslash escapes inside of strings ('it\\'s'); a doubled quote does not. r'…' keeps backslashes, for regular expressions.",
    'Arrays: FROM t, UNNEST(t.items) AS item gives one row per element (LEFT JOIN UNNEST(…) keeps rows without any). Fields of a STRUCT are read with a dot: a.b.c; a field of an array of structs only after UNNEST.',
    '/ gives FLOAT64; DIV(a, b) divides integers; SAFE_DIVIDE(a, b) gives NULL for a division by zero. SAFE_CAST gives NULL for what it cannot read.',
    "Tables in shards by date: FROM `project.dataset.events_*` WHERE _TABLE_SUFFIX BETWEEN '20210101' AND '20210131'.",
    "DATE_TRUNC(d, MONTH), DATE_ADD(d, INTERVAL 1 DAY), DATE_DIFF(later, earlier, DAY), EXTRACT(YEAR FROM d), PARSE_DATE('%Y%m%d', text), FORMAT_DATE('%Y-%m', d); TIMESTAMP_MICROS(n) and TIMESTAMP_SECONDS(n) for counts since 1970.",
    "LIKE is case-sensitive and there is no ILIKE: compare LOWER(column). REGEXP_CONTAINS(column, r'…') searches by pattern.",
    "A table's own name hides a column of the same name: give the table an alias and write alias.column.",
    'QUALIFY filters by window functions. SELECT * EXCEPT (column) leaves columns out.',
    'A correlated subquery must be one that can be turned into a join: otherwise write the JOIN.',
    'NULLs sort first in ascending and last in descending order.',
    'Places: ST_GEOGPOINT(longitude, latitude), ST_DWITHIN, ST_DISTANCE in metres.',
  ],
  // A relation needs an alias: without one its own name hides a column of the same name
  // (`SELECT country FROM p.d.country` gives whole rows). reference/standard-sql/query-syntax#range_variables
  probes: {
    ...BIGQUERY_COMMON_PROBES,
    // JSON and GEOGRAPHY cannot be compared, so that DISTINCT refuses them; their JSON text can.
    sample:
      'SELECT ANY_VALUE({attribute}) FROM (SELECT {attribute} FROM {relation} AS probed WHERE {attribute} IS NOT NULL LIMIT 10000) AS sampled GROUP BY TO_JSON_STRING({attribute}) LIMIT {limit}',
    search:
      'SELECT DISTINCT {attribute} FROM {relation} AS probed WHERE LOWER(CAST({attribute} AS STRING)) LIKE LOWER({pattern}) LIMIT {limit}',
    cells: 'SELECT DISTINCT {attribute} FROM {relation} AS probed WHERE {attribute} IS NOT NULL LIMIT {limit}',
    occurs: 'SELECT 1 FROM {relation} AS probed WHERE {condition} LIMIT 1',
    companions: 'SELECT DISTINCT {attribute} FROM {relation} AS probed WHERE {condition} LIMIT {limit}',
    source: '(SELECT {attributes} FROM {relation} AS probed LIMIT {limit}) AS {alias}',
    elements:
      'SELECT TO_JSON_STRING(element) AS element, COUNT(*) AS occurrences FROM {relation} AS probed, UNNEST(probed.{attribute}) AS element GROUP BY element ORDER BY occurrences DESC LIMIT {limit}',
    jsonFields:
      'SELECT DISTINCT field FROM (SELECT {attribute} FROM {relation} AS probed WHERE {attribute} IS NOT NULL LIMIT 1000) AS sampled, UNNEST(JSON_KEYS(sampled.{attribute})) AS field LIMIT {limit}',
  },
  // reference/standard-sql/operators: the division of two integers.
  integerDivision: 'exact',
  // reference/standard-sql/query-syntax#order_by_clause
  nullOrder: 'low',
  comparisons: BIGQUERY_COMPARISONS,
  // query-syntax#ambiguity_and_visibility.
  scopes: {
    aliasesHiddenIn: ['select', 'where', 'join'],
    aliasesFirstIn: ['group by', 'having', 'qualify', 'order by'],
  },
  // date_functions: the unit stands last, but for WEEK(MONDAY).
  functions: {
    written: BIGQUERY_WRITTEN,
    unitFirst: ['WEEK'],
  },
  // query-syntax#set_operators: ALL or DISTINCT must be written.
  forms: { setDistinct: 'written' },
  // reference/standard-sql/query-syntax#group_by_clause
  ungroupedColumns: 'refused',
  calendar: BIGQUERY_CALENDAR,
  foreignFunctions: BIGQUERY_FOREIGN_FUNCTIONS,
  foreignSyntax: BIGQUERY_FOREIGN_SYNTAX,
};
