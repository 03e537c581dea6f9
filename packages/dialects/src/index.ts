export { bigqueryDialect } from './bigquery.ts';
export { type WriteDdlOptions, writeDdl } from './ddl/write-ddl.ts';
export { writeMermaid } from './diagram/write-mermaid.ts';
export * from './lexers/index.ts';
export { snowflakeDialect } from './snowflake.ts';
export { sqliteDialect } from './sqlite.ts';
