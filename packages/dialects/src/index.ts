export { bigqueryDialect } from './bigquery.ts';
export { type WriteDdlOptions, writeDdl } from './ddl/write-ddl.ts';
export { writeDbml } from './diagram/write-dbml.ts';
export { writeMermaid } from './diagram/write-mermaid.ts';
export * from './lexers/index.ts';
export { type DrizzleDialect, type WriteDrizzleOptions, writeDrizzle } from './orm/write-drizzle.ts';
export { type PrismaProvider, type WritePrismaOptions, writePrisma } from './orm/write-prisma.ts';
export { snowflakeDialect } from './snowflake.ts';
export { sqliteDialect } from './sqlite.ts';
