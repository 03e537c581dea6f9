import type { ErrorCode } from '@askema/core';

const STATEMENT_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'QUERY_FAILED',
  'QUERY_TIMEOUT',
  'QUERY_NOT_READ_ONLY',
  'QUERY_REFUSED',
]);

const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED']);

/** True for errors that tell something about the statement: another one may do. All others end the run. */
export function isStatementError(code: ErrorCode): boolean {
  return STATEMENT_ERRORS.has(code);
}

/** True where the database did not let the statement run. */
export function isRefusal(code: ErrorCode): boolean {
  return REFUSALS.has(code);
}
