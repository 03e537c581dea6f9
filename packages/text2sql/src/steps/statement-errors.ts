import { type AskemaError, type ErrorCode, toAskemaError } from '@askema/core';

const STATEMENT_ERRORS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'QUERY_FAILED',
  'QUERY_TIMEOUT',
  'QUERY_NOT_READ_ONLY',
  'QUERY_REFUSED',
]);

const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['QUERY_NOT_READ_ONLY', 'QUERY_REFUSED']);

/** What was thrown, as an error that tells something about the statement: another one may do. All others end the run: they are thrown on. */
export function statementError(thrown: unknown): AskemaError {
  const error = toAskemaError(thrown);
  if (!STATEMENT_ERRORS.has(error.code)) throw error;
  return error;
}

/** True where the database did not let the statement run. */
export function isRefusal(code: ErrorCode): boolean {
  return REFUSALS.has(code);
}
