import { dialectServices } from '@askema/adapter-kit';
import type { AdapterSpec } from '@askema/core';
import { createIntrospector } from './catalog/introspector.ts';
import { createDatabase, type Database } from './connection/call.ts';
import { createDiagnose } from './diagnose.ts';
import { createExecutor } from './executor.ts';
import { type MysqlOptions, resolveOptions } from './options.ts';
import { createPlanner } from './planner.ts';

/** An adapter of one MySQL or MariaDB server. */
export interface MysqlAdapterSpec extends AdapterSpec {
  /** Connections that are open; for tests and for monitoring. */
  readonly openConnections: () => number;
}

/**
 * Opens a MySQL or MariaDB database through `mysql2`: each call is a transaction of its own, read-only unless both the
 * adapter and the call were granted writing; results are streamed, and a stopped call is killed on the server. Nothing
 * is connected before the first call.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function mysql(options: MysqlOptions): MysqlAdapterSpec {
  const database = createDatabase(resolveOptions(options));
  return createSpec(database, () => database.pool.close());
}

function createSpec(database: Database, close: () => Promise<void>): MysqlAdapterSpec {
  const { name, access, dialect } = database.options;
  return {
    contract: 1,
    dialect,
    ...dialectServices(dialect),
    name,
    access,
    executor: createExecutor(database),
    introspector: createIntrospector(database),
    planner: createPlanner(database),
    diagnose: createDiagnose(database),
    // On the same pool: role and database are set for each call. Tags have no place on the server.
    scope: ({ role = database.role, namespace }) =>
      createSpec({ ...database, role, namespace: namespace?.at(-1) ?? database.namespace }, async () => undefined),
    openConnections: () => database.pool.size,
    close,
  };
}
