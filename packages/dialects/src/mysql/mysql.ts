import type { Dialect } from '@askema/core';
import { COMMON_PROBES } from '../common-probes.ts';
import { MYSQL_CALENDAR, MYSQL_WRITTEN } from './calendar.ts';
import { MYSQL_ERRORS } from './errors.ts';
import { MYSQL_COMPARISONS, MYSQL_FOREIGN_FUNCTIONS, MYSQL_FOREIGN_SYNTAX } from './foreign.ts';
import { mysqlLexer } from './lexer.ts';
import { mysqlServer } from './server.ts';

const SYSTEM_SCHEMAS = mysqlServer.systemSchemas.map((name) => `'${name}'`).join(', ');

/** How many rows of information_schema there are, and what changes when one of these columns does. */
const hashesOf = (relation: string, columns: string): string =>
  `SELECT COUNT(*), SUM(CONV(LEFT(MD5(CONCAT_WS('.', TABLE_SCHEMA, TABLE_NAME, ${columns})), 12), 16, 10)) FROM information_schema.${relation} WHERE TABLE_SCHEMA NOT IN (${SYSTEM_SCHEMAS})`;

/**
 * https://dev.mysql.com/doc/refman/8.4/en/keywords.html: the words marked (R), with those that 9.x adds (EXTERNAL,
 * LIBRARY).
 */
const KEYWORDS =
  'ACCESSIBLE ADD ALL ALTER ANALYZE AND AS ASC ASENSITIVE BEFORE BETWEEN BIGINT BINARY BLOB BOTH BY CALL CASCADE CASE CHANGE CHAR CHARACTER CHECK COLLATE COLUMN CONDITION CONSTRAINT CONTINUE CONVERT CREATE CROSS CUBE CUME_DIST CURRENT_DATE CURRENT_TIME CURRENT_TIMESTAMP CURRENT_USER CURSOR DATABASE DATABASES DAY_HOUR DAY_MICROSECOND DAY_MINUTE DAY_SECOND DEC DECIMAL DECLARE DEFAULT DELAYED DELETE DENSE_RANK DESC DESCRIBE DETERMINISTIC DISTINCT DISTINCTROW DIV DOUBLE DROP DUAL EACH ELSE ELSEIF EMPTY ENCLOSED ESCAPED EXCEPT EXISTS EXIT EXPLAIN EXTERNAL FALSE FETCH FIRST_VALUE FLOAT FLOAT4 FLOAT8 FOR FORCE FOREIGN FROM FULLTEXT FUNCTION GENERATED GET GRANT GROUP GROUPING GROUPS HAVING HIGH_PRIORITY HOUR_MICROSECOND HOUR_MINUTE HOUR_SECOND IF IGNORE IN INDEX INFILE INNER INOUT INSENSITIVE INSERT INT INT1 INT2 INT3 INT4 INT8 INTEGER INTERSECT INTERVAL INTO IO_AFTER_GTIDS IO_BEFORE_GTIDS IS ITERATE JOIN JSON_TABLE KEY KEYS KILL LAG LAST_VALUE LATERAL LEAD LEADING LEAVE LEFT LIBRARY LIKE LIMIT LINEAR LINES LOAD LOCALTIME LOCALTIMESTAMP LOCK LONG LONGBLOB LONGTEXT LOOP LOW_PRIORITY MANUAL MASTER_BIND MASTER_SSL_VERIFY_SERVER_CERT MATCH MAXVALUE MEDIUMBLOB MEDIUMINT MEDIUMTEXT MIDDLEINT MINUTE_MICROSECOND MINUTE_SECOND MOD MODIFIES NATURAL NOT NO_WRITE_TO_BINLOG NTH_VALUE NTILE NULL NUMERIC OF ON OPTIMIZE OPTIMIZER_COSTS OPTION OPTIONALLY OR ORDER OUT OUTER OUTFILE OVER PARALLEL PARTITION PERCENT_RANK PRECISION PRIMARY PROCEDURE PURGE QUALIFY RANGE RANK READ READS READ_WRITE REAL RECURSIVE REFERENCES REGEXP RELEASE RENAME REPEAT REPLACE REQUIRE RESIGNAL RESTRICT RETURN REVOKE RIGHT RLIKE ROW ROWS ROW_NUMBER SCHEMA SCHEMAS SECOND_MICROSECOND SELECT SENSITIVE SEPARATOR SET SHOW SIGNAL SMALLINT SPATIAL SPECIFIC SQL SQLEXCEPTION SQLSTATE SQLWARNING SQL_BIG_RESULT SQL_CALC_FOUND_ROWS SQL_SMALL_RESULT SSL STARTING STORED STRAIGHT_JOIN SYSTEM TABLE TABLESAMPLE TERMINATED THEN TINYBLOB TINYINT TINYTEXT TO TRAILING TRIGGER TRUE UNDO UNION UNIQUE UNLOCK UNSIGNED UPDATE USAGE USE USING UTC_DATE UTC_TIME UTC_TIMESTAMP VALUES VARBINARY VARCHAR VARCHARACTER VARYING VIRTUAL WHEN WHERE WHILE WINDOW WITH WRITE XOR YEAR_MONTH ZEROFILL _FILENAME';

