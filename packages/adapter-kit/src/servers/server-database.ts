import type { CallLimitsOptions } from '@askema/core';
import { explainServerErrors, type ServerErrors } from '../errors/server-errors.ts';
import type { ResolvedServerOptions } from '../options/server-address.ts';
import type { SessionCall } from '../sessions/session-call.ts';
import { createSessionPool, type PooledSession, type SessionPool } from '../sessions/session-pool.ts';

/** What all parts of one adapter of a server work on; an adapter adds what else they share. */
export interface ServerDatabase<S extends PooledSession, Options> {
  readonly options: Options;
  readonly pool: SessionPool<S>;
  /** The `explain` of a call, by its limits. */
  readonly explain: (limits: CallLimitsOptions) => SessionCall<S, unknown>['explain'];
}

interface ServerConnecting<S extends PooledSession, Options> extends Omit<ServerErrors<S>, 'name'> {
  /** Opens a session; see {@link createSessionPool}. */
  readonly connect: (options: Options) => Promise<S>;
}

/** A pool of sessions, and how errors of their calls are explained. Nothing is connected before the first call. */
export function createServerDatabase<
  S extends PooledSession,
  Options extends Pick<ResolvedServerOptions, 'name' | 'poolSize' | 'idleTimeoutMs'>,
>(options: Options, { connect, ...errors }: ServerConnecting<S, Options>): ServerDatabase<S, Options> {
  return {
    options,
    pool: createSessionPool(options, () => connect(options)),
    explain: explainServerErrors({ ...errors, name: options.name }),
  };
}
