import { dialectServices } from '@askema/adapter-kit';
import type { AdapterSpec } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { createIntrospector } from './catalog/introspector.ts';
import { createDatabase } from './database.ts';
import { createDiagnose } from './diagnose.ts';
import { createExecutor } from './executor.ts';
import { resolveOptions, type SqliteOptions } from './options.ts';
import { createPlanner } from './planner.ts';
import { createSampleValues } from './sample-values.ts';
import { createStamps } from './stamps.ts';

/** An adapter of one SQLite file. */
export interface SqliteAdapterSpec extends AdapterSpec {
  /** Process ids of the workers that live; for tests and for monitoring. */
  readonly workerPids: () => readonly number[];
}

/**
 * Opens a SQLite file through better-sqlite3 in child processes: statements run side by side, block nobody, and are
 * killed at their deadline or on abort. Nothing is started before the first call; a missing or broken file is reported
 * then.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function sqlite(options: SqliteOptions): SqliteAdapterSpec {
  const database = createDatabase(resolveOptions(options));
  const { name, access } = database.options;
  return {
    contract: 1,
    dialect: sqliteDialect,
    ...dialectServices(sqliteDialect),
    name,
    access,
    executor: createExecutor(database),
    introspector: createIntrospector(database),
    planner: createPlanner(database),
    sampleValues: createSampleValues(database),
    diagnose: createDiagnose(database),
    stamps: createStamps(database),
    workerPids: () => database.pool.pids,
    close: () => database.pool.close(),
  };
}