/**
 * MySQL 8.4 with InnoDB, as data; nothing here has been run against a server. Sources, all on
 * https://dev.mysql.com/doc/refman/8.4/en: identifiers, identifier-length and identifier-case-sensitivity (names of
 * columns compare without case; those of tables as the file system does: with case on Linux. Where
 * `lower_case_table_names` is not 0, an adapter says `relationComparison: 'insensitive'`), data-types,
 * fixed-point-types (DECIMAL alone has no fraction), fractional-seconds (DATETIME alone rounds to seconds),
 * innodb-limits (an index holds 16 columns and 3072 bytes, utf8mb4 takes 4 bytes a character),
 * create-table-foreign-keys (the referenced columns are a unique key), and for the hints functions, pattern-matching,
 * group-by-handling, working-with-null, type-conversion.
 */
export const mysqlDialect: Dialect = {
  name: 'mysql',
  displayName: 'MySQL',
  grammar: 'mysql',
  identifiers: {
    quote: ['`', '`'],
    escape: 'double',
    unquotedFolding: 'none',
    comparison: 'insensitive',
    relationComparison: 'sensitive',
    plainPattern: '[A-Za-z_][A-Za-z0-9_$]*',
    reservedWords: KEYWORDS.split(' '),
    // What others call a schema MySQL calls a database.
    qualifiers: ['schema'],
    maxLength: 64,
  },
  lexer: mysqlLexer,
  types: {
    native: {
      NUMERIC: 'DECIMAL(38, 10)',
      TEXT: 'LONGTEXT',
      DATETIME: 'DATETIME(6)',
      BINARY: 'LONGBLOB',
      BOOL: 'BOOLEAN',
    },
    // enum, set.
    labelled: ['ENUM', 'SET'],
    // cast-functions: CAST knows other names than CREATE TABLE. SIGNED is what TRUE and FALSE are.
    cast: {
      NUMERIC: 'DECIMAL(38, 10)',
      FLOAT: 'DOUBLE',
      TEXT: 'CHAR',
      DATETIME: 'DATETIME(6)',
      BINARY: 'BINARY',
      BOOL: 'SIGNED',
    },
    // TEXT holds 64 KB only, LONGTEXT as much as LONGBLOB (storage-requirements). TEXT and BLOB cannot be indexed
    // without a length.
    nativeInKey: { TEXT: 'VARCHAR(255)', BINARY: 'VARBINARY(255)' },
    // Three times VARCHAR(255) fit into the 3072 bytes of an index, sixteen times VARCHAR(48) do, too.
    nativeInWideKey: { attributes: 4, native: { TEXT: 'VARCHAR(48)', BINARY: 'VARBINARY(192)' } },
    logical: [
      { pattern: 'bool(ean)?|tinyint\\s*\\(1\\)|bit|bit\\s*\\(1\\)', type: 'BOOL' },
      { pattern: '(date|datetime|time|timestamp)\\b.*', type: 'DATETIME' },
      {
        pattern:
          '((tiny|small|medium|big)?int|int[12348]|integer|decimal|dec|numeric|fixed|float|float4|float8|double|real|year|serial)\\b.*',
        type: 'NUMERIC',
      },
      // gis-data-formats: SRID and WKB. vector: 4 bytes a dimension.
      {
        pattern:
          '((var)?binary|(tiny|medium|long)?blob|bit|geometry|(multi)?(point|linestring|polygon)|geom(etry)?collection|vector)\\b.*',
        type: 'BINARY',
      },
    ],
    fallback: 'TEXT',
  },
  ddl: {
    primaryKey: 'enforced',
    foreignKey: 'enforced',
    unique: 'enforced',
    forwardReference: 'alter',
    foreignKeyTarget: 'key',
    maxKeyAttributes: 16,
    check: true,
    madeUpForeignKeyName: '{relation}_ibfk_{number}',
    comments: {
      placement: 'suffix',
      relation: 'COMMENT = {text}',
      attribute: 'COMMENT {text}',
    },
  },
  errors: MYSQL_ERRORS,
  hints: [
    'Quote names with backticks: `order`. Single and double quotes both make strings.',
    'Dividing with / gives a decimal number even for integers; DIV gives a whole one. Dividing by zero gives NULL.',
    'Text beside a number is read as a number, and as 0 where it is none, without an error: compare text with text.',
    "CONCAT(a, b) joins text; || means OR. GROUP_CONCAT(column ORDER BY column SEPARATOR ', ') joins the text of a group, up to 1024 bytes by default.",
    "DATE_FORMAT(d, '%Y-%m'), YEAR(d), EXTRACT(MONTH FROM d), d + INTERVAL 1 MONTH, DATEDIFF(later, earlier) in days, TIMESTAMPDIFF(MONTH, earlier, later), STR_TO_DATE(text, '%d/%m/%Y'). There is no DATE_TRUNC.",
    'Comparisons and LIKE ignore case under the usual collations; add COLLATE utf8mb4_bin for exact ones. There is no ILIKE; REGEXP searches by pattern.',
    'Every selected column outside of an aggregate stands in GROUP BY or is determined by it. Aliases of SELECT may stand in GROUP BY and HAVING, not in WHERE.',
    'There is no FULL JOIN: join with UNION of a LEFT and a RIGHT JOIN. There is no FILTER of aggregates: SUM(condition) counts rows, as TRUE is 1.',
    'NULLs sort first in ascending and last in descending order; NULLS LAST is not understood: ORDER BY column IS NULL, column.',
    "JSON: column->'$.field' gives JSON, column->>'$.field' text; JSON_TABLE(column, '$[*]' COLUMNS (item VARCHAR(255) PATH '$')) gives one row per element.",
  ],
  probes: {
    ...COMMON_PROBES,
    // The adapter has a condition in the place of TRUE: what it leaves out is not opened by the server.
    definitions: `${hashesOf('VIEWS', 'VIEW_DEFINITION')} UNION ALL ${hashesOf('TABLES', 'ENGINE')} AND TRUE UNION ALL ${hashesOf('COLUMNS', 'COLUMN_NAME, COLUMN_TYPE, IS_NULLABLE, COLUMN_DEFAULT, EXTRA, GENERATION_EXPRESSION')} AND TRUE`,
    search: 'SELECT DISTINCT {attribute} FROM {relation} WHERE {attribute} LIKE {pattern} LIMIT {limit}',
    elements:
      "SELECT element.item, COUNT(*) AS occurrences FROM {relation} AS probed, JSON_TABLE(probed.{attribute}, '$[*]' COLUMNS (item VARCHAR(255) PATH '$')) AS element WHERE JSON_VALID(probed.{attribute}) GROUP BY element.item ORDER BY occurrences DESC LIMIT {limit}",
    jsonFields:
      "SELECT DISTINCT field.name FROM (SELECT {attribute} AS document FROM {relation} WHERE JSON_VALID({attribute}) LIMIT 1000) AS sampled, JSON_TABLE(JSON_KEYS(sampled.document), '$[*]' COLUMNS (name VARCHAR(255) PATH '$')) AS field LIMIT {limit}",
  },
  // arithmetic-functions: the division of two integers.
  integerDivision: 'exact',
  comparisons: MYSQL_COMPARISONS,
  // problems-with-alias (GROUP BY, HAVING and ORDER BY see aliases), join (JOIN binds tighter than the comma).
  scopes: { aliasesHiddenIn: ['select', 'where', 'join'], joinBeforeComma: true },
  // select, union, parenthesized-query-expressions, boolean-literals: as most engines write them.
  forms: { rowLimit: 'limit', truthValues: 'words', setDistinct: 'implied', setOperand: 'brackets' },
  // group-by-handling: ONLY_FULL_GROUP_BY is on by default and knows functional dependence.
  ungroupedColumns: 'determined',
  functions: { written: MYSQL_WRITTEN },
  calendar: MYSQL_CALENDAR,
  foreignFunctions: MYSQL_FOREIGN_FUNCTIONS,
  foreignSyntax: MYSQL_FOREIGN_SYNTAX,
  ormName: 'mysql',
};
