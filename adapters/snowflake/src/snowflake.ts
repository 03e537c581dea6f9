import { dialectServices, ownScopes } from '@askema/adapter-kit';
import type { AdapterSpec } from '@askema/core';
import { snowflakeDialect } from '@askema/dialects';
import { createIntrospector } from './catalog/introspector.ts';
import { createSession } from './connection/create-session.ts';
import { createKnownNames } from './connection/known-names.ts';
import { createDiagnose } from './diagnose.ts';
import { createExecutor } from './executor/executor.ts';
import { createReadViews } from './executor/read-views.ts';
import { type ResolvedOptions, resolveOptions } from './options.ts';
import { createPlanner } from './planner.ts';
import type { SnowflakeOptions } from './snowflake-options.ts';

/**
 * An adapter of a Snowflake account, through snowflake-sdk. Nothing is loaded and nobody logs in before the first call; statements run side
 * by side in sessions of a pool, are cancelled on the server at their deadline or on abort, and carry the run in their QUERY_TAG. A role of `scope`
 * logs in by itself, into sessions of its own.
 *
 * @throws AskemaError `CONFIG_INVALID` for options that cannot work, `DATABASE_NOT_FOUND` for a connection file that is not there.
 */
export function snowflake(options: SnowflakeOptions): AdapterSpec {
  return specOf(resolveOptions(options));
}

function specOf(resolved: ResolvedOptions): AdapterSpec {
  const known = createKnownNames();
  const session = createSession(resolved, { names: known });
  const readViews = createReadViews(session);
  const { name, access, databases, schemas, nestedFields } = resolved;
  const introspector = createIntrospector(session, {
    name,
    timeoutMs: resolved.introspectTimeoutMs,
    concurrency: resolved.poolSize,
    databases,
    schemas,
    nestedFields,
  });
  const spec = {
    contract: 1 as const,
    dialect: snowflakeDialect,
    ...dialectServices(snowflakeDialect),
    name,
    access,
    executor: createExecutor(session, resolved, readViews),
    introspector: known.watch(introspector),
    planner: createPlanner(session, readViews),
    diagnose: createDiagnose(session, resolved),
    close: () => session.close(),
  };
  return ownScopes(spec, (role) => specOf({ ...resolved, role, isRoleOfScope: true }));
}
