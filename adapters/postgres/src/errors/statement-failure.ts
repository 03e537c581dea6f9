import { brokenOffError, type FailureKind, offsetOfCharacter, serverFailureError } from '@askema/adapter-kit';
import type { AskemaError, CallLimitsOptions } from '@askema/core';
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
  limits: CallLimitsOptions,
  name: string,
  readNames?: (() => Promise<readonly string[] | undefined>) | undefined,
): Promise<AskemaError> {
  if (!isServerError(thrown) || ENDING.has(thrown.code ?? '')) return brokenOffError(thrown, 'PostgreSQL', name);
  const { code: vendorCode = '', message, hint } = thrown;
  return serverFailureError({
    dialect: postgresDialect,
    database: name,
    limits,
    kind: kindOf(vendorCode, message),
    message: hint === undefined ? message : `${message} Hint: ${hint}`,
    vendorCode,
    offset: offsetOf(thrown.position, limits.sql ?? ''),
    readNames,
    cause: thrown,
  });
}

function kindOf(code: string, message: string): FailureKind | undefined {
  // statement_timeout is the server's own look at the same deadline.
  if (code === '57014' && /timeout/.test(message)) return 'timed out';
  if (code === '25006') return 'read-only';
  if (code === '55P03' || code === '40P01' || code === '40001') return 'locked';
  return code === '53300' || code === '57P03' ? 'busy' : undefined;
}

/** PostgreSQL counts characters from 1. */
function offsetOf(position: string | undefined, sql: string): number | undefined {
  const character = Number(position);
  return Number.isSafeInteger(character) && character > 0 ? offsetOfCharacter(sql, character - 1) : undefined;
}
