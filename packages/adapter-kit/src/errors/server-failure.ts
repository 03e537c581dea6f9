import { AskemaError, type CallLimitsOptions, type Dialect, statementError, timeoutError } from '@askema/core';
import { isAboutNames } from './known-names.ts';

/** What a server's complaint is about, where it is not the statement itself. */
export type FailureKind = 'timed out' | 'read-only' | 'locked' | 'busy';

export interface ServerFailure {
  readonly dialect: Pick<Dialect, 'errors' | 'displayName'>;
  /** The adapter's name. */
  readonly database: string;
  readonly limits: Pick<CallLimitsOptions, 'sql' | 'timeoutMs'>;
  readonly kind: FailureKind | undefined;
  /** The server's words. */
  readonly message: string;
  readonly vendorCode: string;
  /** Where in the statement, in UTF-16 code units. */
  readonly offset?: number | undefined;
  /** Gives the names that exist; asked where the complaint is about one. */
  readonly readNames?: (() => Promise<readonly string[] | undefined>) | undefined;
  readonly cause: unknown;
}

/**
 * What a caller is told when the server refuses a statement: `QUERY_TIMEOUT` (its own look at the deadline),
 * `QUERY_NOT_READ_ONLY`, `DATABASE_LOCKED` or `DATABASE_UNAVAILABLE` by the kind, else `QUERY_FAILED` with class, place
 * and the nearest names.
 */
export async function serverFailureError(failure: ServerFailure): Promise<AskemaError> {
  const { dialect, database, limits, kind, message, vendorCode, offset, readNames, cause } = failure;
  const { sql = '', timeoutMs = 0 } = limits;
  const product = dialect.displayName;
  const details = { sql, vendorCode };
  if (kind === 'timed out') return timeoutError('The query', timeoutMs, sql);
  if (kind === 'read-only')
    return new AskemaError('QUERY_NOT_READ_ONLY', `${product} refused the statement: ${message}.`, {
      details: { ...details, errorClass: 'permission' },
      cause,
    });
  if (kind === 'locked')
    return new AskemaError('DATABASE_LOCKED', `Another connection is in the way: ${message}. Try again.`, {
      retryable: true,
      details: { ...details, errorClass: 'timeout' },
      cause,
    });
  if (kind === 'busy')
    return new AskemaError('DATABASE_UNAVAILABLE', `${product} cannot serve ${database} now: ${message}. Try again.`, {
      retryable: true,
      details,
      cause,
    });
  const names = isAboutNames(dialect, { vendorCode, message }) ? await readNames?.() : undefined;
  return statementError(dialect, { sql, message, vendorCode, offset, names, cause });
}
