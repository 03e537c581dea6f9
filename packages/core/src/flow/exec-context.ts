import type { CallContext, CallEvent, Memo } from '../context/call-context.ts';
import type { Runtime } from '../ports/runtime.ts';
import { createMemo, type MemoHost, type MemoScope } from './memo.ts';
import type { Run } from './run.ts';
import type { StepContext } from './step.ts';

/** The attempt that a context belongs to. */
export interface ContextHost extends MemoHost {
  readonly run: Run;
  readonly signal: AbortSignal;
  emit(path: string, event: CallEvent): void;
}

/**
 * What is given to the callback of a `memo` call. Every property is its own, so that `{ ...context }` has them all;
 * functions can be taken out of it.
 *
 * All contexts share one getter of `signal`. A getter of each context's own (`get signal()` in an object literal) would
 * give each a hidden class of its own, which the engine keeps until its next full collection: measured, that was half
 * the time of a step.
 */
export class MemoCallContext implements CallContext {
  static readonly #SIGNAL: PropertyDescriptor = {
    enumerable: true,
    configurable: true,
    get(this: MemoCallContext) {
      return this.#host.signal;
    },
  };

  readonly #host: ContextHost;
  readonly runId: string;
  readonly path: string;
  readonly idempotencyKey: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly tenant: string | undefined;
  declare readonly signal: AbortSignal;
  readonly memo: Memo;
  readonly emit: (event: CallEvent) => void;

  constructor(host: ContextHost, scope: MemoScope) {
    const { run } = host;
    const { path } = scope;
    this.#host = host;
    this.runId = run.runId;
    this.path = path;
    this.idempotencyKey = idempotencyKey(run.runId, path, scope.generation);
    this.tags = run.tags;
    this.tenant = run.tenant;
    this.memo = createMemo(host, scope);
    this.emit = (event) => host.emit(path, event);
    Object.defineProperty(this, 'signal', MemoCallContext.#SIGNAL);
  }
}

/** What `exec` and `fallback` are given. */
export class ExecContext extends MemoCallContext implements StepContext<never> {
  readonly deps: never;
  readonly attempt: number;
  readonly runtime: Runtime;
  readonly suspend: StepContext['suspend'];

  constructor(
    host: ContextHost,
    scope: MemoScope,
    own: { readonly deps: unknown; readonly attempt: number; readonly suspend: StepContext['suspend'] },
  ) {
    super(host, scope);
    this.deps = own.deps as never;
    this.attempt = own.attempt;
    this.runtime = host.run.runtime;
    this.suspend = own.suspend;
  }
}

/** A call that was renewed is another call: the vendor must not answer it with the old result. */
function idempotencyKey(runId: string, path: string, generation: number): string {
  return generation === 0 ? `${runId}/${path}` : `${runId}/${path}~${generation + 1}`;
}
