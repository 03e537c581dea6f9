import type { Dialect } from '@askema/core';
import { MARIADB_WRITTEN } from './calendar.ts';
import { MYSQL_FOREIGN_FUNCTIONS, MYSQL_FOREIGN_SYNTAX } from './foreign.ts';
import { mysqlDialect } from './mysql.ts';

/** What MariaDB reserves besides: INFORMATION_SCHEMA.KEYWORDS of 10.11, each tried as a name, and VECTOR of 11.7. */
const KEYWORDS =
  'CURRENT_ROLE DELETE_DOMAIN_ID DO_DOMAIN_IDS IGNORE_DOMAIN_IDS MASTER_DEMOTE_TO_REPLICA MASTER_DEMOTE_TO_SLAVE OFFSET PAGE_CHECKSUM PARSE_VCOL_EXPR PORTION RETURNING REF_SYSTEM_ID STATS_AUTO_RECALC STATS_PERSISTENT STATS_SAMPLE_PAGES VECTOR';

/** What MySQL lacks and MariaDB has (https://mariadb.com/docs/server/reference/sql-functions). */
const KNOWN = ['TO_CHAR', 'NVL', 'ADD_MONTHS', 'MEDIAN', 'PERCENTILE_CONT'];

const MATCHES = 'column REGEXP pattern';

/**
 * MariaDB, as what differs from MySQL 8; tried on a server of version 10.11. MariaDB's own errors, beside those of
 * MySQL: https://mariadb.com/docs/server/reference/error-codes/mariadb-error-code-reference.
 */
export const mariadbDialect: Dialect = {
  ...mysqlDialect,
  name: 'mariadb',
  displayName: 'MariaDB',
  identifiers: {
    ...mysqlDialect.identifiers,
    reservedWords: [...mysqlDialect.identifiers.reservedWords, ...KEYWORDS.split(' ')],
  },
  errors: [
    { vendorCode: '1969', errorClass: 'timeout' },
    { vendorCode: '4025', pattern: 'CONSTRAINT `(?<name>[^`]+)`', errorClass: 'constraint' },
    { vendorCode: '4161', errorClass: 'type' },
    ...mysqlDialect.errors,
  ],
  hints: [
    ...mysqlDialect.hints.filter((hint) => !/^(JSON:|Every selected column)/.test(hint)),
    'A selected column that is neither aggregated nor in GROUP BY has the value of any row, without an error: group by it. Aliases of SELECT may stand in GROUP BY and HAVING, not in WHERE.',
    "JSON is text: JSON_VALUE(column, '$.field') gives a text, JSON_EXTRACT(column, '$.field') JSON; -> and ->> are not understood. JSON_TABLE(column, '$[*]' COLUMNS (item VARCHAR(255) PATH '$')) gives one row per element.",
    'There is no LATERAL, no REGEXP_LIKE and no ANY_VALUE: ROW_NUMBER() in a sub-query, REGEXP, MAX(column).',
  ],
  functions: { ...mysqlDialect.functions, written: MARIADB_WRITTEN },
  ungroupedColumns: 'any row',
  foreignFunctions: {
    ...Object.fromEntries(Object.entries(MYSQL_FOREIGN_FUNCTIONS).filter(([name]) => !KNOWN.includes(name))),
    REGEXP_LIKE: MATCHES,
    REGEXP_CONTAINS: MATCHES,
    REGEXP_MATCHES: MATCHES,
    ANY_VALUE: 'MAX(column)',
    BIN_TO_UUID: 'the type UUID',
    UUID_TO_BIN: 'the type UUID',
  },
  foreignSyntax: {
    ...Object.fromEntries(Object.entries(MYSQL_FOREIGN_SYNTAX).filter(([form]) => form !== 'fetch')),
    lateral: 'a sub-query with ROW_NUMBER() OVER (PARTITION BY …)',
  },
};
