import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AdapterSpec } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { createIntrospector } from './catalog/introspector.ts';
import { createDiagnose } from './diagnose.ts';
import { explainOpening } from './errors/explain-opening.ts';
import { createExecutor } from './executor.ts';
import { findSource } from './files/find-source.ts';
import { type DuckdbOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { createPlanner } from './planner.ts';
import { EnginePool } from './pool/engine-pool.ts';
import { type EngineProcess, startEngine } from './pool/engine-process.ts';
import { findWorkerFile } from './pool/worker-file.ts';
import type { EngineSource } from './protocol.ts';

/** An adapter of one DuckDB database, or of data files. */
export interface DuckdbAdapterSpec extends AdapterSpec {
  /** Process ids of the engine; for tests and for monitoring. */
  readonly workerPids: () => readonly number[];
}

/** The open engine, and what it has opened. */
export interface Engine {
  readonly pool: EnginePool;
  readonly options: ResolvedOptions;
  /** What was found at the last start; undefined before the first one. */
  readonly opened: () => OpenedSource | undefined;
}

export interface OpenedSource {
  readonly source: EngineSource;
  readonly process: EngineProcess;
}

/**
 * Opens a DuckDB database, or data files as one, through @duckdb/node-api in a child process: statements run side by side, block nobody, are
 * interrupted at their deadline or on abort, and killed with their process where that does not help. Nothing is started before the first call; a
 * missing or broken file is reported then.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function duckdb(options: DuckdbOptions): DuckdbAdapterSpec {
  const resolved = resolveOptions(options);
  const { name, access } = resolved;
  const tempFolder = join(tmpdir(), `askema-duckdb-${randomUUID()}`);
  let opened: OpenedSource | undefined;
  const pool = new EnginePool({
    name,
    access,
    size: resolved.poolSize,
    idleTimeoutMs: resolved.idleTimeoutMs,
    start: async () => {
      const file = findWorkerFile(resolved.workerPath);
      const source = await findSource(resolved);
      const process = startProcess(file, source, resolved, tempFolder);
      opened = { source, process };
      return process;
    },
  });
  const engine: Engine = { pool, options: resolved, opened: () => opened };
  return {
    contract: 1,
    dialect: duckdbDialect,
    name,
    access,
    executor: createExecutor(pool, resolved),
    introspector: createIntrospector(engine),
    planner: createPlanner(pool),
    diagnose: createDiagnose(engine),
    workerPids: () => pool.pids,
    close: async () => {
      await pool.close();
      await rm(tempFolder, { recursive: true, force: true });
    },
  };
}

function startProcess(
  file: string,
  source: EngineSource,
  { access, maxMemoryBytes, maxTempBytes, threads, poolSize }: ResolvedOptions,
  tempFolder: string,
): EngineProcess {
  const settings = { source, access, poolSize, maxMemoryBytes, maxTempBytes, threads, tempFolder };
  return startEngine(file, settings, (unopenable) => explainOpening(source, unopenable));
}
