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
   * Runs `call` once for this run and journals its result under `name`: a resumed or replayed run gets the recorded
   * result without calling again. Absent outside of a flow. The result must survive {@link encodeValue}. Make calls
   * that belong to `call` through the context that it gets: they are numbered below it, whatever else runs at the same
   * time.
   */
  readonly memo?: Memo | undefined;
  /** Receives progress of this call, for traces. Absent when nobody listens. */
  readonly emit?: ((event: CallEvent) => void) | undefined;
}

/** See {@link CallContext.memo}. Rejects with what `call` rejects with; a call that rejected is not recorded. */
export type Memo = <T>(
  name: string,
  call: (context: CallContext) => Promise<T>,
  options?: MemoOptions | undefined,
) => Promise<T>;

export interface MemoOptions {
  /**
   * What the result depends on, as text: the request, for a model call. Calls of one name are told apart by it, so that
   * a recorded result is only ever given to a call that asks the same. Without it, calls of one name are numbered in
   * the order in which they are made, and that order must be the same whenever the step runs. It is only read where
   * results are remembered: in a run with a journal, in a step that is tried again.
   */
  readonly key?: string | undefined;
}

/**
 * Something that happened inside a call: a model answered, a statement ran. `data` is small plain JSON, never rows or
 * prompts.
 */
export interface CallEvent {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * A context for a call outside of any flow. Its run id is unique, also among processes: vendors take the idempotency
 * key that is made from it for the identity of a request.
 */
export function createCallContext(options: Partial<CallContext> = {}): CallContext {
  const runId = options.runId ?? `call-${globalThis.crypto.randomUUID()}`;
  const path = options.path ?? 'call';
  return {
    ...options,
    runId,
    path,
    idempotencyKey: options.idempotencyKey ?? `${runId}/${path}`,
    tags: options.tags ?? {},
  };
}
