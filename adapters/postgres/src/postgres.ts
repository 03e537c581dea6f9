import { dialectServices } from '@askema/adapter-kit';
import type { AdapterSpec, ScopeOptions } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { createIntrospector } from './catalog/introspector.ts';
import { createDatabase, type Database } from './connection/database.ts';
import { createDiagnose } from './diagnosis/diagnose.ts';
import { createExecutor } from './executor.ts';
import { type PostgresOptions, resolveOptions } from './options.ts';
import { createPlanner } from './planner.ts';
import { createStamps } from './stamps.ts';

/** An adapter of one PostgreSQL database. */
export interface PostgresAdapterSpec extends AdapterSpec {
  /** Connections that are open; for tests and for monitoring. */
  readonly openConnections: () => number;
}

/**
 * Opens a PostgreSQL database through `pg`: each call is a transaction of its own, read-only unless both the adapter
 * and the call were granted writing; results are streamed through a portal, and a stopped call is cancelled on the
 * server. Nothing is connected before the first call.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function postgres(options: PostgresOptions): PostgresAdapterSpec {
  const database = createDatabase(resolveOptions(options));
  return createSpec(database, () => database.pool.close());
}

function createSpec(database: Database, close: () => Promise<void>): PostgresAdapterSpec {
  const { name, access } = database.options;
  return {
    contract: 1,
    dialect: postgresDialect,
    ...dialectServices(postgresDialect),
    name,
    access,
    executor: createExecutor(database),
    introspector: createIntrospector(database),
    planner: createPlanner(database),
    diagnose: createDiagnose(database),
    stamps: createStamps(database),
    scope: (options) => scopedSpec(database, options),
    openConnections: () => database.pool.size,
    close,
  };
}

/**
 * A view on the same connections: `role` and `search_path` are set for the transaction of each call. Tags have no place
 * on the server.
 */
function scopedSpec(database: Database, { role, namespace }: ScopeOptions): PostgresAdapterSpec {
  const narrowed = { role: role ?? database.role, searchPath: namespace ?? database.searchPath };
  return createSpec({ ...database, ...narrowed, knownTypes: new Map() }, async () => undefined);
}
