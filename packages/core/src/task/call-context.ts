/**
 * What accompanies every call of a model, a solver or an adapter: who asks, under which path of the run, and how it is
 * stopped. Adapters turn it into query tags and job labels.
 */
export interface CallContext {
  readonly runId: string;
  /** Where in the run: `flow@version/step#visit/item/call#n`. */
  readonly path: string;
  /** The same call repeated after a crash carries the same key, so that a vendor can recognise it. */
  readonly idempotencyKey: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly tenant?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /**
   * Runs `call` once for this run and journals its result under `name`: a resumed or replayed run gets the recorded result
   * without calling again. Absent outside of a flow. The result must survive {@link encodeValue}.
   */
  readonly memo?: (<T>(name: string, call: (context: CallContext) => Promise<T>) => Promise<T>) | undefined;
  /** Receives progress of this call, for traces. Absent when nobody listens. */
  readonly emit?: ((event: CallEvent) => void) | undefined;
}

/** Something that happened inside a call: a model answered, a statement ran. `data` is small plain JSON, never rows or prompts. */
export interface CallEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

let counter = 0;

/** A context for a call outside of any flow. */
export function createCallContext(options: Partial<CallContext> = {}): CallContext {
  counter += 1;
  const runId = options.runId ?? `call-${Date.now().toString(36)}-${counter}`;
  const path = options.path ?? 'call';
  return {
    ...options,
    runId,
    path,
    idempotencyKey: options.idempotencyKey ?? `${runId}/${path}`,
    tags: options.tags ?? {},
  };
}
