import type { Dialect } from '@askema/core';
import { bigqueryDialect, duckdbDialect, postgresDialect, snowflakeDialect, sqliteDialect } from '@askema/dialects';

const DIALECTS: Readonly<Record<string, Dialect>> = {
  bigquery: bigqueryDialect,
  duckdb: duckdbDialect,
  postgres: postgresDialect,
  snowflake: snowflakeDialect,
  sqlite: sqliteDialect,
};

/** The dialect of this name as the parsers of the project take it. */
export function parserDialect(name: string): Dialect {
  const dialect = DIALECTS[name];
  if (dialect === undefined) throw new Error(`There is no dialect ${name}.`);
  return dialect;
}
