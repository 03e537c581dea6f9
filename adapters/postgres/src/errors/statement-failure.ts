import { AskemaError, type CallLimits, classifyError, isAskemaError, statementError, timeoutError } from '@askema/core';
import { postgresDialect } from '@askema/dialects';

/** What `pg` reports of the server's complaint (protocol-error-fields). */
export interface ServerError extends Error {
  readonly code?: string | undefined;
  readonly severity?: string | undefined;
  /** In characters, from 1. */
  readonly position?: string | undefined;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

export function isServerError(thrown: unknown): thrown is ServerError {
  return thrown instanceof Error && (thrown as ServerError).severity !== undefined;
}

/** Codes with which the server ends the connection: admin_shutdown, crash_shutdown, idle timeouts. */
const ENDING = new Set(['57P01', '57P02', '57P05', '25P03', '25P04']);

export interface FailureContext {
  readonly sql: string;
  /** Whose statement failed. */
  readonly pool: {
    readonly options: { readonly name: string };
    readonly closed: boolean;
    closedError(): AskemaError;
  };
  readonly limits: CallLimits;
  readonly timeoutMs: number;
  /** Names that exist. */
  readonly names?: Iterable<string> | undefined;
}

/**
 * What a caller is told when a statement fails: the limits first, then a connection that broke off, then the server's
 * words.
 */
export function statementFailure(thrown: unknown, context: FailureContext): AskemaError {
  const { sql, pool, limits, timeoutMs, names } = context;
  const { name } = pool.options;
  const over = limits.error();
  if (over !== undefined) return over;
  if (isAskemaError(thrown)) return thrown;
  // Closing stops what runs.
  if (pool.closed) return pool.closedError();
  if (!isServerError(thrown) || ENDING.has(thrown.code ?? '')) return brokenOff(thrown, name);
  const { code: vendorCode, message } = thrown;
  const details = { sql, vendorCode };
  // statement_timeout is the server's own look at the same deadline.
  if (vendorCode === '57014' && /timeout/.test(message)) return timeoutError('The query', timeoutMs, sql);
  if (vendorCode === '25006')
    return new AskemaError('QUERY_NOT_READ_ONLY', `PostgreSQL refused the statement: ${message}.`, {
      details: { ...details, errorClass: 'permission' },
      cause: thrown,
    });
  if (vendorCode === '55P03' || vendorCode === '40P01' || vendorCode === '40001')
    return new AskemaError('DATABASE_LOCKED', `Another connection is in the way: ${message}. Try again.`, {
      retryable: true,
      details: { ...details, errorClass: 'timeout' },
      cause: thrown,
    });
  if (vendorCode === '53300' || vendorCode === '57P03')
    return new AskemaError('DATABASE_UNAVAILABLE', `PostgreSQL cannot serve ${name} now: ${message}. Try again.`, {
      retryable: true,
      details,
      cause: thrown,
    });
  const hint = thrown.hint === undefined ? '' : ` Hint: ${thrown.hint}`;
  return statementError(postgresDialect, {
    sql,
    message: `${message}${hint}`,
    vendorCode,
    offset: offsetOf(thrown.position, sql),
    names,
    cause: thrown,
  });
}

/** Whether names that exist could help. */
export function isAboutNames(thrown: unknown): boolean {
  if (!isServerError(thrown)) return false;
  const { errorClass } = classifyError(postgresDialect, { vendorCode: thrown.code, message: thrown.message });
  return errorClass === 'identifier' || errorClass === 'function';
}

/** PostgreSQL counts characters from 1; JavaScript counts UTF-16 code units from 0. */
function offsetOf(position: string | undefined, sql: string): number | undefined {
  const character = Number(position);
  if (!Number.isSafeInteger(character) || character < 1) return undefined;
  let offset = 0;
  let seen = 1;
  for (const point of sql) {
    if (seen === character) break;
    seen += 1;
    offset += point.length;
  }
  return offset;
}

/** The connection ended while a statement ran. */
function brokenOff(thrown: unknown, name: string): AskemaError {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  return new AskemaError(
    'DATABASE_UNAVAILABLE',
    `The connection to PostgreSQL at ${name} broke off: ${message.replace(/\.$/, '')}. Check that the server runs; try again.`,
    { retryable: true, cause: thrown },
  );
}
