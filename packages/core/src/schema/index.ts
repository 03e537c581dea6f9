export type { JoinPath, JoinPathOptions, JoinStep } from './join-path.ts';
export * from './referenced-first.ts';
export * from './schema.ts';
export type { SchemaBreach, SchemaRule } from './schema-breach.ts';
export { SCHEMA_RULES } from './schema-breach.ts';
export * from './schema-id.ts';
export * from './schema-index.ts';
export * from './validate-schema.ts';
