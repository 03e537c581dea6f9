import type { Failure } from '../protocol.ts';

/** Carries a failure out of the depth of a request to the one place that answers it. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** The code of an error of SQLite (`SQLITE_BUSY`, …); undefined for every other error. */
export function sqliteCode(thrown: unknown): string | undefined {
  const code = thrown instanceof Error ? (thrown as { readonly code?: unknown }).code : undefined;
  return typeof code === 'string' && code.startsWith('SQLITE_') ? code : undefined;
}
