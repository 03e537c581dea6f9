export type { SqliteOptions } from './options.ts';
export { READING_PRAGMA_NAMES } from './sql/statement-rule.ts';
export { type SqliteAdapterSpec, sqlite } from './sqlite.ts';
