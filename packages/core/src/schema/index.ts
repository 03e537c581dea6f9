export type { JoinPath, JoinPathOptions, JoinStep } from './join-path.ts';
export * from './schema.ts';
export * from './schema-id.ts';
export * from './schema-index.ts';
