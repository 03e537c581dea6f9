export { type WriteDdlOptions, writeDdl } from './ddl/write-ddl.ts';
export { writeMermaid } from './diagram/write-mermaid.ts';
export { sqliteDialect } from './sqlite.ts';
