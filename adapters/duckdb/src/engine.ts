import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findWorkerFile } from '@askema/core/node';
import { explainOpening } from './errors/explain-opening.ts';
import { findSource } from './files/find-source.ts';
import type { ResolvedOptions } from './options.ts';
import { EnginePool } from './pool/engine-pool.ts';
import { type EngineProcess, startEngine } from './pool/engine-process.ts';
import type { EngineSource } from './protocol.ts';

/** The open engine, and what it has opened. */
export interface Engine {
  readonly pool: EnginePool;
  readonly options: ResolvedOptions;
  /** What was found at the last start; undefined before the first one. */
  readonly opened: () => OpenedSource | undefined;
  /** Ends the process, and removes its temporary files. */
  readonly close: () => Promise<void>;
}

export interface OpenedSource {
  readonly source: EngineSource;
  readonly process: EngineProcess;
}

/** Bundlers that write CommonJS leave `import.meta` empty. */
const THIS_MODULE: string = import.meta.url ?? '';

/** The engine of one adapter. Its process starts with the first call. */
export function createEngine(options: ResolvedOptions): Engine {
  const { name, access, poolSize, idleTimeoutMs, workerPath } = options;
  const tempFolder = join(tmpdir(), `askema-duckdb-${randomUUID()}`);
  let opened: OpenedSource | undefined;
  const pool = new EnginePool({
    name,
    access,
    size: poolSize,
    idleTimeoutMs,
    start: async () => {
      const file = findWorkerFile({ packageName: '@askema/duckdb', module: THIS_MODULE, workerPath });
      const source = await findSource(options);
      const process = startProcess(file, source, options, tempFolder);
      opened = { source, process };
      return process;
    },
  });
  return {
    pool,
    options,
    opened: () => opened,
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
