import { dialectServices, ownScopes, roleRefused } from '@askema/adapter-kit';
import type { AdapterSpec } from '@askema/core';
import { bigqueryDialect } from '@askema/dialects';
import { createIntrospector } from './catalog/introspector.ts';
import { createClient } from './client/create-client.ts';
import { createDiagnose } from './diagnose.ts';
import { createExecutor } from './executor/executor.ts';
import { type BigQueryOptions, type ResolvedOptions, resolveOptions } from './options.ts';
import { createPlanner } from './planner.ts';

/**
 * BigQuery through the authentication of `@google-cloud/bigquery` 9 and its REST interface. Statements run as jobs with a cost ceiling, the run's labels and an
 * id of their own, so that a call that is repeated finds its job again; they are cancelled on the server at their deadline and on abort. Nothing is
 * loaded or connected before the first call. The role of `scope` is the address of a service account, which the credentials act for.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work.
 */
export function bigquery(options: BigQueryOptions): AdapterSpec {
  return specOf(resolveOptions(options));
}

/** `reader@project.iam.gserviceaccount.com` */
const ACCOUNT = /^[a-z0-9.-]+@[a-z0-9.-]+\.gserviceaccount\.com$/;

function specOf(resolved: ResolvedOptions): AdapterSpec {
  const { name, access, datasets, metadata, introspectTimeoutMs } = resolved;
  const client = createClient(resolved);
  const spec = {
    contract: 1 as const,
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
  return ownScopes(spec, (role) => {
    if (ACCOUNT.test(role)) return specOf({ ...resolved, impersonated: role });
    throw roleRefused(`${JSON.stringify(role)} is no address of a service account`);
  });
}
