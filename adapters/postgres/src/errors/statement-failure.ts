import { brokenOffError, isAboutNames, offsetOfCharacter } from '@askema/adapter-kit';
import { AskemaError, type CallLimitsOptions, statementError, timeoutError } from '@askema/core';
import { postgresDialect } from '@askema/dialects';

/** What `pg` reports of the server's complaint (protocol-error-fields). */
interface ServerError extends Error {
  readonly code?: string | undefined;
  readonly severity?: string | undefined;
  /** In characters, from 1. */
  readonly position?: string | undefined;
  readonly detail?: string | undefined;
  readonly hint?: string | undefined;
}

function isServerError(thrown: unknown): thrown is ServerError {
  return thrown instanceof Error && (thrown as ServerError).severity !== undefined;
}

/** A mistake in the syntax. Two statements in one text have the same code. */
export function isSyntaxError(thrown: unknown): boolean {
  return isServerError(thrown) && thrown.code === '42601' && !/multiple commands/.test(thrown.message);
}

/** Codes with which the server ends the connection: admin_shutdown, crash_shutdown, idle timeouts. */
const ENDING = new Set(['57P01', '57P02', '57P05', '25P03', '25P04']);

/**
 * What a caller is told when a statement fails and neither its limits nor a close are the reason: a connection that
 * broke off, or the server's words with the nearest names.
 *
 * @param name the adapter's.
 * @param readNames gives the names that exist.
 */
export async function statementFailure(
  thrown: unknown,
  { sql = '', timeoutMs = 0 }: CallLimitsOptions,
  name: string,
  readNames?: (() => Promise<readonly string[] | undefined>) | undefined,
): Promise<AskemaError> {
  if (!isServerError(thrown) || ENDING.has(thrown.code ?? '')) return brokenOffError(thrown, 'PostgreSQL', name);
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
  return statementError(postgresDialect, {
    sql,
    message: thrown.hint === undefined ? message : `${message} Hint: ${thrown.hint}`,
    vendorCode,
    offset: offsetOf(thrown.position, sql),
    names: isAboutNames(postgresDialect, { vendorCode, message }) ? await readNames?.() : undefined,
    cause: thrown,
  });
}

/** PostgreSQL counts characters from 1. */
function offsetOf(position: string | undefined, sql: string): number | undefined {
  const character = Number(position);
  return Number.isSafeInteger(character) && character > 0 ? offsetOfCharacter(sql, character - 1) : undefined;
}
