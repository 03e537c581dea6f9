import type { CallContext, CallEvent } from '../context/call-context.ts';
import { AskemaError, abortedError, isAskemaError, toAskemaError } from '../errors/askema-error.ts';
import type { ExecCall } from './call-exec.ts';
import type { CallStore } from './call-store.ts';
import { CancelScope } from './cancel-scope.ts';
import { type ContextHost, ExecContext, MemoCallContext } from './exec-context.ts';
import { createMemoScope, createTurns, endedError, isOwnFault, type MemoHost, type MemoScope } from './memo.ts';
import { type Run, Suspension, throwIfStopped } from './run.ts';
import type { StepContext } from './step.ts';

/**
 * Runs `work` once, under a context that is dead when the attempt is over. What it threw is recorded, and `onFailure`
 * decides what comes then; a run that is suspended or stopped throws instead.
 */
export async function tryExec(
  call: ExecCall,
  store: CallStore,
  path: string,
  work: (context: StepContext<never>) => unknown,
  onFailure: (error: AskemaError) => unknown,
): Promise<unknown> {
  const { run } = call;
  const scope = createMemoScope(path, store.renewals(path));
  const host = new Attempt(call, store, path);
  let error: AskemaError;
  let renew: boolean;
  const suspend = <Answer>(request: unknown): Promise<Answer> => host.suspend(request) as Promise<Answer>;
  try {
    const returned = work(new ExecContext(host, scope, { deps: call.deps, attempt: call.attempts, suspend }));
    const value = isThenable(returned) ? await (run.cancellable ? call.scope.guard(returned) : returned) : returned;
    if (host.requested !== undefined) await host.requested;
    throwIfStopped(run, call.scope);
    return value;
  } catch (thrown) {
    throwIfStopped(run, call.scope);
    if (host.isWaiting && run.waiting.suspension !== undefined) throw run.waiting.suspension;
    error = stepError(thrown, call.name, 'exec');
    renew = isOwnFault(scope, thrown);
  } finally {
    host.end();
  }
  await store.recordFailure(path, error, renew);
  return onFailure(error);
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

/** Why a call stops that its step has left behind. One for all: to make an error takes long, and few read this one. */
let attemptOver: AskemaError | undefined;

/** One attempt at an exec. What most attempts never ask for is made when it is first asked for. */
class Attempt implements ContextHost {
  readonly store: CallStore;
  ended = false;
  /** The last request for an answer. */
  requested: Promise<unknown> | undefined;
  /** True when this attempt asked for an answer that is not there: whatever it returns no longer counts. */
  isWaiting = false;
  readonly #call: ExecCall;
  readonly #path: string;
  #cancel: CancelScope | undefined;
  #turn: MemoHost['turn'] | undefined;
  #requests = 0;

  constructor(call: ExecCall, store: CallStore, path: string) {
    this.#call = call;
    this.store = store;
    this.#path = path;
  }

  get run(): Run {
    return this.#call.run;
  }

  /** Of its own: it also fires when the attempt is over. */
  get signal(): AbortSignal {
    this.#cancel ??= new CancelScope(this.#call.scope);
    return this.#cancel.signal;
  }

  turn(order: number): Promise<void> {
    this.#turn ??= createTurns();
    return this.#turn(order);
  }

  context(scope: MemoScope): CallContext {
    return new MemoCallContext(this, scope);
  }

  emit(path: string, event: CallEvent): void {
    const { run, span } = this.#call;
    if (run.events === undefined) return;
    run.events.emit(run.events.open(path, span), { type: 'call', call: event.type, data: event.data });
  }

  suspend(request: unknown): Promise<unknown> {
    this.#requests += 1;
    const asked = this.#ask(`${this.#path}/suspend#${this.#requests}`, request);
    asked.catch(() => {});
    this.requested = asked;
    return asked;
  }

  end(): void {
    this.ended = true;
    this.#cancel?.abandon(() => {
      attemptOver ??= abortedError('A call of a step that is over');
      return attemptOver;
    });
  }

  async #ask(at: string, request: unknown): Promise<unknown> {
    const { run, name } = this.#call;
    const { recorder, waiting } = run;
    if (this.ended) throw endedError(at);
    if (recorder === undefined) throw journalMissing(name);
    const answer = recorder.answer(at, request);
    if (answer !== undefined) return answer.value;
    // A run waits for one answer at a time; a second request is made again when the first is answered.
    if (waiting.suspension === undefined) {
      waiting.suspension = new Suspension(at, request);
      try {
        await recorder.recordRequest(at, request);
      } catch (thrown) {
        waiting.suspension = undefined;
        throw thrown;
      }
    }
    this.isWaiting = true;
    throw new AskemaError('FLOW_SUSPENDED', `Step \`${name}\` waits for an answer; let this error pass.`);
  }
}

function journalMissing(step: string): AskemaError {
  return new AskemaError(
    'CONFIG_INVALID',
    `Step \`${step}\` asks for an answer, but the run has no journal to be resumed from; pass \`journal: memoryJournal()\` or another one.`,
  );
}
