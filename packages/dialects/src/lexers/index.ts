export { ansiLexer } from './ansi.ts';
export { bigqueryLexer } from './bigquery.ts';
export { duckdbLexer } from './duckdb.ts';
export { mysqlLexer } from './mysql.ts';
export { postgresLexer } from './postgres.ts';
export { snowflakeLexer } from './snowflake.ts';
export { sqliteLexer } from './sqlite.ts';
