import type { AdapterSpec, ScopeOptions } from '@askema/core';
import { dialectServices } from '@askema/grounding';
import { roleRefused } from '../errors/server-errors.ts';
import type { PooledSession, SessionPool } from '../sessions/session-pool.ts';

/** An adapter of one server. */
export interface ServerAdapterSpec extends AdapterSpec {
  /** Connections that are open; for tests and for monitoring. */
  readonly openConnections: () => number;
}

/** The parts of an adapter that differ from server to server. */
interface ServerParts<Database>
  extends Pick<AdapterSpec, 'dialect' | 'executor' | 'introspector' | 'planner' | 'diagnose' | 'stamps'> {
  /** The same database for one role or tenant: what is set for each call, on the same pool. */
  readonly scoped: (options: ScopeOptions) => Database;
}

interface OpenDatabase {
  readonly options: Pick<AdapterSpec, 'name' | 'access'>;
  readonly pool: Pick<SessionPool<PooledSession>, 'size' | 'close'>;
}

/** The adapter of a database. A scoped one shares the pool, and closing it closes nothing. */
export function serverSpec<Database extends OpenDatabase>(
  database: Database,
  partsOf: (database: Database) => ServerParts<Database>,
  close: () => Promise<void> = () => database.pool.close(),
): ServerAdapterSpec {
  const { scoped, ...parts } = partsOf(database);
  const { name, access } = database.options;
  return {
    contract: 1,
    ...dialectServices(parts.dialect),
    name,
    access,
    ...parts,
    scope(options) {
      // It takes no role on, but every role off.
      if (options.role?.toLowerCase() === 'none') throw roleRefused(`${JSON.stringify(options.role)} is none`);
      return serverSpec(scoped(options), partsOf, async () => undefined);
    },
    openConnections: () => database.pool.size,
    close,
  };
}
