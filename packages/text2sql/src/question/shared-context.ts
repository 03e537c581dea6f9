import { randomUUID } from 'node:crypto';
import { type CallContext, createCallContext } from '@askema/core';

/**
 * The context of a reading whose result others use, too. Its path is below the call that began it, so that a trace
 * shows who asked first. It does not end with that call, and its key is its own: a database never answers it with an
 * earlier reading of the same run.
 */
export function sharedContext(asker: CallContext, name: string, signal: AbortSignal | undefined): CallContext {
  return createCallContext({
    runId: asker.runId,
    path: `${asker.path}/${name}`,
    idempotencyKey: `${name}-${randomUUID()}`,
    signal,
  });
}
