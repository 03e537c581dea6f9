import { AsyncLocalStorage } from 'node:async_hooks';
import type { Caller } from '../contract.ts';

/**
 * For whom something runs. A database that is open is shared by callers of one tenant and role, so whoever counts and
 * writes down below it has to be told from above.
 */
export interface CurrentRequest {
  readonly requestId: string;
  readonly caller: Caller;
  /** `POST /v1/ask`; `POST /mcp` for all tools. */
  readonly route: string;
  /** The question that is being answered. */
  question?: string | undefined;
}

const storage = new AsyncLocalStorage<CurrentRequest>();

/** Runs `work`, and all that it starts, for a request. */
export function forRequest<T>(request: CurrentRequest, work: () => T): T {
  return storage.run(request, work);
}

/** The request that this runs for; undefined for work of the server's own. */
export function currentRequest(): CurrentRequest | undefined {
  return storage.getStore();
}

/** Runs `work`, and all that it starts, for the server itself: no caller is counted for it. */
export function forServer<T>(work: () => T): T {
  return storage.exit(work);
}
