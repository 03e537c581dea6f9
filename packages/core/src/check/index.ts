export { checkCatalog } from './check-catalog.ts';
export { checkDatabase } from './check-database.ts';
export * from './check-finding.ts';
export { CHECK_DEFAULTS, type CheckOptions } from './check-options.ts';
export type { DatabaseCheck, IfRules, RowCheck, TableCheck } from './database-check.ts';
export type { ReadRows } from './read-rows.ts';
