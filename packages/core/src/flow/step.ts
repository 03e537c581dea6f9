import type { CallContext, CallEvent, Memo } from '../context/call-context.ts';
import type { AskemaError } from '../errors/askema-error.ts';
import type { Runtime } from '../ports/runtime.ts';

/** What `exec` is given beside its input: everything that is not data. It never holds the state. */
export interface StepContext<Deps = unknown> extends CallContext {
  /** Databases, models, options: what the caller of `flow.run` passed. */
  readonly deps: Deps;
  /** Which try of this call it is, from 1. Every call counts its own tries. */
  readonly attempt: number;
  /** Clock, sleep, random and logger of the run. */
  readonly runtime: Runtime;
  /**
   * Fires when the caller aborts, when this attempt has failed, when another item of the same batch or parallel step
   * failed, or when `enough` stopped the item.
   */
  readonly signal: AbortSignal;
  readonly memo: Memo;
  readonly emit: (event: CallEvent) => void;
  /**
   * Ends the run as `suspended` until somebody answers with `flow.resume(runId, deps, { journal, answer })`. Then the
   * step runs again from its beginning, finished `memo` calls are not repeated, and this promise resolves with the
   * answer. Until then it rejects with `FLOW_SUSPENDED`: let that pass.
   *
   * `request` is plain data for whoever answers. When it differs from the recorded one on resume, the run stops with
   * `FLOW_NOT_DETERMINISTIC`, because the answer was given to another question.
   */
  readonly suspend: <Answer = unknown>(request: unknown) => Promise<Answer>;
}

/** What `post` may use beside state and result: a way to tell listeners what it has decided. */
export interface PostContext {
  /** True when the result came from the journal: this `post` ran before, and told then. */
  readonly replayed: boolean;
  readonly emit: (event: CallEvent) => void;
}

/** How often one call of `exec` is tried, and how long it waits in between. */
export interface RetryPolicy {
  /** All tries, the first one included; at least 1. */
  readonly attempts: number;
  /** Wait before the second try; 0 by default. A vendor's own `retryAfterMs` prolongs it. */
  readonly delayMs?: number | undefined;
  /** Each further wait is this many times the one before; 2 by default. */
  readonly factor?: number | undefined;
  /** Which errors are tried again. By default those that are `retryable`; a foreign error (`INTERNAL`) is not. */
  readonly when?: ((error: AskemaError) => boolean) | undefined;
}

/** What a flow routes: a step, a batch step, a flow inside a flow, or one that runs once per item. */
export interface FlowNode {
  readonly kind: 'step' | 'batch' | 'flow' | 'parallel';
  readonly name: string;
  /** What it can end with; each needs a route. */
  readonly actions: readonly string[];
}

/** The actions of a step or flow, as a union of literals. */
export type ActionsOf<Node> = Node extends { readonly actions: readonly (infer Action extends string)[] }
  ? Action
  : never;

/** What `post` may return: one of the actions; nothing at all where the only action is `default`. */
// biome-ignore lint/suspicious/noConfusingVoidType: a function without a return statement returns void, and is meant to be allowed.
export type PostResult<Action extends string> = [Action] extends ['default'] ? 'default' | void : Action;

/** Made by `defineStep`. A plain value: `{ ...step, retry: { attempts: 3 } }` is another step. */
export interface Step<State, Deps, Name extends string, Action extends string, Input, Output> extends FlowNode {
  readonly kind: 'step';
  readonly name: Name;
  readonly actions: readonly Action[];
  /** Undefined only where `Input` is. */
  readonly prep: ((state: Readonly<State>) => Input) | undefined;
  readonly exec: (input: Input, context: StepContext<Deps>) => Output | Promise<Output>;
  readonly fallback?:
    | ((input: Input, error: AskemaError, context: StepContext<Deps>) => Output | Promise<Output>)
    | undefined;
  readonly post: (state: State, input: Input, result: Output) => PostResult<Action>;
  readonly retry?: RetryPolicy | undefined;
}

/**
 * Made by `defineBatchStep`: `exec` and `fallback` run once per item, `post` sees all results in the order of the
 * items.
 */
export interface BatchStep<State, Deps, Name extends string, Action extends string, Item, Output> extends FlowNode {
  readonly kind: 'batch';
  readonly name: Name;
  readonly actions: readonly Action[];
  readonly prep: (state: Readonly<State>) => readonly Item[];
  readonly exec: (item: Item, context: StepContext<Deps>) => Output | Promise<Output>;
  readonly fallback?:
    | ((item: Item, error: AskemaError, context: StepContext<Deps>) => Output | Promise<Output>)
    | undefined;
  readonly post: (state: State, items: readonly Item[], results: readonly Output[]) => PostResult<Action>;
  readonly retry?: RetryPolicy | undefined;
  /** How many items run at once; 1 by default. */
  readonly concurrency?: number | undefined;
}

/** Any step or batch step that works on (a part of) this state with (a part of) these dependencies. */
export interface StepOf<State, Deps> extends FlowNode {
  readonly kind: 'step' | 'batch';
  readonly prep?: ((state: Readonly<State>) => unknown) | undefined;
  readonly exec: (input: never, context: StepContext<Deps>) => unknown;
  readonly fallback?: ((input: never, error: AskemaError, context: StepContext<Deps>) => unknown) | undefined;
  /** The engine passes `context`; it is optional so that a `post` can be called by hand. */
  readonly post: (state: State, input: never, result: never, context?: PostContext) => unknown;
  readonly retry?: RetryPolicy | undefined;
  readonly concurrency?: number | undefined;
}
