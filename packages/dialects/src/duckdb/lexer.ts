import type { LexerTraits } from '@askema/core';
import { DUCKDB_OPERATOR } from '../postgres/operator.ts';

const DIGITS = '\\d(?:_?\\d)*';
/** `Parser::StripUnicodeSpaces` of https://github.com/duckdb/duckdb/blob/main/src/parser/parser.cpp. */
const SPACES = '\\u00A0\\u2000-\\u200D\\u202F\\u205F\\u2060\\u3000\\uFEFF';

/**
 * DuckDB's text of SQL. Sources, all on https://duckdb.org/docs/stable: sql/dialect/keywords_and_identifiers (quotes,
 * names compare without case), sql/data_types/literal_types (E'', `$$`, `$tag$`, X''),
 * sql/query_syntax/prepared_statements (`?`, `$1`, `$name`), sql/query_syntax/from (FROM first),
 * sql/statements/overview, operations_manual/securing_duckdb/overview (functions that read files).
 */
export const duckdbLexer: LexerTraits = {
  lineComments: ['--'],
  blockComments: 'nested',
  stringQuotes: ["'"],
  backslashEscapes: false,
  dollarQuotes: true,
  dollarTags: true,
  identifierQuotes: [['"', '"']],
  parameterPrefixes: ['?', '$'],
  stringPrefixes: [{ prefix: 'e', backslashEscapes: true }, { prefix: 'x' }, { prefix: 'b' }, { prefix: 'n' }],
  carriageReturnEndsLine: true,
  blankPattern: `[ \\t\\n\\v\\f\\r${SPACES}]+`,
  wordPattern: `(?:[A-Za-z_]|[^\\x00-\\x7F${SPACES}])(?:[A-Za-z0-9_$]|[^\\x00-\\x7F${SPACES}])*`,
  // There is no 0x1F: it is 0 by the name x1F.
  numberPattern: `(?:${DIGITS}(?:\\.(?!\\.)(?:${DIGITS})?)?|\\.${DIGITS})(?:[eE][+-]?${DIGITS})?`,
  operatorPattern: DUCKDB_OPERATOR,
  nameFolding: { unquoted: 'none', comparison: 'insensitive' },
  statements: {
    readers: ['FROM', 'TABLE', 'SHOW', 'DESCRIBE', 'DESC', 'SUMMARIZE', 'PIVOT', 'UNPIVOT'],
    // Every built-in function that the adapter's allow-list leaves out. A test of @askema/duckdb compares both lists
    // with the functions of the installed DuckDB.
    effectFunctions: [
      'NEXTVAL',
      // They run SQL, or look at a relation, that this lexer sees as a text.
      'QUERY',
      'QUERY_TABLE',
      'JSON_EXECUTE_SERIALIZED_SQL',
      'JSON_SERIALIZE_PLAN',
      'SQL_AUTO_COMPLETE',
      // Files and the environment.
      'READ_*',
      'PARQUET_*',
      'GLOB',
      'SNIFF_CSV',
      'GETENV',
      'CHECKPOINT',
      'FORCE_CHECKPOINT',
      'DUCKDB_EXTENSIONS',
      'DUCKDB_EXTERNAL_FILE_CACHE',
      'DUCKDB_TEMPORARY_FILES',
      // They change settings, also locked ones; a profile and a log may be written to any file that may be read.
      'ENABLE_PROFILING',
      'DISABLE_PROFILING',
      'ENABLE_LOGGING',
      'DISABLE_LOGGING',
      'ENABLE_PEG_PARSER',
      'DISABLE_PEG_PARSER',
      'CHECK_PEG_PARSER',
      'SETSEED',
      'ADD_PARQUET_KEY',
      // They tell of secrets, of the log, or of what other calls do.
      'DUCKDB_SECRETS',
      'WHICH_SECRET',
      'WRITE_LOG',
      'TRUNCATE_DUCKDB_LOGS',
      'DUCKDB_LOGS*',
      'DUCKDB_LOG_CONTEXTS',
      'DUCKDB_PREPARED_STATEMENTS',
      // They tell where files lie.
      'DUCKDB_DATABASES',
      'DUCKDB_SETTINGS',
      // They wait.
      'SLEEP_MS',
      'PG_SLEEP',
      // They read raw memory, or are meant for the optimizer alone.
      'ARROW_SCAN*',
      'SEQ_SCAN',
      '__INTERNAL_*',
      // Extensions.
      'SQLITE_SCAN',
      'SQLITE_QUERY',
      'POSTGRES_SCAN*',
      'POSTGRES_QUERY',
      'POSTGRES_EXECUTE',
      'MYSQL_SCAN',
      'MYSQL_QUERY',
      'MYSQL_EXECUTE',
      'ICEBERG_*',
      'DELTA_SCAN',
    ],
  },
};
