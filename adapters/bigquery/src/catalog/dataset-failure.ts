import { type ErrorCode, isAskemaError } from '@askema/core';

const REASON_CHARACTERS = 300;

/** Failures of the call or of the adapter, not of one dataset. */
const GENERAL: ReadonlySet<string> = new Set<ErrorCode>([
  'ABORTED',
  'QUERY_TIMEOUT',
  'DATABASE_CLOSED',
  'DEPENDENCY_MISSING',
  'CONFIG_INVALID',
  'INTERNAL',
]);

/** True for what ends the whole introspection: an abort, the deadline, a closed adapter, and what is no error of a database at all. */
export function isGeneral(error: unknown): boolean {
  return !isAskemaError(error) || GENERAL.has(error.code);
}

/** What a gap says of a failure: its first line. */
export function reasonOf(error: unknown): string {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return line.length > REASON_CHARACTERS ? `${line.slice(0, REASON_CHARACTERS)}…` : line;
}
