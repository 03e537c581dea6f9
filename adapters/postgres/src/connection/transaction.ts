import { type OpenCall, type SessionCall, serverDeadlineMs } from '@askema/adapter-kit';
import type { Access, CallLimitsOptions } from '@askema/core';
import type { Database } from './database.ts';
import type { Session } from './session.ts';
import type { WireRow } from './wire.ts';

export interface TransactionOptions extends CallLimitsOptions {
  /** Default: `read`. */
  readonly access?: Access | undefined;
  /** All statements see the database of one moment. */
  readonly snapshot?: boolean | undefined;
  /** A query of our own that is run with the beginning. */
  readonly query?: string | undefined;
}

/** A transaction that is open; what was begun are the rows of `query`. */
export type Transaction = OpenCall<Session, readonly WireRow[]>;

/** How a call runs in a transaction of its own. */
export function transactionCall(
  database: Database,
  { access = 'read', snapshot, query, ...limitsOptions }: TransactionOptions,
): SessionCall<Session, readonly WireRow[]> {
  const { role, searchPath, explain } = database;
  return {
    ...limitsOptions,
    begin: (session, limits) =>
      session.begin({ access, timeoutMs: serverDeadlineMs(limits), snapshot, role, searchPath, query }),
    rest: (session) => session.rest(access),
    explain: explain(limitsOptions),
  };
}
