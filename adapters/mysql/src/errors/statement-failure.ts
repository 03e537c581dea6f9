import { brokenOffError, isAboutNames, offsetOfName } from '@askema/adapter-kit';
import {
  AskemaError,
  type CallLimitsOptions,
  classifyError,
  type Dialect,
  offsetAt,
  statementError,
  timeoutError,
} from '@askema/core';

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

/** Any complaint but that of the read-only transaction. */
export function isMistake(thrown: unknown): boolean {
  return isServerError(thrown) && !READ_ONLY.includes(thrown.errno);
}

/** By https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html and MariaDB's error-codes. */
const TIMED_OUT = [1969, 3024];
const INTERRUPTED = [1317, 1927];
const LOCKED = [1205, 1213, 3572];
const READ_ONLY = [1290, 1792, 1836];

/** What stands behind `near '…' at line 3` is cut off about here, and else reaches to the end of the statement. */
const NEAR_BYTES = 76;

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
  { name, dialect }: { readonly name: string; readonly dialect: Dialect },
  readNames?: (() => Promise<readonly string[] | undefined>) | undefined,
): Promise<AskemaError> {
  const product = dialect.displayName;
  if (!isServerError(thrown) || INTERRUPTED.includes(thrown.errno)) return brokenOffError(thrown, product, name);
  const { errno } = thrown;
  const message = (thrown.sqlMessage ?? thrown.message).replace(/\.$/, '');
  const vendorCode = String(errno);
  const details = { sql, vendorCode };
  // max_statement_time is the server's own look at the same deadline.
  if (TIMED_OUT.includes(errno)) return timeoutError('The query', timeoutMs, sql);
  if (READ_ONLY.includes(errno))
    return new AskemaError('QUERY_NOT_READ_ONLY', `${product} refused the statement: ${message}.`, {
      details: { ...details, errorClass: 'permission' },
      cause: thrown,
    });
  if (LOCKED.includes(errno))
    return new AskemaError('DATABASE_LOCKED', `Another connection is in the way: ${message}. Try again.`, {
      retryable: true,
      details: { ...details, errorClass: 'timeout' },
      cause: thrown,
    });
  return statementError(dialect, {
    sql,
    message,
    vendorCode,
    offset: offsetOf(sql, message, vendorCode, dialect),
    names: isAboutNames(dialect, { vendorCode, message }) ? await readNames?.() : undefined,
    cause: thrown,
  });
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
  const { errorClass, name = '' } = classifyError(dialect, { vendorCode, message });
  const find = (wanted: string) => offsetOfName(sql, wanted, dialect, errorClass === 'function');
  return find(name) ?? find(name.slice(name.lastIndexOf('.') + 1));
}
