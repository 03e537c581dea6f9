import type { Dialect } from '@askema/core';
import { COMMON_PROBES } from '../common-probes.ts';
import { DUCKDB_CALENDAR, DUCKDB_WRITTEN } from './calendar.ts';
import { DUCKDB_ERRORS } from './errors.ts';
import { DUCKDB_COMPARISONS, DUCKDB_FOREIGN_FUNCTIONS, DUCKDB_FOREIGN_SYNTAX } from './foreign.ts';
import { duckdbLexer } from './lexer.ts';

/**
 * `duckdb_keywords()` of DuckDB 1.5: the categories `reserved`, `type_function` and `column_name`, which a bare name
 * cannot be everywhere.
 */
const KEYWORDS =
  'ALL ANALYSE ANALYZE AND ANTI ANY ARRAY AS ASC ASOF ASYMMETRIC AT AUTHORIZATION BETWEEN BIGINT BINARY BIT BOOLEAN BOTH BY CASE CAST CHAR CHARACTER CHECK COALESCE COLLATE COLLATION COLUMN COLUMNS CONCURRENTLY CONSTRAINT CREATE CROSS DEC DECIMAL DEFAULT DEFERRABLE DESC DESCRIBE DISTINCT DO ELSE END EXCEPT EXISTS EXTRACT FALSE FETCH FLOAT FOR FOREIGN FREEZE FROM FULL GENERATED GLOB GROUP GROUPING GROUPING_ID HAVING ILIKE IN INITIALLY INNER INOUT INT INTEGER INTERSECT INTERVAL INTO IS ISNULL JOIN LAMBDA LATERAL LEADING LEFT LIKE LIMIT MAP NATIONAL NATURAL NCHAR NONE NOT NOTNULL NULL NULLIF NUMERIC OFFSET ON ONLY OR ORDER OUT OUTER OVERLAPS OVERLAY PIVOT PIVOT_LONGER PIVOT_WIDER PLACING POSITION POSITIONAL PRECISION PRIMARY QUALIFY REAL REFERENCES RETURNING RIGHT ROW SELECT SEMI SETOF SHOW SIMILAR SMALLINT SOME STRUCT SUBSTRING SUMMARIZE SYMMETRIC TABLE TABLESAMPLE THEN TIME TIMESTAMP TO TRAILING TREAT TRIM TRUE TRY_CAST UNION UNIQUE UNPACK UNPIVOT USING VALUES VARCHAR VARIADIC VERBOSE WHEN WHERE WINDOW WITH XMLATTRIBUTES XMLCONCAT XMLELEMENT XMLEXISTS XMLFOREST XMLNAMESPACES XMLPARSE XMLPI XMLROOT XMLSERIALIZE XMLTABLE';

/**
 * DuckDB 1.5, as data. Sources, all on https://duckdb.org/docs/stable: sql/dialect/keywords_and_identifiers (names keep
 * their case and compare without it), sql/data_types/overview, sql/data_types/numeric (DECIMAL without digits is
 * DECIMAL(18, 3)), sql/constraints, sql/statements/alter_table (no foreign key can be added),
 * sql/statements/comment_on, and for the hints sql/functions/overview, sql/query_syntax/orderby,
 * sql/query_syntax/qualify, sql/query_syntax/groupby.
 */
