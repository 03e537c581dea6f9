import { dialectServices } from '@askema/adapter-kit';
import type { AdapterSpec } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { createIntrospector } from './catalog/introspector.ts';
import { createClient } from './client/create-client.ts';
import { createDiagnose } from './diagnose.ts';
import { createExecutor } from './executor/executor.ts';
import { type BigQueryOptions, resolveOptions } from './options.ts';
import { createPlanner } from './planner.ts';

/**
 * BigQuery through the authentication of `@google-cloud/bigquery` 9 and its REST interface. Statements run as jobs with a cost ceiling, the run's labels and an
 * id of their own, so that a call that is repeated finds its job again; they are cancelled on the server at their deadline and on abort. Nothing is
 * loaded or connected before the first call.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function bigquery(options: BigQueryOptions): AdapterSpec {
  const resolved = resolveOptions(options);
  const { name, access, datasets, metadata, introspectTimeoutMs } = resolved;
  const client = createClient(resolved);
  return {
    contract: 1,
    dialect: bigqueryDialect,
    ...dialectServices(bigqueryDialect),
    name,
    access,
    executor: createExecutor(client),
    introspector: createIntrospector({ client, name, datasets, metadata, timeoutMs: introspectTimeoutMs }),
    planner: createPlanner(client),
    diagnose: createDiagnose(client),
    close: () => client.close(),
  };
}
