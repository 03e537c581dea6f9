export * from './schema.ts';
export * from './schema-id.ts';