export const duckdbDialect: Dialect = {
  name: 'duckdb',
  displayName: 'DuckDB',
  grammar: 'duckdb',
  identifiers: {
    quote: ['"', '"'],
    escape: 'double',
    unquotedFolding: 'none',
    comparison: 'insensitive',
    plainPattern: '[A-Za-z_][A-Za-z0-9_]*',
    reservedWords: KEYWORDS.split(' '),
    qualifiers: ['database', 'schema'],
  },
  lexer: duckdbLexer,
  types: {
    native: { NUMERIC: 'DECIMAL(38, 10)', TEXT: 'VARCHAR', DATETIME: 'TIMESTAMP', BINARY: 'BLOB', BOOL: 'BOOLEAN' },
    logical: [
      // Lists, arrays, structs, maps, unions: nested values count as text.
      { pattern: '.*\\]|(struct|map|union)\\b.*', type: 'TEXT' },
      {
        pattern:
          'u?(tiny|small|big|huge)int|u?integer|int|int[1248]|bignum|varint|(decimal|numeric|dec)(\\s*\\(.*\\))?|float|real|double',
        type: 'NUMERIC',
      },
      { pattern: '(date|datetime|time|timestamp|timestamptz|timetz)\\b.*|timestamp_.*|time_ns', type: 'DATETIME' },
      { pattern: 'blob|bytea|binary|varbinary|bit|bitstring', type: 'BINARY' },
      { pattern: 'bool(ean)?|logical', type: 'BOOL' },
    ],
    // https://duckdb.org/docs/stable/sql/data_types/enum
    labelled: ['ENUM'],
    fallback: 'TEXT',
    // Each was tried with CREATE TYPE of DuckDB 1.5; a database with a type JSON of its own is not read.
    own: 'bigint binary bit bool boolean bpchar bytea char character date datetime dec decimal double float float4 float8 hugeint int int1 int2 int4 int8 int16 int32 int64 int128 integer interval json long nchar numeric nvarchar real short signed smallint string text time timestamp timestamp_ms timestamp_ns timestamp_s timestamptz timetz tinyint ubigint uhugeint uint8 uint16 uint32 uint64 uinteger usmallint utinyint uuid varbinary varchar variant'.split(
      ' ',
    ),
  },
  ddl: {
    primaryKey: 'enforced',
    foreignKey: 'enforced',
    unique: 'enforced',
    check: true,
    forwardReference: 'none',
    foreignKeyTarget: 'key',
    comments: {
      placement: 'statement',
      relation: 'COMMENT ON TABLE {relation} IS {text}',
      attribute: 'COMMENT ON COLUMN {relation}.{attribute} IS {text}',
    },
  },
  errors: DUCKDB_ERRORS,
  hints: [
    'Dividing with / gives a fraction even for integers; // divides without one. Dividing by zero gives infinity or NULL, not an error.',
    "Dates: date_trunc('month', d), extract(year FROM d), year(d), d + INTERVAL 1 MONTH, date_diff('day', earlier, later), strftime(d, '%Y-%m'), strptime(text, '%d/%m/%Y'). A date column compares with ISO text only.",
    'LIKE is case-sensitive, ILIKE is not; = is exact. regexp_matches(column, pattern) searches by pattern.',
    'Double quotes make names, single quotes make strings. Names compare without regard to case.',
    'Text does not mix with numbers: SUM or LIKE on the wrong type is an error, and a text column beside a number is read as numbers and fails at the first that is none. CAST fails where a cell does not fit; TRY_CAST gives NULL.',
    'Every column outside of an aggregate stands in GROUP BY, or write GROUP BY ALL. QUALIFY filters by window functions.',
    "string_agg(column, ', '), median(x), quantile_cont(x, 0.9), list(x), count(*) FILTER (WHERE …), arg_max(name, x) are there.",
    "Lists: FROM t, UNNEST(t.items) AS u(item) gives one row per element; a struct field is read with a dot: column.field. JSON: column ->> '$.field'.",
    'NULLs sort last in both directions: write NULLS FIRST where it matters.',
  ],
  probes: {
    ...COMMON_PROBES,
    definitions:
      "SELECT count(*), md5(string_agg(concat_ws('.', database_name, schema_name, view_name, sql), ';' ORDER BY database_name, schema_name, view_name)) FROM duckdb_views() WHERE NOT internal",
    search:
      'SELECT DISTINCT {attribute} FROM {relation} WHERE CAST({attribute} AS VARCHAR) ILIKE {pattern} LIMIT {limit}',
    elements:
      "SELECT element.item, COUNT(*) AS occurrences FROM {relation} AS probed, UNNEST(CAST(CAST(probed.{attribute} AS JSON) -> '$[*]' AS VARCHAR[])) AS element(item) GROUP BY element.item ORDER BY occurrences DESC LIMIT {limit}",
    jsonFields:
      'SELECT DISTINCT field.fullkey, field.type FROM (SELECT {attribute} AS document FROM {relation} WHERE {attribute} IS NOT NULL LIMIT 1000) AS sampled, json_tree(CAST(sampled.document AS JSON)) AS field LIMIT {limit}',
  },
  // sql/functions/numeric: / always gives a fraction.
  integerDivision: 'exact',
  // sql/query_syntax/orderby
  nullOrder: 'last',
  comparisons: DUCKDB_COMPARISONS,
  // sql/query_syntax/limit, sql/query_syntax/setops, sql/data_types/boolean: as most engines write them.
  forms: { rowLimit: 'limit', truthValues: 'words', setDistinct: 'implied', setOperand: 'brackets' },
  // sql/query_syntax/groupby
  ungroupedColumns: 'refused',
  functions: { written: DUCKDB_WRITTEN },
  calendar: DUCKDB_CALENDAR,
  foreignFunctions: DUCKDB_FOREIGN_FUNCTIONS,
  foreignSyntax: DUCKDB_FOREIGN_SYNTAX,
};
