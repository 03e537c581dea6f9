import { AskemaError, isAskemaError, toAskemaError } from '../errors/askema-error.ts';
import type { CallContext, CallEvent } from '../task/call-context.ts';
import type { ExecCall } from './call-exec.ts';
import type { CallStore } from './call-store.ts';
import { CancelScope } from './cancel-scope.ts';
import {
  createMemo,
  createMemoScope,
  createTurns,
  endedError,
  isOwnFault,
  type MemoHost,
  type MemoScope,
} from './memo.ts';
import { Suspension, throwIfStopped } from './run.ts';
import type { StepContext } from './step.ts';

/** How one attempt ended; a run that is suspended or stopped throws instead. */
export type AttemptOutcome =
  | { readonly ok: true; readonly value: unknown }
  | { readonly ok: false; readonly error: AskemaError; readonly renew: boolean };

/** Runs `work` once, under a context that is dead when the attempt is over. */
export async function tryExec(
  call: ExecCall,
  store: CallStore,
  path: string,
  attempt: number,
  work: (context: StepContext<never>) => unknown,
): Promise<AttemptOutcome> {
  const scope = createMemoScope(path, store.renewals(path));
  const cancel = new CancelScope(call.scope);
  const host = createHost(call, store, cancel);
  const suspend = createSuspend(call, host, path);
  const context = createStepContext(call, host, scope, attempt, suspend.suspend);
  try {
    const returned = work(context);
    const value = isThenable(returned)
      ? await (call.run.cancellable ? call.scope.guard(returned) : returned)
      : returned;
    if (suspend.requested !== undefined) await suspend.requested;
    throwIfStopped(call.run, call.scope);
    return { ok: true, value };
  } catch (thrown) {
    throwIfStopped(call.run, call.scope);
    if (suspend.here && call.run.suspension !== undefined) throw call.run.suspension;
    const error = stepError(thrown, call.name, 'exec');
    return { ok: false, error, renew: isOwnFault(scope, thrown) };
  } finally {
    host.ended = true;
    cancel.abandon(() => endedError(path));
  }
}

/** The parts of a step, and of how an inner flow is joined to the outer one. */
export type Phase = 'prep' | 'exec' | 'post' | 'enter' | 'leave' | 'enough';

/** What a step threw, as an AskemaError that says where. */
export function stepError(thrown: unknown, step: string, phase: Phase): AskemaError {
  if (isAskemaError(thrown) || !(thrown instanceof Error) || thrown.name === 'AbortError') return toAskemaError(thrown);
  return new AskemaError('INTERNAL', `Step \`${step}\` failed in ${phase}: ${thrown.message}`, { cause: thrown });
}

export function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && typeof (value as { then?: unknown }).then === 'function';
}

type Host = MemoHost & { readonly cancel: CancelScope; readonly emit: (path: string, event: CallEvent) => void };

function createHost(call: ExecCall, store: CallStore, cancel: CancelScope): Host {
  const { run } = call;
  let turn: MemoHost['turn'] | undefined;
  const host: Host = {
    store,
    cancel,
    ended: false,
    turn: (order) => {
      turn ??= createTurns();
      return turn(order);
    },
    context: (path, generation, scope) => createCallContext(call, host, path, generation, scope),
    emit: (path, event) => {
      if (run.events === undefined) return;
      run.events.emit(run.events.open(path, call.span), { type: 'call', call: event.type, data: event.data });
    },
  };
  return host;
}

function createCallContext(
  call: ExecCall,
  host: Host,
  path: string,
  generation: number,
  scope: MemoScope,
): CallContext {
  const { run } = call;
  return {
    runId: run.runId,
    path,
    idempotencyKey: idempotencyKey(run.runId, path, generation),
    tags: run.tags,
    tenant: run.tenant,
    get signal() {
      return host.cancel.signal;
    },
    memo: createMemo(host, scope),
    emit: (event) => host.emit(path, event),
  };
}

function createStepContext(
  call: ExecCall,
  host: Host,
  scope: MemoScope,
  attempt: number,
  suspend: StepContext['suspend'],
): StepContext<never> {
  const { run } = call;
  const { path } = scope;
  return {
    runId: run.runId,
    path,
    idempotencyKey: idempotencyKey(run.runId, path, scope.generation),
    tags: run.tags,
    tenant: run.tenant,
    deps: call.deps as never,
    attempt,
    runtime: run.runtime,
    get signal() {
      return host.cancel.signal;
    },
    memo: createMemo(host, scope),
    emit: (event) => host.emit(path, event),
    suspend,
  };
}

/** A call that was renewed is another call: the vendor must not answer it with the old result. */
function idempotencyKey(runId: string, path: string, generation: number): string {
  return generation === 0 ? `${runId}/${path}` : `${runId}/${path}~${generation + 1}`;
}

interface Suspending {
  readonly suspend: StepContext['suspend'];
  /** True when this attempt asked for an answer that is not there: whatever it returns no longer counts. */
  here: boolean;
  requested: Promise<unknown> | undefined;
}

function createSuspend(call: ExecCall, host: MemoHost, path: string): Suspending {
  const { run } = call;
  let count = 0;
  const ask = async (at: string, request: unknown): Promise<unknown> => {
    const { recorder } = run;
    if (host.ended) throw endedError(at);
    if (recorder === undefined) throw journalMissing(call.name);
    const answer = recorder.answer(at, request);
    if (answer !== undefined) return answer.value;
    // A run waits for one answer at a time; a second request is made again when the first is answered.
    if (run.suspension === undefined) {
      run.suspension = new Suspension(at, request);
      try {
        await recorder.recordRequest(at, request);
      } catch (thrown) {
        run.suspension = undefined;
        throw thrown;
      }
    }
    suspending.here = true;
    throw new AskemaError('FLOW_SUSPENDED', `Step \`${call.name}\` waits for an answer; let this error pass.`);
  };
  const suspending: Suspending = {
    here: false,
    requested: undefined,
    suspend: <Answer>(request: unknown) => {
      count += 1;
      const asked = ask(`${path}/suspend#${count}`, request);
      asked.catch(() => {});
      suspending.requested = asked;
      return asked as Promise<Answer>;
    },
  };
  return suspending;
}

function journalMissing(step: string): AskemaError {
  return new AskemaError(
    'CONFIG_INVALID',
    `Step \`${step}\` asks for an answer, but the run has no journal to be resumed from; pass \`journal: memoryJournal()\` or another one.`,
  );
}
