import {
  AskemaError,
  type CallLimitsOptions,
  classifyError,
  type Dialect,
  statementError,
  timeoutError,
} from '@askema/core';
import { remember } from '../catalog/remember.ts';
import type { SessionCall } from '../sessions/session-call.ts';
import type { PooledSession } from '../sessions/session-pool.ts';
import { brokenOffError } from './connect-error.ts';

/** What a server complains of, as an adapter reads it off its driver's error. */
export interface ServerComplaint {
  /** What it is about, where it is not the statement itself. */
  readonly kind: 'timed out' | 'read-only' | 'locked' | 'busy' | 'role' | undefined;
  /** The server's words. */
  readonly message: string;
  readonly vendorCode: string;
  /** Where in the statement, in UTF-16 code units. */
  readonly offset?: number | undefined;
}

export interface ServerErrors<S extends PooledSession> {
  readonly dialect: Pick<Dialect, 'errors' | 'displayName'>;
  /** The adapter's name, for messages. */
  readonly name: string;
  /** What the server complains of; undefined where the connection broke off. */
  readonly complaintOf: (thrown: unknown, sql: string) => ServerComplaint | undefined;
  /** Reads the names that exist, on the session of a statement that has failed. */
  readonly readNames: (session: S) => Promise<readonly string[]>;
}

/**
 * How the calls of one adapter explain what their driver throws (`SessionCall.explain`), by the limits of each call:
 * `DATABASE_UNAVAILABLE` for a connection that broke off; by the kind of the complaint `QUERY_TIMEOUT` (the server's own
 * look at the deadline), `QUERY_NOT_READ_ONLY`, `DATABASE_LOCKED` or `DATABASE_UNAVAILABLE`; else `QUERY_FAILED` with
 * class, place and the nearest names. Where the call could not even begin: `CALLER_REFUSED` for a role that may not be
 * taken on, else `CONFIG_INVALID`.
 *
 * The names are read once in half a minute: a model that guesses names makes many such errors in a row.
 */
export function explainServerErrors<S extends PooledSession>(
  errors: ServerErrors<S>,
): (limits: CallLimitsOptions) => SessionCall<S, unknown>['explain'] {
  const { dialect, name, complaintOf, readNames } = errors;
  const kept = remember<readonly string[]>();
  return (limits) => async (thrown, open) => {
    const complaint = complaintOf(thrown, limits.sql ?? '');
    if (complaint === undefined) return brokenOffError(thrown, dialect.displayName, name);
    const { errorClass } = classifyError(dialect, complaint);
    const isAboutNames = errorClass === 'identifier' || errorClass === 'function';
    // The error that made us look is what counts, not that of the looking.
    const names =
      open !== undefined && isAboutNames && complaint.kind === undefined
        ? await kept(() => open.limits.race(readNames(open.session))).catch(() => undefined)
        : undefined;
    const error = complaintError(errors, limits, complaint, names, thrown);
    if (open !== undefined || error.code !== 'QUERY_FAILED') return error;
    const message = `The transaction could not be opened: ${error.message}`;
    return new AskemaError('CONFIG_INVALID', message, { cause: thrown });
  };
}

function complaintError(
  { dialect, name }: Pick<ServerErrors<never>, 'dialect' | 'name'>,
  limits: CallLimitsOptions,
  { kind, message, vendorCode, offset }: ServerComplaint,
  names: readonly string[] | undefined,
  cause: unknown,
): AskemaError {
  const product = dialect.displayName;
  const { sql = '', timeoutMs = 0 } = limits;
  const details = { sql, vendorCode };
  switch (kind) {
    case 'timed out':
      return timeoutError(timeoutMs, limits);
    case 'read-only':
      return new AskemaError('QUERY_NOT_READ_ONLY', `${product} refused the statement: ${message}.`, {
        details: { ...details, errorClass: 'permission' },
        cause,
      });
    case 'locked':
      return new AskemaError('DATABASE_LOCKED', `Another connection is in the way: ${message}. Try again.`, {
        retryable: true,
        details: { ...details, errorClass: 'timeout' },
        cause,
      });
    case 'busy':
      return new AskemaError('DATABASE_UNAVAILABLE', `${product} cannot serve ${name} now: ${message}. Try again.`, {
        retryable: true,
        details,
        cause,
      });
    case 'role':
      return roleRefused(message, cause);
    case undefined:
      return statementError(dialect, { sql, message, vendorCode, offset, names, cause });
  }
}

/** A role of `scope` that the user of the connection may not take on. */
export function roleRefused(why: string, cause?: unknown): AskemaError {
  return new AskemaError(
    'CALLER_REFUSED',
    `The role cannot be taken on: ${why}. Whoever keeps the database can grant it to the user of the connection.`,
    { cause },
  );
}
