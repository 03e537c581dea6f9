import type { CallContext, Memo, MemoOptions } from '../context/call-context.ts';
import { type AskemaError, abortedError, isAskemaError, toAskemaError } from '../errors/askema-error.ts';
import type { CallStore } from './call-store.ts';
import { hashText } from './hash-value.ts';

/** One attempt at an exec, as its memo calls see it. */
export interface MemoHost {
  readonly store: CallStore;
  /** Set when the attempt is over: late calls must neither run nor be recorded. */
  ended: boolean;
  /** The context for the calls of a scope. */
  context(scope: MemoScope): CallContext;
  /** Waits until it is the turn of a finished call; see {@link createTurns}. */
  turn(order: number): Promise<void>;
}

/** What happened below an exec or a memo call, to tell whose fault a failure is. */
export interface MemoScope {
  readonly path: string;
  /** Of the idempotency keys: how often this scope and those around it were renewed. */
  readonly generation: number;
  /** Finished calls were used here. */
  used: boolean;
  /** What calls here rejected with. */
  failures: Set<unknown> | undefined;
}

export function createMemoScope(path: string, generation: number): MemoScope {
  return { path, generation, used: false, failures: undefined };
}

/**
 * The `memo` of one scope. Calls are numbered by name (and key) in the order in which they are made; calls inside a
 * call are numbered below it.
 *
 * When a call fails by its own fault, the calls finished below it are forgotten: trying again with the same answers
 * would fail the same way. When the error came up from a call below, or is marked retryable, they are kept: only what
 * failed is repeated.
 */
export function createMemo(host: MemoHost, scope: MemoScope): Memo {
  let counters: Map<string, number> | undefined;
  return async <T>(name: string, call: (context: CallContext) => Promise<T>, options?: MemoOptions): Promise<T> => {
    const base = `${scope.path}/${callName(name, host.store.isForgetful ? undefined : options?.key)}`;
    counters ??= new Map();
    const count = (counters.get(base) ?? 0) + 1;
    counters.set(base, count);
    const path = `${base}#${count}`;
    throwIfEnded(host, path);
    const known = host.store.call(path);
    if (known !== undefined) {
      await host.turn(known.order);
      throwIfEnded(host, path);
      scope.used = true;
      return known.value() as T;
    }
    const inner = createMemoScope(path, scope.generation + host.store.renewals(path));
    let value: T;
    try {
      value = await call(host.context(inner));
    } catch (error) {
      scope.failures ??= new Set();
      scope.failures.add(error);
      if (!host.ended && isOwnFault(inner, error)) await host.store.recordFailure(path, toAskemaError(error), true);
      throw error;
    }
    throwIfEnded(host, path);
    await host.store.recordCall(path, value);
    scope.used = true;
    return value;
  };
}

/** True when repeating with the same finished calls would be of no use. */
export function isOwnFault(scope: MemoScope, error: unknown): boolean {
  return scope.used && !scope.failures?.has(error) && !(isAskemaError(error) && error.retryable);
}

/** The error of work that goes on after its attempt is over. */
export function endedError(path: string): AskemaError {
  return abortedError(`The call \`${path}\``);
}

/**
 * Hands out finished calls one by one, in the order in which they finished when they ran: concurrent branches that make
 * further calls then make them in the same order again.
 */
export function createTurns(): (order: number) => Promise<void> {
  const queue: { readonly order: number; readonly resolve: () => void }[] = [];
  const next = (): void => {
    queue.sort((a, b) => a.order - b.order);
    queue.shift()?.resolve();
    if (queue.length > 0) setImmediate(next);
  };
  return (order) =>
    new Promise((resolve) => {
      queue.push({ order, resolve });
      if (queue.length === 1) setImmediate(next);
    });
}

function throwIfEnded(host: MemoHost, path: string): void {
  if (host.ended) throw endedError(path);
}

/** Names may be anything; the marks that divide paths are escaped. */
function callName(name: string, key: string | undefined): string {
  const safe = name.replace(/[%/#~\s]/g, (character) => encodeURIComponent(character).replace('~', '%7E'));
  return key === undefined ? safe : `${safe}~${hashText(key)}`;
}
