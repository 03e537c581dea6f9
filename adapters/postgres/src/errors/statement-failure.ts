import { offsetOfCharacter, type ServerComplaint } from '@askema/adapter-kit';

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

/** What the server complains of; undefined for a connection that broke off. */
export function complaintOf(thrown: unknown, sql: string): ServerComplaint | undefined {
  if (!isServerError(thrown) || ENDING.has(thrown.code ?? '')) return undefined;
  const { code: vendorCode = '', hint, position } = thrown;
  const message = shortened(thrown.message);
  return {
    kind: kindOf(vendorCode, message),
    message: hint === undefined ? message : `${message} Hint: ${shortened(hint)}`,
    vendorCode,
    offset: offsetOf(position, sql),
  };
}

/** An error may quote a whole value. */
const MAX_CHARACTERS = 10_000;

function shortened(text: string): string {
  return text.length <= MAX_CHARACTERS ? text : `${text.slice(0, MAX_CHARACTERS)}… (${text.length} characters)`;
}

/** Of set_config with a role: insufficient_privilege, invalid_parameter_value. */
const ROLE = new Set(['42501', '22023']);

function kindOf(code: string, message: string): ServerComplaint['kind'] {
  // statement_timeout is the server's own look at the same deadline.
  if (code === '57014' && /timeout/.test(message)) return 'timed out';
  if (code === '25006') return 'read-only';
  if (ROLE.has(code) && /^(?:permission denied to set role|role) "/.test(message)) return 'role';
  if (code === '55P03' || code === '40P01' || code === '40001') return 'locked';
  return code === '53300' || code === '57P03' ? 'busy' : undefined;
}

/** PostgreSQL counts characters from 1. */
function offsetOf(position: string | undefined, sql: string): number | undefined {
  const character = Number(position);
  return Number.isSafeInteger(character) && character > 0 ? offsetOfCharacter(sql, character - 1) : undefined;
}
