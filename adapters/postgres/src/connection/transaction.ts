import type { OpenCall, SessionCall } from '@askema/adapter-kit';
import { type Access, AskemaError, type CallLimitsOptions } from '@askema/core';
import { statementFailure } from '../errors/statement-failure.ts';
import type { Database } from './database.ts';
import { readNames } from './read-names.ts';
import type { Session } from './session.ts';
import type { WireRow } from './wire.ts';

/** What is added to the deadline on the server, so that the own one comes first. */
const SERVER_GRACE_MS = 250;

/** The longest that a setting of the server can be. */
const MAX_SETTING_MS = 2 ** 31 - 1 - 60_000;

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
  const { role, searchPath, options, knownNames } = database;
  return {
    ...limitsOptions,
    begin: (session, limits) => {
      const timeoutMs = Math.min(MAX_SETTING_MS, Math.max(1, Math.ceil(limits.remainingMs()) + SERVER_GRACE_MS));
      return session.begin({ access, timeoutMs, snapshot, role, searchPath, query });
    },
    rest: (session) => session.rest(access),
    async explain(thrown, open) {
      const names = open && (() => knownNames(() => open.limits.race(readNames(open.session))));
      const error = await statementFailure(thrown, limitsOptions, options.name, names);
      if (open !== undefined || error.code !== 'QUERY_FAILED') return error;
      const message = `The transaction could not be opened: ${error.message}`;
      return new AskemaError('CONFIG_INVALID', message, { cause: thrown });
    },
  };
}
