import type { ClosableSqlParser } from './client/create-sql-parser.ts';
import { createSqlParser } from './client/create-sql-parser.ts';
import type { SqlParserOptions } from './client/options.ts';

export type { BackEndName } from './back-end.ts';
export { type ClosableSqlParser, type CreateSqlParserOptions, createSqlParser } from './client/create-sql-parser.ts';
export type { SqlParserOptions } from './client/options.ts';

/**
 * The default parser: sqlparser-rs as WebAssembly, which comes with this package. Dialects it has a grammar for
 * (sqlite, snowflake, bigquery, postgres, duckdb, mysql and more) are parsed by that, and by its grammars `generic` and
 * `snowflake` where their own refuses.
 *
 * @throws AskemaError `CONFIG_INVALID` for invalid options.
 */
export function sqlparserTs(options: SqlParserOptions = {}): ClosableSqlParser {
  return createSqlParser({ ...options, backEnd: 'sqlparser-ts' });
}

/**
 * The second parser: node-sql-parser, an optional peer dependency. It takes fewer statements than the default (README,
 * figures); a shape that it gives has the same parts and exact spans.
 *
 * @throws AskemaError `CONFIG_INVALID` for invalid options; `parse` rejects with `DEPENDENCY_MISSING` when it is
 * not installed.
 */
export function nodeSqlParser(options: SqlParserOptions = {}): ClosableSqlParser {
  return createSqlParser({ ...options, backEnd: 'node-sql-parser' });
}
