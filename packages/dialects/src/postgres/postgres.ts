import type { Dialect } from '@askema/core';
import { COMMON_PROBES } from '../common-probes.ts';
import { POSTGRES_CALENDAR, POSTGRES_WRITTEN } from './calendar.ts';
import { POSTGRES_ERRORS } from './errors.ts';
import { POSTGRES_COMPARISONS, POSTGRES_FOREIGN_FUNCTIONS, POSTGRES_FOREIGN_SYNTAX } from './foreign.ts';
import { postgresLexer } from './lexer.ts';
import { PG_STAT_STATEMENTS } from './run-statements.ts';

/**
 * `pg_get_keywords()` of PostgreSQL 18, every category but `unreserved`: those that `quote_ident` quotes. The same list
 * stands in https://www.postgresql.org/docs/current/sql-keywords-appendix.html
 */
const KEYWORDS =
  'ALL ANALYSE ANALYZE AND ANY ARRAY AS ASC ASYMMETRIC AUTHORIZATION BETWEEN BIGINT BINARY BIT BOOLEAN BOTH CASE CAST CHAR CHARACTER CHECK COALESCE COLLATE COLLATION COLUMN CONCURRENTLY CONSTRAINT CREATE CROSS CURRENT_CATALOG CURRENT_DATE CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER DEC DECIMAL DEFAULT DEFERRABLE DESC DISTINCT DO ELSE END EXCEPT EXISTS EXTRACT FALSE FETCH FLOAT FOR FOREIGN FREEZE FROM FULL GRANT GREATEST GROUP GROUPING HAVING ILIKE IN INITIALLY INNER INOUT INT INTEGER INTERSECT INTERVAL INTO IS ISNULL JOIN JSON JSON_ARRAY JSON_ARRAYAGG JSON_EXISTS JSON_OBJECT JSON_OBJECTAGG JSON_QUERY JSON_SCALAR JSON_SERIALIZE JSON_TABLE JSON_VALUE LATERAL LEADING LEAST LEFT LIKE LIMIT LOCALTIME LOCALTIMESTAMP MERGE_ACTION NATIONAL NATURAL NCHAR NONE NORMALIZE NOT NOTNULL NULL NULLIF NUMERIC OFFSET ON ONLY OR ORDER OUT OUTER OVERLAPS OVERLAY PLACING POSITION PRECISION PRIMARY REAL REFERENCES RETURNING RIGHT ROW SELECT SESSION_USER SETOF SIMILAR SMALLINT SOME SUBSTRING SYMMETRIC SYSTEM_USER TABLE TABLESAMPLE THEN TIME TIMESTAMP TO TRAILING TREAT TRIM TRUE UNION UNIQUE USER USING VALUES VARCHAR VARIADIC VERBOSE WHEN WHERE WINDOW WITH XMLATTRIBUTES XMLCONCAT XMLELEMENT XMLEXISTS XMLFOREST XMLNAMESPACES XMLPARSE XMLPI XMLROOT XMLSERIALIZE XMLTABLE';

/**
 * PostgreSQL, as data. Sources, all on https://www.postgresql.org/docs/current: sql-syntax-lexical (names, folding,
 * their 63 bytes), datatype, ddl-constraints and sql-createtable (a foreign key refers to a primary or unique key),
 * sql-comment, limits (32 columns of an index), errcodes-appendix, and for the hints functions-math,
 * functions-matching, functions-datetime, functions-aggregate, functions-json, queries-order, sql-select.
 */
