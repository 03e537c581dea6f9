import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createProcessClient, createProcessPool, type ProcessClient } from '@askema/adapter-kit';
import { DriverProcess, findWorkerFile } from '@askema/core/node';
import { explainFailure, isBroken, isOutOfMemory } from './errors/explain-failure.ts';
import { explainOpening } from './errors/explain-opening.ts';
import { findSource } from './files/find-source.ts';
import type { ResolvedOptions } from './options.ts';
import { type DuckdbTalk, type EngineSource, MEMORY_MARK, PROTOCOL_VERSION } from './protocol.ts';

/** The open engine, and what it has opened. */
export interface Engine {
  readonly options: ResolvedOptions;
  readonly client: ProcessClient<DuckdbTalk>;
  /** What was found at the last start; undefined before the first one. */
  readonly opened: () => OpenedSource | undefined;
  /** Process ids of the engines that live. */
  readonly pids: () => readonly number[];
  /** Ends the process, and removes its temporary files. */
  readonly close: () => Promise<void>;
}

export interface OpenedSource {
  readonly source: EngineSource;
  readonly process: DriverProcess<DuckdbTalk>;
}

/** A statement that is interrupted and does not end within this time makes its process be replaced. */
const STOP_GRACE_MS = 2_000;

/** Leaving a result early waits so long for its statement to be over. */
const LEAVE_MS = 200;

/** Bundlers that write CommonJS leave `import.meta` empty. */
const THIS_MODULE: string = import.meta.url ?? '';

/**
 * The engine of one adapter: one process, started with the first call, with room for some statements side by side. They
 * are interrupted; where that does not help, the process is replaced.
 */
export function createEngine(options: ResolvedOptions): Engine {
  const { name, access, poolSize, idleTimeoutMs } = options;
  const tempFolder = join(tmpdir(), `askema-duckdb-${randomUUID()}`);
  let opened: OpenedSource | undefined;
  const pool = createProcessPool<DuckdbTalk>({
    name,
    processes: 1,
    perProcess: poolSize,
    stopGraceMs: STOP_GRACE_MS,
    leaveMs: LEAVE_MS,
    // One that may write holds the lock of its file.
    isExclusive: access === 'write',
    breaks: isBroken,
    starves: isOutOfMemory,
    idleTimeoutMs,
    start: async () => {
      opened = await startEngine(options, tempFolder);
      return opened.process;
    },
  });
  return {
    options,
    client: createProcessClient(pool, explainFailure),
    opened: () => opened,
    pids: () => pool.pids,
    close: async () => {
      await pool.close();
      await rm(tempFolder, { recursive: true, force: true });
    },
  };
}

async function startEngine(options: ResolvedOptions, tempFolder: string): Promise<OpenedSource> {
  const { access, maxMemoryBytes, maxTempBytes, threads, poolSize, workerPath } = options;
  const file = findWorkerFile({ packageName: '@askema/duckdb', module: THIS_MODULE, workerPath });
  const source = await findSource(options);
  const process = new DriverProcess<DuckdbTalk>({
    file,
    protocol: PROTOCOL_VERSION,
    settings: { source, access, poolSize, maxMemoryBytes, maxTempBytes, threads, tempFolder },
    names: {
      process: "The engine's process of the DuckDB adapter",
      driver: 'DuckDB driver @duckdb/node-api',
      install: 'npm install @duckdb/node-api',
      packageName: '@askema/duckdb',
    },
    memoryMark: MEMORY_MARK,
    environment: {
      TZ: 'UTC',
      // Each statement that runs holds one of these threads, and opening or closing one more.
      UV_THREADPOOL_SIZE: String(poolSize + 2),
    },
    explainOpening: (unopenable) => explainOpening(source, unopenable),
  });
  return { source, process };
}
