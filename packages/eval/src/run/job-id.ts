import type { Jobs, Runner } from '@askema/core';

/** The same on every start and every machine; a further attempt has another one, so that its failure is not found again. */
export function jobId(runId: string, itemId: string, attempt: number): string {
  return `${runId}-${itemId}${attempt === 1 ? '' : `-attempt-${attempt}`}`;
}

/** Closes the runner when the signal fires, or when it is told to; once. One that cannot be closed is no reason to lose what was done. */
export function stopsWith<Known extends Jobs>(
  signal: AbortSignal | undefined,
  runner: Runner<Known>,
): { close(): Promise<void> } {
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= runner.close().catch(() => {});
    return closing;
  };
  const onAbort = (): void => void close();
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  return {
    close() {
      signal?.removeEventListener('abort', onAbort);
      return close();
    },
  };
}
