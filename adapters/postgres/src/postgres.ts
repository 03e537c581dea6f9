import type { AdapterSpec, ScopeOptions } from '@askema/core';
import { postgresDialect } from '@askema/dialects';
import { dialectServices } from '@askema/grounding';
import { createIntrospector } from './catalog/introspector.ts';
import { SessionPool } from './connection/session-pool.ts';
import { createDiagnose } from './diagnose.ts';
import { createExecutor, type ExecutionScope } from './executor.ts';
import { type PostgresOptions, resolveOptions } from './options.ts';
import { createPlanner } from './planner.ts';

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
  const pool = new SessionPool(resolveOptions(options));
  return createSpec(pool, {}, () => pool.close());
}

function createSpec(pool: SessionPool, scope: ExecutionScope, close: () => Promise<void>): PostgresAdapterSpec {
  const { name, access } = pool.options;
  return {
    contract: 1,
    dialect: postgresDialect,
    ...dialectServices(postgresDialect),
    name,
    access,
    executor: createExecutor(pool, scope),
    introspector: createIntrospector(pool, scope),
    planner: createPlanner(pool, scope),
    diagnose: createDiagnose(pool, scope),
    scope: (options) => scopedSpec(pool, scope, options),
    openConnections: () => pool.size,
    close,
  };
}

/**
 * A view on the same connections: `role` and `search_path` are set for the transaction of each call. Tags have no place
 * on the server.
 */
function scopedSpec(pool: SessionPool, scope: ExecutionScope, { role, namespace }: ScopeOptions): PostgresAdapterSpec {
  const narrowed = { role: role ?? scope.role, searchPath: namespace ?? scope.searchPath };
  return createSpec(pool, narrowed, async () => undefined);
}
