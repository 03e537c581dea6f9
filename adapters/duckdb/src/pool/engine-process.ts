import type { AskemaError } from '@askema/core';
import { DriverProcess } from '@askema/core/node';
import { type DuckdbTalk, MEMORY_MARK, PROTOCOL_VERSION, type Unopenable, type WorkerSettings } from '../protocol.ts';

/** The child process with the engine in it. It answers several requests at a time. */
export type EngineProcess = DriverProcess<DuckdbTalk>;

/** @param explainOpening makes the error of a database or a file that cannot be opened. */
export function startEngine(
  file: string,
  settings: WorkerSettings,
  explainOpening: (unopenable: Unopenable) => AskemaError,
): EngineProcess {
  return new DriverProcess({
    file,
    protocol: PROTOCOL_VERSION,
    settings,
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
      UV_THREADPOOL_SIZE: String(settings.poolSize + 2),
    },
    explainOpening,
  });
}
