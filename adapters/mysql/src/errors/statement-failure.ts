import { offsetOfComplaint, type ServerComplaint } from '@askema/adapter-kit';
import { type Dialect, offsetAt } from '@askema/core';
import { mysqlServer } from '@askema/dialects';

/** What mysql2 reports of the server's complaint. */
interface ServerError extends Error {
  readonly errno: number;
  readonly sqlState: string;
  readonly sqlMessage?: string | undefined;
}

function isServerError(thrown: unknown): thrown is ServerError {
  const { errno, sqlState } = thrown as Partial<ServerError>;
  return thrown instanceof Error && typeof errno === 'number' && typeof sqlState === 'string';
}

/** ER_PARSE_ERROR. Two statements in one text have the same number. */
export function isSyntaxError(thrown: unknown): boolean {
  return isServerError(thrown) && thrown.errno === 1064;
}

/** ER_SP_DOES_NOT_EXIST. */
export function isMissingFunction(thrown: unknown): boolean {
  return isServerError(thrown) && thrown.errno === 1305;
}

export function isReadOnlyRefusal(thrown: unknown): boolean {
  return isServerError(thrown) && mysqlServer.errorKinds[thrown.errno] === 'read-only' && !isOutOfMemory(thrown);
}

/** MariaDB has one number for all that an option of the server forbids. */
function isOutOfMemory({ message }: ServerError): boolean {
  return message.includes('--max-session-mem-used');
}

const OUT_OF_MEMORY = 'the statement needs more memory than a session may take on the server (max_session_mem_used)';

/** What stands behind `near '…' at line 3` is cut off about here, and else reaches to the end of the statement. */
const NEAR_BYTES = 76;

/** What the server complains of; undefined for a connection that broke off. */
export function complaintOf(thrown: unknown, sql: string, dialect: Dialect): ServerComplaint | undefined {
  if (!isServerError(thrown) || mysqlServer.interruptions.includes(thrown.errno)) return undefined;
  const { errno } = thrown;
  const vendorCode = String(errno);
  if (isOutOfMemory(thrown)) return { kind: undefined, message: OUT_OF_MEMORY, vendorCode, offset: undefined };
  const message = (thrown.sqlMessage ?? thrown.message).replace(/\.$/, '');
  const offset = offsetOf(sql, message, vendorCode, dialect);
  return { kind: mysqlServer.errorKinds[errno], message, vendorCode, offset };
}

/** The server gives a line and what stands there, or a name alone. */
function offsetOf(sql: string, message: string, vendorCode: string, dialect: Dialect): number | undefined {
  const near = /near '(.*)' at line (\d+)$/s.exec(message);
  if (near !== null) {
    const [, found = '', line] = near;
    // MariaDB shows with dots that it was cut.
    const text = found.replace(/\.\.\.$/, '');
    if (Buffer.byteLength(text) < NEAR_BYTES) return sql.lastIndexOf(text);
    return sql.indexOf(text, offsetAt(sql, Number(line), 1) ?? 0);
  }
  return offsetOfComplaint(sql, { message, vendorCode }, dialect);
}
