import type { Dialect } from '@askema/core';
import { COMMON_PROBES } from '../common-probes.ts';
import { SQLITE_CALENDAR, SQLITE_WRITTEN } from './calendar.ts';
import { SQLITE_ERRORS } from './errors.ts';
import { SQLITE_COMPARISONS, SQLITE_FOREIGN_FUNCTIONS, SQLITE_FOREIGN_SYNTAX } from './foreign.ts';
import { sqliteLexer } from './lexer.ts';

/** https://sqlite.org/lang_keywords.html: all keywords; SQLite takes some of them as names, newer versions may not. */
const KEYWORDS =
  'ABORT ACTION ADD AFTER ALL ALTER ALWAYS ANALYZE AND AS ASC ATTACH AUTOINCREMENT BEFORE BEGIN BETWEEN BY CASCADE CASE CAST CHECK COLLATE COLUMN COMMIT CONFLICT CONSTRAINT CREATE CROSS CURRENT CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP DATABASE DEFAULT DEFERRABLE DEFERRED DELETE DESC DETACH DISTINCT DO DROP EACH ELSE END ESCAPE EXCEPT EXCLUDE EXCLUSIVE EXISTS EXPLAIN FAIL FILTER FIRST FOLLOWING FOR FOREIGN FROM FULL GENERATED GLOB GROUP GROUPS HAVING IF IGNORE IMMEDIATE IN INDEX INDEXED INITIALLY INNER INSERT INSTEAD INTERSECT INTO IS ISNULL JOIN KEY LAST LEFT LIKE LIMIT MATCH MATERIALIZED NATURAL NO NOT NOTHING NOTNULL NULL NULLS OF OFFSET ON OR ORDER OTHERS OUTER OVER PARTITION PLAN PRAGMA PRECEDING PRIMARY QUERY RAISE RANGE RECURSIVE REFERENCES REGEXP REINDEX RELEASE RENAME REPLACE RESTRICT RETURNING RIGHT ROLLBACK ROW ROWS SAVEPOINT SELECT SET TABLE TEMP TEMPORARY THEN TIES TO TRANSACTION TRIGGER UNBOUNDED UNION UNIQUE UPDATE USING VACUUM VALUES VIEW VIRTUAL WHEN WHERE WINDOW WITH WITHOUT';

const JSON_COLUMNS = ['key', 'value', 'type', 'atom', 'id', 'parent', 'fullkey', 'path', 'json', 'root'];

/**
 * SQLite 3, as data. Sources, all on https://sqlite.org: lang_keywords.html (names and quotes), lang_comment.html,
 * lang_expr.html (literals, parameters, LIKE, integer division), datatype3.html (affinity), lang_datefunc.html,
 * lang_createtable.html, foreignkeys.html, lang_select.html, quirks.html, rescode.html (codes).
 */
