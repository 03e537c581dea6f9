import type { ErrorClass, InspectionFinding, SerializedError } from '@askema/core';
import { ERROR_ADVICE } from '../tasks/error-advice.ts';

const ADVICE = 'Write the statement so that the database accepts it.';

/** An error of the database as a finding about the whole statement. */
export function engineFinding(error: SerializedError, sql: string): InspectionFinding {
  const { nearestNames } = error.details;
  const errorClass: ErrorClass | undefined =
    error.details.errorClass ?? (error.code === 'QUERY_TIMEOUT' ? 'timeout' : undefined);
  return {
    code: 'engine-error',
    severity: 'error',
    message: error.message,
    advice: (errorClass === undefined ? undefined : ERROR_ADVICE[errorClass]) ?? ADVICE,
    span: { start: 0, end: sql.length },
    ...(nearestNames === undefined ? {} : { nearestNames }),
  };
}
