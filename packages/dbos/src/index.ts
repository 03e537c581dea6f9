export { type PostgresJournal, type PostgresJournalOptions, postgresJournal } from './journal/postgres-journal.ts';
export { dbosRunner } from './runner/dbos-runner.ts';
export type { DbosRunnerOptions } from './runner/dbos-runner-options.ts';
export { type MigrateDatabaseOptions, migrateDatabase } from './tables/migrate-database.ts';
