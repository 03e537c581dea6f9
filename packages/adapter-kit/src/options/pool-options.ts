import { type Access, checkAccess, checkTimer, checkWhole } from '@askema/core';

/** Options that adapters have in common; an adapter's own options extend them. */
export interface PoolOptions {
  /** What the adapter may be asked for at most. Default: `read`. */
  readonly access?: Access | undefined;
  /** Statements side by side. Default: 4, on a server 8. */
  readonly poolSize?: number | undefined;
  /** What runs statements (a connection, a process) is closed when it was not used for so long. Default: 10,000. */
  readonly idleTimeoutMs?: number | undefined;
  /** All of `introspect` but the row counts. Default: 60,000. */
  readonly introspectTimeoutMs?: number | undefined;
  /**
   * Counting rows ends after this time; what is not counted then is estimated or left out. 0: no counting. Default:
   * 2,000.
   */
  readonly rowCountTimeoutMs?: number | undefined;
}

/** The same with their defaults. */
export type ResolvedPoolOptions = { readonly [Name in keyof PoolOptions]-?: NonNullable<PoolOptions[Name]> };

/** @throws AskemaError `CONFIG_INVALID` with the name of an option that cannot work. */
export function resolvePoolOptions(options: PoolOptions): ResolvedPoolOptions {
  return {
    access: checkAccess(options.access),
    poolSize: checkWhole('poolSize', options.poolSize ?? 4, 1, 64),
    idleTimeoutMs: checkTimer('idleTimeoutMs', options.idleTimeoutMs ?? 10_000, 0),
    introspectTimeoutMs: checkTimer('introspectTimeoutMs', options.introspectTimeoutMs ?? 60_000),
    rowCountTimeoutMs: checkTimer('rowCountTimeoutMs', options.rowCountTimeoutMs ?? 2_000, 0),
  };
}
