import { AskemaError } from '../errors/askema-error.ts';
import { checkActions, checkName, isConcurrency } from './define-step.ts';
import type { Flow, FlowSteps } from './flow.ts';
import type { FlowNode, PostResult } from './step.ts';

/**
 * How one item of a parallel node ended. `state` is the item's own, as its last finished step left it: also an item
 * that failed or was stopped may have found something.
 */
export type EndedItem<State, Action extends string> = {
  /** Its place in what `enter` returned, from 0. */
  readonly item: number;
  readonly state: Readonly<State>;
} & (
  | { readonly status: 'finished'; readonly action: Action }
  /** Only with `onError: 'collect'`. */
  | { readonly status: 'failed'; readonly error: AskemaError }
  /** It ran or waited when `enough` said so. */
  | { readonly status: 'stopped' }
);

/**
 * How the items of a parallel node are made, bounded, ended early and gathered. All functions are synchronous and
 * deterministic.
 */
export type ParallelOptions<
  State,
  Deps,
  Action extends string,
  InnerState,
  InnerDeps,
  InnerAction extends string,
> = ParallelSettings<State, Deps, Action, InnerState, InnerAction> &
  (Deps extends InnerDeps
    ? { readonly deps?: ((deps: Deps) => InnerDeps) | undefined }
    : { readonly deps: (deps: Deps) => InnerDeps });

interface ParallelSettings<State, Deps, Action extends string, InnerState, InnerAction extends string> {
  /** What `leave` can return. Without it the only action is `default`, and `leave` need not return anything. */
  readonly actions?: readonly Action[] | undefined;
  /** One state per item; each is copied before use. None at all is allowed. */
  readonly enter: (state: Readonly<State>) => readonly NoInfer<InnerState>[];
  /**
   * Writes what the items found to the outer state. `ended` has every item, in the order of `enter`. What it throws
   * fails the node: when the run is resumed, items that finished stay as they are, and those that failed go on from
   * their last recorded result.
   */
  readonly leave: (state: State, ended: readonly EndedItem<InnerState, InnerAction>[]) => PostResult<NoInfer<Action>>;
  /** How many items run at once; all of them by default. The function is not called by replays. */
  readonly concurrency?: number | ((deps: Deps) => number) | undefined;
  /**
   * Asked after each item that finished or failed, as long as others have not ended: true stops those that run, through
   * their signal, and those that wait. `ended` is in the order in which they ended; `items` is how many there are in
   * all.
   */
  readonly enough?: ((ended: readonly EndedItem<InnerState, InnerAction>[], items: number) => boolean) | undefined;
  /**
   * `fail` (the default): the first item that fails stops the others and fails the node. `collect`: it only ends
   * itself, and `leave` sees its error, also `BUDGET_EXCEEDED`. That is final when `leave` has returned; before that, a
   * resume of the failed run tries the item again. The caller's abort, errors of the journal and `FLOW_INVALID` always
   * fail the node.
   */
  readonly onError?: 'fail' | 'collect' | undefined;
}

/**
 * An inner flow that runs once per item, as a step of the outer one: what `.parallel` adds, and `flow.steps.name` gives
 * back. A plain value: `flow.replace('threads', { ...flow.steps.threads, concurrency: 1 })`.
 */
export interface ParallelFlow<
  State,
  Deps,
  Name extends string,
  Action extends string,
  InnerState extends object,
  InnerDeps,
  InnerAction extends string,
  InnerSteps extends FlowSteps,
> extends FlowNode,
    Omit<ParallelSettings<State, Deps, Action, InnerState, InnerAction>, 'actions'> {
  readonly kind: 'parallel';
  readonly name: Name;
  readonly actions: readonly Action[];
  readonly deps?: ((deps: Deps) => InnerDeps) | undefined;
  /** What each item runs: `outer.replaceFlow('threads', outer.steps.threads.flow.without('explore'))`. */
  readonly flow: Flow<InnerState, InnerDeps, InnerAction, InnerSteps>;
}

/** Any parallel node that works on (a part of) this state with (a part of) these dependencies. */
export interface ParallelOf<State, Deps> extends FlowNode {
  readonly kind: 'parallel';
  readonly enter: (state: Readonly<State>) => readonly object[];
  readonly leave: (state: State, ended: never) => unknown;
  readonly deps?: ((deps: Deps) => unknown) | undefined;
  readonly concurrency?: number | ((deps: Deps) => number) | undefined;
  readonly enough?: ((ended: never, items: number) => boolean) | undefined;
  readonly onError?: 'fail' | 'collect' | undefined;
  readonly flow: FlowNode;
}

/** A parallel node, as the graph sees it. */
export interface ParallelPart<Inner extends FlowNode = FlowNode> extends ParallelOf<never, never> {
  readonly flow: Inner;
}

/** The options of a parallel node, their types forgotten. */
export type ErasedParallelOptions = Omit<ParallelOf<never, never>, keyof FlowNode | 'flow'> & {
  readonly actions?: readonly string[] | undefined;
};

export function makeParallel<Inner extends FlowNode>(
  name: string,
  flow: Inner,
  options: ErasedParallelOptions,
): ParallelPart<Inner> {
  return Object.freeze({ ...options, kind: 'parallel' as const, name, flow, actions: options.actions ?? ['default'] });
}

/**
 * Checks what the types cannot.
 *
 * @throws AskemaError `FLOW_INVALID`.
 */
export function checkParallel(part: ParallelPart): void {
  checkName('Step', part.name);
  const { concurrency = 1, onError = 'fail' } = part;
  const problem =
    checkActions(part.actions) ??
    (typeof part.enter !== 'function' || typeof part.leave !== 'function'
      ? 'is parallel without `enter` or `leave`; give both'
      : typeof concurrency === 'number' && !isConcurrency(concurrency)
        ? `has concurrency ${concurrency}; it is a whole number from 1, or Infinity`
        : onError !== 'fail' && onError !== 'collect'
          ? `has onError \`${String(onError)}\`; it is \`fail\` or \`collect\``
          : undefined);
  if (problem !== undefined) throw new AskemaError('FLOW_INVALID', `Step \`${part.name}\` ${problem}.`);
}

/**
 * How many items may run at once.
 *
 * @throws AskemaError `CONFIG_INVALID` when the dependencies say something that is not a number of items.
 */
export function concurrencyOf(part: ParallelPart, deps: unknown): number {
  const { concurrency = Number.POSITIVE_INFINITY } = part;
  const chosen = typeof concurrency === 'function' ? concurrency(deps as never) : concurrency;
  if (isConcurrency(chosen)) return chosen;
  throw new AskemaError(
    'CONFIG_INVALID',
    `Step \`${part.name}\` was given concurrency ${String(chosen)}; it is a whole number from 1, or Infinity.`,
  );
}
