import { randomUUID } from 'node:crypto';
import { type CallContext, createCallContext } from '@askema/core';

/**
 * The context of a reading that others will wait for, too. It stands below the call that began it, so that a trace shows
 * who waited first; it does not end with that call, and what comes back for it is never taken from an earlier reading of
 * the same run.
 */
export function sharedContext(asker: CallContext, name: string, signal: AbortSignal | undefined): CallContext {
  return createCallContext({
    runId: asker.runId,
    path: `${asker.path}/${name}`,
    idempotencyKey: `${name}-${randomUUID()}`,
    signal,
  });
}
