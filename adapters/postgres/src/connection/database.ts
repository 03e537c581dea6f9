import { createSessionPool, type KnownNames, rememberNames, type SessionPool } from '@askema/adapter-kit';
import type { ResolvedOptions } from '../options.ts';
import { Session } from './session.ts';

/** What all parts of one adapter work on. A scoped adapter has another `role` and `searchPath`, and the rest in common. */
export interface Database {
  readonly options: ResolvedOptions;
  readonly pool: SessionPool<Session>;
  readonly knownNames: KnownNames;
  /** Set for the transaction of each call. */
  readonly role?: string | undefined;
  readonly searchPath?: readonly string[] | undefined;
}

export function createDatabase(options: ResolvedOptions): Database {
  const { name, poolSize: size, idleTimeoutMs, searchPath } = options;
  const pool = createSessionPool({ name, size, idleTimeoutMs, connect: () => Session.connect(options) });
  return { options, pool, knownNames: rememberNames(), searchPath };
}
