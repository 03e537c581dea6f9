import { AskemaError } from '@askema/core';
import type { ProcessFailure } from '../process/requests.ts';

/** Makes the error of a failure that is not the engine's. @param byName how the engine writes a parameter: `:name`. */
export function processFailureError(failure: ProcessFailure, sql: string | undefined, byName: string): AskemaError {
  switch (failure.kind) {
    case 'refused':
      return new AskemaError(failure.code, failure.message, { details: { sql } });
    case 'parameters':
      return new AskemaError(
        'QUERY_FAILED',
        `The parameters do not fit the statement: ${failure.message}. Give one value for each \`?\`, or an object with one key for each \`${byName}\`.`,
        { details: { sql, errorClass: 'other' } },
      );
    case 'internal':
      return new AskemaError('INTERNAL', `An unexpected error in the database's process: ${failure.message}`, {
        details: { sql },
      });
  }
}
