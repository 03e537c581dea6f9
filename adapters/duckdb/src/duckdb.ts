import { dialectServices } from '@askema/adapter-kit';
import type { AdapterSpec } from '@askema/core';
import { duckdbDialect } from '@askema/dialects';
import { createIntrospector } from './catalog/introspector.ts';
import { createDiagnose } from './diagnose.ts';
import { createEngine } from './engine.ts';
import { createExecutor } from './executor.ts';
import { type DuckdbOptions, resolveOptions } from './options.ts';
import { createPlanner } from './planner.ts';
import { createStamps } from './stamps.ts';

/** An adapter of one DuckDB database, or of data files. */
export interface DuckdbAdapterSpec extends AdapterSpec {
  /** Process ids of the engine; for tests and for monitoring. */
  readonly workerPids: () => readonly number[];
}

/**
 * Opens a DuckDB database, or data files as one, through @duckdb/node-api in a child process. Statements run side by
 * side and block nobody. At their deadline or on abort they are interrupted, and killed with their process where that
 * does not help. Nothing is started before the first call; a missing or broken file is reported then.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function duckdb(options: DuckdbOptions): DuckdbAdapterSpec {
  const resolved = resolveOptions(options);
  const { name, access } = resolved;
  const engine = createEngine(resolved);
  return {
    contract: 1,
    dialect: duckdbDialect,
    ...dialectServices(duckdbDialect),
    name,
    access,
    executor: createExecutor(engine),
    introspector: createIntrospector(engine),
    planner: createPlanner(engine),
    diagnose: createDiagnose(engine),
    stamps: createStamps(resolved),
    workerPids: engine.pids,
    close: engine.close,
  };
}
