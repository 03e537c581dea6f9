import { createProcessClient, createProcessPool, type ProcessClient, type ProcessPool } from '@askema/adapter-kit';
import { DriverProcess } from '@askema/core/node';
import { explainFailure } from './errors/explain.ts';
import type { ResolvedOptions } from './options.ts';
import { ALLOCATOR, MEMORY_MARK, PASSED_ON, PROTOCOL_VERSION, type SqliteTalk } from './protocol.ts';
import { workerFile } from './start.ts';

/** A worker that is asked to stop has so long before it is killed. */
const LEAVE_MS = 50;

/** What all parts of one adapter work on. */
export interface Database {
  readonly options: ResolvedOptions;
  readonly pool: ProcessPool<SqliteTalk>;
  readonly client: ProcessClient<SqliteTalk>;
}

/** Several worker processes on one file, each with one statement at a time: nothing but a kill stops the driver. */
export function createDatabase(options: ResolvedOptions): Database {
  const { name, file, poolSize, idleTimeoutMs } = options;
  const pool = createProcessPool<SqliteTalk>({
    name,
    processes: poolSize,
    perProcess: 1,
    stopGraceMs: 0,
    leaveMs: LEAVE_MS,
    idleTimeoutMs,
    start: () => startWorker(options),
  });
  if (options.worker !== undefined) pool.warmUp();
  return { options, pool, client: createProcessClient(pool, (failure, sql) => explainFailure(failure, file, sql)) };
}

function startWorker({ file, access, busyTimeoutMs, maxMemoryBytes, workerPath, worker }: ResolvedOptions) {
  return new DriverProcess<SqliteTalk>({
    file: workerFile(workerPath),
    started: worker,
    protocol: PROTOCOL_VERSION,
    settings: { file, access, busyTimeoutMs, maxMemoryBytes },
    names: {
      process: 'A worker process of the SQLite adapter',
      driver: 'SQLite driver better-sqlite3',
      install: 'npm install better-sqlite3@13',
      packageName: '@askema/sqlite',
    },
    memoryMark: MEMORY_MARK,
    passOn: PASSED_ON,
    environment: ALLOCATOR,
  });
}
