import { AskemaError, isSerializedError, type SerializedError, toAskemaError } from '@askema/core';

/**
 * What a job failed with, in the form in which DBOS stores it: the words where its own tools look for them, and the
 * whole error beside them.
 */
export class JobError extends Error {
  override readonly name = 'JobError';
  readonly askema: SerializedError;

  constructor(thrown: unknown) {
    const error = toAskemaError(thrown);
    super(`${error.code}: ${error.message}`);
    this.askema = error.toJSON();
    // The stack is of this process alone and may hold paths of it.
    this.stack = `${this.name}: ${this.message}`;
  }
}

/** The error of a job as it comes back from the database. */
export function readJobError(stored: unknown, id: string): AskemaError {
  const json = (stored as { readonly askema?: unknown } | null)?.askema;
  if (isSerializedError(json)) return AskemaError.fromJSON(json);
  const message = stored instanceof Error ? stored.message : String(stored);
  return new AskemaError('INTERNAL', `Job \`${id}\` failed: ${message}`);
}