export const postgresDialect: Dialect = {
  name: 'postgres',
  displayName: 'PostgreSQL',
  systemName: 'postgresql',
  grammar: 'postgresql',
  identifiers: {
    quote: ['"', '"'],
    escape: 'double',
    unquotedFolding: 'lower',
    comparison: 'sensitive',
    plainPattern: '[A-Za-z_][A-Za-z0-9_$]*',
    reservedWords: KEYWORDS.split(' '),
    qualifiers: ['schema'],
    // NAMEDATALEN - 1; the server cuts longer names off without an error.
    maxLength: 63,
    lengthUnit: 'bytes',
  },
  lexer: postgresLexer,
  types: {
    native: { NUMERIC: 'NUMERIC', TEXT: 'TEXT', DATETIME: 'TIMESTAMP', BINARY: 'BYTEA', BOOL: 'BOOLEAN' },
    logical: [
      { pattern: 'bool(ean)?', type: 'BOOL' },
      { pattern: '(date|time|timestamp|timetz|timestamptz)\\b[^\\[]*', type: 'DATETIME' },
      {
        pattern:
          '(smallint|integer|int|int2|int4|int8|bigint|decimal|numeric|real|double precision|float|float4|float8|money|oid|smallserial|serial|serial2|serial4|serial8|bigserial)(\\s*\\([^)]*\\))?',
        type: 'NUMERIC',
      },
      { pattern: 'bytea|(bit|varbit)\\b[^\\[]*', type: 'BINARY' },
    ],
    fallback: 'TEXT',
    // Types of pg_catalog come before those of users. `double` is one in front of PRECISION alone.
    own: 'bigint bit bool boolean bpchar bytea char character cidr date dec decimal float float4 float8 inet int int2 int4 int8 integer interval json jsonb macaddr money nchar numeric real smallint text time timestamp timestamptz timetz uuid varbit varchar'.split(
      ' ',
    ),
  },
  ddl: {
    primaryKey: 'enforced',
    foreignKey: 'enforced',
    unique: 'enforced',
    check: true,
    forwardReference: 'alter',
    foreignKeyTarget: 'key',
    maxKeyAttributes: 32,
    comments: {
      placement: 'statement',
      relation: 'COMMENT ON TABLE {relation} IS {text}',
      attribute: 'COMMENT ON COLUMN {relation}.{attribute} IS {text}',
    },
  },
  errors: POSTGRES_ERRORS,
  hints: [
    'Names without quotes are read in lower case: a column that is stored as "Name" must be written in double quotes, exactly as it is stored. Strings stand in single quotes only.',
    'Dividing two integers gives an integer: write a::numeric / b for a ratio or a percentage. Dividing by zero is an error: a / NULLIF(b, 0).',
    'Types do not mix by themselves: comparing a text column with a number, LIKE on a number, or SUM of a text column is an error. Cast: column::numeric, column::text.',
    'LIKE is case-sensitive, ILIKE is not; ~ and ~* match regular expressions.',
    "DATE_TRUNC('month', d), EXTRACT(YEAR FROM d), d + INTERVAL '1 month', TO_CHAR(d, 'YYYY-MM'); two dates subtract to a count of days, two timestamps to an interval. There is no DATEDIFF, DATEADD, YEAR() or STRFTIME.",
    'Booleans are TRUE and FALSE, not 1 and 0: write vip or NOT vip; count them with COUNT(*) FILTER (WHERE vip). ROUND(x, 2) takes numeric only: ROUND(x::numeric, 2).',
    "STRING_AGG(column, ', ') joins text of a group; PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY x) is the median. There is no GROUP_CONCAT, MEDIAN, IFNULL or IF: use COALESCE and CASE.",
    "JSON: column -> 'field' gives json, column ->> 'field' text; jsonb_array_elements(column) gives one row per element.",
    'Every selected column outside of an aggregate stands in GROUP BY, unless its table is grouped by its primary key. Aliases of SELECT may stand in GROUP BY and ORDER BY, not in WHERE or HAVING.',
    'There is no QUALIFY and no TOP: use LIMIT, DISTINCT ON (…), or a window function inside a subquery.',
    'NULLs sort last in ascending and first in descending order: write NULLS LAST where it matters.',
  ],
  runStatements: PG_STAT_STATEMENTS,
  probes: {
    ...COMMON_PROBES,
    definitions:
      "SELECT (SELECT sum(xmin::text::bigint) + count(*) FROM pg_catalog.pg_rewrite), sum(c.xmin::text::bigint), sum(a.xmin::text::bigint), count(*) FROM pg_catalog.pg_class AS c JOIN pg_catalog.pg_attribute AS a ON a.attrelid = c.oid WHERE c.relkind IN ('r', 'p', 'v', 'm', 'f', 'c') AND c.relpersistence <> 't' AND a.attnum > 0",
    search: 'SELECT DISTINCT {attribute} FROM {relation} WHERE CAST({attribute} AS TEXT) ILIKE {pattern} LIMIT {limit}',
    // Lists of the engine, JSON, and JSON within text alike.
    elements:
      "SELECT element.value, COUNT(*) AS occurrences FROM (SELECT CAST(to_jsonb({attribute}) #>> ARRAY[]::text[] AS JSONB) AS document FROM {relation} WHERE {attribute} IS NOT NULL) AS probed, jsonb_array_elements_text(CASE jsonb_typeof(probed.document) WHEN 'array' THEN probed.document END) AS element(value) GROUP BY element.value ORDER BY occurrences DESC LIMIT {limit}",
    jsonFields:
      "SELECT DISTINCT field.key, jsonb_typeof(field.value) FROM (SELECT CAST(to_jsonb({attribute}) #>> ARRAY[]::text[] AS JSONB) AS document FROM {relation} WHERE {attribute} IS NOT NULL LIMIT 1000) AS sampled, jsonb_each(CASE jsonb_typeof(sampled.document) WHEN 'object' THEN sampled.document END) AS field LIMIT {limit}",
  },
  // functions-math: the division of two integers.
  integerDivision: 'cuts',
  // queries-order
  nullOrder: 'high',
  comparisons: POSTGRES_COMPARISONS,
  // sql-select (GROUP BY and ORDER BY alone see aliases, ORDER BY the names of the result);
  // queries-table-expressions#QUERIES-FROM.
  scopes: {
    aliasesHiddenIn: ['select', 'from', 'join', 'where', 'having', 'qualify', 'window', 'limit', 'other'],
    outputNamesIn: ['order by'],
    joinBeforeComma: true,
  },
  // sql-select: LIMIT, operands in brackets; datatype-boolean: as most engines write them.
  forms: { rowLimit: 'limit', truthValues: 'words', setDistinct: 'implied', setOperand: 'brackets' },
  // sql-select#SQL-GROUPBY: columns that a grouped primary key determines.
  ungroupedColumns: 'determined',
  functions: { written: POSTGRES_WRITTEN },
  calendar: POSTGRES_CALENDAR,
  foreignFunctions: POSTGRES_FOREIGN_FUNCTIONS,
  foreignSyntax: POSTGRES_FOREIGN_SYNTAX,
  ormName: 'postgresql',
};
