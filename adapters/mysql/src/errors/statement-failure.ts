import { brokenOffError, type FailureKind, offsetOfName, serverFailureError } from '@askema/adapter-kit';
import { type AskemaError, type CallLimitsOptions, classifyError, type Dialect, offsetAt } from '@askema/core';

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

export function isReadOnlyRefusal(thrown: unknown): boolean {
  return isServerError(thrown) && KINDS['read-only'].includes(thrown.errno);
}

/** By https://dev.mysql.com/doc/mysql-errors/8.4/en/server-error-reference.html and MariaDB's error-codes. */
const KINDS: Readonly<Record<FailureKind, readonly number[]>> = {
  'timed out': [1969, 3024],
  'read-only': [1290, 1792, 1836],
  locked: [1205, 1213, 3572],
  busy: [1040, 1053, 1203],
};
/** Another session has ended the statement, or the connection. */
const INTERRUPTED = [1317, 1927];

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
  limits: CallLimitsOptions,
  { name, dialect }: { readonly name: string; readonly dialect: Dialect },
  readNames?: (() => Promise<readonly string[] | undefined>) | undefined,
): Promise<AskemaError> {
  if (!isServerError(thrown) || INTERRUPTED.includes(thrown.errno))
    return brokenOffError(thrown, dialect.displayName, name);
  const { errno } = thrown;
  const message = (thrown.sqlMessage ?? thrown.message).replace(/\.$/, '');
  const vendorCode = String(errno);
  return serverFailureError({
    dialect,
    database: name,
    limits,
    kind: (Object.keys(KINDS) as FailureKind[]).find((kind) => KINDS[kind].includes(errno)),
    message,
    vendorCode,
    offset: offsetOf(limits.sql ?? '', message, vendorCode, dialect),
    readNames,
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
