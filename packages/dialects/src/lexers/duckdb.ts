import type { LexerTraits } from '@askema/core';

/**
 * DuckDB's text of SQL. Sources, all on https://duckdb.org/docs/stable: sql/dialect/keywords_and_identifiers (quotes, names compare
 * without case), sql/data_types/literal_types (E'', `$$`, `$tag$`, X''), sql/query_syntax/prepared_statements (`?`, `$1`, `$name`),
 * sql/query_syntax/from (FROM first), sql/statements/overview, operations_manual/securing_duckdb/overview (functions that read files).
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
  stringPrefixes: [{ prefix: 'e', backslashEscapes: true }, { prefix: 'x' }, { prefix: 'b' }],
  carriageReturnEndsLine: true,
  nameFolding: { unquoted: 'none', comparison: 'insensitive' },
  statements: {
    readers: ['FROM', 'TABLE', 'SHOW', 'DESCRIBE', 'DESC', 'SUMMARIZE', 'PIVOT', 'UNPIVOT'],
    effectFunctions: [
      'NEXTVAL',
      'QUERY',
      'QUERY_TABLE',
      'READ_*',
      'PARQUET_*',
      'GLOB',
      'SNIFF_CSV',
      'GETENV',
      // They run a statement that this lexer does not see.
      'JSON_EXECUTE_SERIALIZED_SQL',
      // They tell or change what belongs to the process: secrets, its log, its settings, raw memory.
      'DUCKDB_SECRETS',
      'WHICH_SECRET',
      'WRITE_LOG',
      'ENABLE_LOGGING',
      'DISABLE_LOGGING',
      'TRUNCATE_DUCKDB_LOGS',
      'DUCKDB_LOGS*',
      'DUCKDB_LOG_CONTEXTS',
      'SETSEED',
      'CHECKPOINT',
      'FORCE_CHECKPOINT',
      'ADD_PARQUET_KEY',
      'ARROW_SCAN*',
      'SEQ_SCAN',
      'SQL_AUTO_COMPLETE',
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
