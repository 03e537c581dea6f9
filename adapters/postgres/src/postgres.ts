import { type ServerAdapterSpec, serverSpec } from '@askema/adapter-kit';
import { postgresDialect } from '@askema/dialects';
import { createIntrospector } from './catalog/introspector.ts';
import { createDatabase } from './connection/database.ts';
import { createDiagnose } from './diagnosis/diagnose.ts';
import { createExecutor } from './executor.ts';
import { type PostgresOptions, resolveOptions } from './options.ts';
import { createPlanner } from './planner.ts';
import { createStamps } from './stamps.ts';

/** An adapter of one PostgreSQL database. */
export type PostgresAdapterSpec = ServerAdapterSpec;

/**
 * Opens a PostgreSQL database through `pg`: each call is a transaction of its own, read-only unless both the adapter
 * and the call were granted writing; results are streamed through a portal, and a stopped call is cancelled on the
 * server. Nothing is connected before the first call.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function postgres(options: PostgresOptions): PostgresAdapterSpec {
  return serverSpec(createDatabase(resolveOptions(options)), (database) => ({
    dialect: postgresDialect,
    executor: createExecutor(database),
    introspector: createIntrospector(database),
    planner: createPlanner(database),
    diagnose: createDiagnose(database),
    stamps: createStamps(database),
    // `role` and `search_path` are set for the transaction of each call. Tags have no place on the server.
    scoped({ role = database.role, namespace: searchPath = database.searchPath }) {
      return { ...database, role, searchPath, knownTypes: new Map() };
    },
  }));
}
