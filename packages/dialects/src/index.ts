export { sqliteDialect } from './sqlite.ts';
