import { type ServerAdapterSpec, serverSpec } from '@askema/adapter-kit';
import { createIntrospector } from './catalog/introspector.ts';
import { createDatabase } from './connection/call.ts';
import { createDiagnose } from './diagnose.ts';
import { createExecutor } from './executor.ts';
import { type MysqlOptions, resolveOptions } from './options.ts';
import { createPlanner } from './planner.ts';

/** An adapter of one MySQL or MariaDB server. */
export type MysqlAdapterSpec = ServerAdapterSpec;

/**
 * Opens a MySQL or MariaDB database through `mysql2`: each call is a transaction of its own, read-only unless both the
 * adapter and the call were granted writing; results are streamed, and a stopped call is killed on the server. Nothing
 * is connected before the first call.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function mysql(options: MysqlOptions): MysqlAdapterSpec {
  return serverSpec(createDatabase(resolveOptions(options)), (database) => ({
    dialect: database.options.dialect,
    executor: createExecutor(database),
    introspector: createIntrospector(database),
    planner: createPlanner(database),
    diagnose: createDiagnose(database),
    // Role and database are set for each call. Tags have no place on the server.
    scoped({ role = database.role, namespace }) {
      return { ...database, role, namespace: namespace?.at(-1) ?? database.namespace };
    },
  }));
}