export const sqliteDialect: Dialect = {
  name: 'sqlite',
  displayName: 'SQLite',
  grammar: 'sqlite',
  identifiers: {
    quote: ['"', '"'],
    escape: 'double',
    unquotedFolding: 'none',
    comparison: 'insensitive',
    plainPattern: '[A-Za-z_][A-Za-z0-9_]*',
    reservedWords: KEYWORDS.split(' '),
    qualifiers: [],
  },
  lexer: sqliteLexer,
  types: {
    native: { NUMERIC: 'NUMERIC', TEXT: 'TEXT', DATETIME: 'DATETIME', BINARY: 'BLOB', BOOL: 'BOOLEAN' },
    // CAST to NUMERIC keeps integers apart from fractions; text that may hold either is read as REAL.
    cast: { FLOAT: 'REAL' },
    // datatype3.html, section 3.1: a column may be declared without a type.
    untypedAttributes: true,
    // Any word is a type to SQLite. What people mean by one comes first, then the affinity rules of datatype3.html,
    // section 3.1.
    logical: [
      { pattern: 'bool(ean)?|bit', type: 'BOOL' },
      { pattern: '.*(date|time).*', type: 'DATETIME' },
      { pattern: '(enum|json|uuid|guid|string|interval)\\b.*', type: 'TEXT' },
      { pattern: '.*(varbinary|binary|bytea|image).*', type: 'BINARY' },
      { pattern: '.*int.*', type: 'NUMERIC' },
      { pattern: '.*(char|clob|text).*', type: 'TEXT' },
      { pattern: '.*blob.*', type: 'BINARY' },
      { pattern: 'num|.*(real|floa|doub|numeric|number|dec|money|currency|serial|year).*', type: 'NUMERIC' },
    ],
    fallback: 'TEXT',
  },
  // Foreign keys are enforced where the connection says PRAGMA foreign_keys = ON; their target may be created later.
  // lang_createtable.html#the_primary_key: NULLs in keys for historical reasons; #rowid: a single INTEGER key is the
  // number of the row.
  ddl: {
    primaryKey: 'enforced',
    foreignKey: 'enforced',
    unique: 'enforced',
    forwardReference: 'inline',
    check: true,
    nullsInPrimaryKey: true,
    rowNumberType: 'INTEGER',
  },
  errors: SQLITE_ERRORS,
  hints: [
    'Dividing two integers gives an integer: write 1.0 * a / b, or CAST(a AS REAL) / b, for a ratio or a percentage.',
    'Text is joined with ||; if one side is NULL, so is the result (COALESCE helps).',
    "There is no date type. Dates are mostly ISO text such as '2024-03-09', which compares and sorts as text; use date(), datetime(), julianday() and strftime('%Y-%m', column) to cut and to shift them, for example date(column, '+1 month'). There is no DATE_TRUNC, EXTRACT, YEAR(), DATEDIFF or INTERVAL.",
    'Single quotes make strings, double quotes make names: write status = \'open\'. Quote names with blanks, odd characters or reserved words: "order".',
    'LIKE ignores the case of the letters A to Z, and of no others; = is exact. There is no ILIKE: write LIKE. REGEXP has no function behind it.',
    'True and false are 1 and 0.',
    'RIGHT JOIN and FULL JOIN exist. There is no QUALIFY, no LATERAL, no TOP, no ANY or ALL before a subquery: use LIMIT, or a window function inside a subquery.',
    'NULLs sort first in ascending order; NULLS LAST is understood.',
    'Aggregates that are there: COUNT, SUM, TOTAL, AVG, MIN, MAX, GROUP_CONCAT, MEDIAN(x), PERCENTILE(x, 0 to 100), each with FILTER (WHERE …). STDDEV and VARIANCE are not.',
    'A column outside of an aggregate that is not in GROUP BY is no error, but its value comes from an arbitrary row: name every such column in GROUP BY.',
  ],
  probes: {
    ...COMMON_PROBES,
    // `schema_version` may be the same for a file that was put in the place of another.
    definitions: "SELECT group_concat(quote(name) || quote(sql), ';') FROM sqlite_schema",
    search: 'SELECT DISTINCT {attribute} FROM {relation} WHERE {attribute} LIKE {pattern} LIMIT {limit}',
    elements:
      'SELECT element.value, COUNT(*) AS occurrences FROM {relation} AS probed, temp.json_each(probed.{attribute}) AS element WHERE json_valid(probed.{attribute}) GROUP BY element.value ORDER BY occurrences DESC LIMIT {limit}',
    yearOf: "CAST(strftime('%Y', {attribute}) AS INTEGER)",
    quarterOf: "(CAST(strftime('%m', {attribute}) AS INTEGER) + 2) / 3",
    monthOf: "CAST(strftime('%m', {attribute}) AS INTEGER)",
    jsonFields:
      'SELECT DISTINCT field.fullkey, field.type FROM {relation}, json_tree({attribute}) AS field WHERE json_valid({attribute}) LIMIT {limit}',
  },
  // https://sqlite.org/lang_expr.html: the division of two integers.
  integerDivision: 'cuts',
  // https://sqlite.org/lang_select.html, section 4
  nullOrder: 'low',
  comparisons: SQLITE_COMPARISONS,
  // https://sqlite.org/datatype3.html#boolean_datatype (truth values), lang_select.html#compoundselect (operands take
  // no brackets, order or limit).
  forms: { truthValues: 'numbers', setOperand: 'sub-query' },
  // Tried: every clause but the select list sees aliases, and an ambiguous name is an error everywhere. FROM goes from
  // left to right.
  scopes: { aliasesHiddenIn: ['select'], outputNamesIn: [] },
  // lang_corefunc.html#max_scalar; json1.html#jeach; series.html.
  functions: {
    written: SQLITE_WRITTEN,
    scalarWithSeveral: ['MIN', 'MAX'],
    tableColumns: {
      JSON_EACH: JSON_COLUMNS,
      JSON_TREE: JSON_COLUMNS,
      GENERATE_SERIES: ['value', 'start', 'stop', 'step'],
    },
  },
  // https://sqlite.org/lang_select.html#bareagg
  ungroupedColumns: 'any row',
  calendar: SQLITE_CALENDAR,
  foreignFunctions: SQLITE_FOREIGN_FUNCTIONS,
  foreignSyntax: SQLITE_FOREIGN_SYNTAX,
  ormName: 'sqlite',
};
