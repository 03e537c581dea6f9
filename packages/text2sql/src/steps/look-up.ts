import { type AskemaError, toAskemaError } from '@askema/core';

/**
 * What a look-up gives, or why it failed: it is an aid, so the run goes on.
 *
 * @throws AskemaError `ABORTED`.
 */
export async function lookUp<T>(work: () => Promise<T>): Promise<T | AskemaError> {
  try {
    return await work();
  } catch (thrown) {
    const error = toAskemaError(thrown);
    if (error.code === 'ABORTED') throw error;
    return error;
  }
}

/** For the person who asked. */
export function lookUpWarning({ message }: AskemaError): string {
  return `Values of conditions could not be looked up: ${message}`;
}
