import { dialectServices } from '@askema/adapter-kit';
import type { AdapterSpec } from '@askema/core';
import { sqliteDialect } from '@askema/dialects';
import { createIntrospector } from './catalog/introspector.ts';
import { createDiagnose } from './diagnose.ts';
import { createExecutor } from './executor.ts';
import { resolveOptions, type SqliteOptions } from './options.ts';
import { createPlanner } from './planner.ts';
import { findWorkerFile } from './pool/worker-file.ts';
import { WorkerPool } from './pool/worker-pool.ts';
import { createSampleValues } from './sample-values.ts';

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
  const resolved = resolveOptions(options);
  const { name, access, file, busyTimeoutMs, maxMemoryBytes } = resolved;
  const pool = new WorkerPool({
    name,
    size: resolved.poolSize,
    idleTimeoutMs: resolved.idleTimeoutMs,
    settings: { file, access, busyTimeoutMs, maxMemoryBytes },
    workerFile: () => findWorkerFile(resolved.workerPath),
  });
  return {
    contract: 1,
    dialect: sqliteDialect,
    ...dialectServices(sqliteDialect),
    name,
    access,
    executor: createExecutor(pool, resolved),
    introspector: createIntrospector(pool, resolved),
    planner: createPlanner(pool, resolved),
    sampleValues: createSampleValues(pool, resolved),
    diagnose: createDiagnose(pool, resolved),
    workerPids: () => pool.pids,
    close: () => pool.close(),
  };
}
