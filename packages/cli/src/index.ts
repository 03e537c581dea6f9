export {
  type AskemaConfig,
  type DatabaseEntry,
  type DatabaseRequest,
  defineConfig,
  type FlowEntry,
  type LintConfig,
  type ModelEntry,
} from './config/askema-config.ts';
export { type OpenDatabaseOptions, openDatabase } from './database/open-database.ts';
