import { AskemaError } from '../errors/askema-error.ts';
import type { BatchStep, PostResult, RetryPolicy, Step, StepContext, StepOf } from './step.ts';

/** What {@link defineStep} takes. */
export interface StepDefinition<State, Deps, Name extends string, Action extends string, Input, Output> {
  /** Unique in its flow; stands in paths and routes. No blanks and none of `/ # @ %`. */
  readonly name: Name;
  /** What `post` can return. Without it the only action is `default`, and `post` need not return anything. */
  readonly actions?: readonly Action[] | undefined;
  /** Reads what `exec` needs from the state. Synchronous and deterministic: it is run again on every resume. */
  readonly prep?: ((state: Readonly<State>) => Input) | undefined;
  /**
   * Does the work. May be retried. Its result is journaled, so it must survive `encodeValue` when there is a journal.
   */
  readonly exec: (input: Input, context: StepContext<Deps>) => Output | Promise<Output>;
  /** Gives a result in place of the error when all attempts have failed. */
  readonly fallback?:
    | ((
        input: NoInfer<Input>,
        error: AskemaError,
        context: StepContext<Deps>,
      ) => NoInfer<Output> | Promise<NoInfer<Output>>)
    | undefined;
  /**
   * Writes the result to the state and says where to go. Synchronous and deterministic: it is run again on every
   * resume.
   */
  readonly post: (state: State, input: NoInfer<Input>, result: NoInfer<Output>) => PostResult<NoInfer<Action>>;
  /** One attempt by default. */
  readonly retry?: RetryPolicy | undefined;
}

/** An `exec` that wants an input needs a `prep` that gives it one. */
export type PrepNeeded<State, Input> = undefined extends Input
  ? unknown
  : { readonly prep: ((state: Readonly<State>) => unknown) | undefined };

/** What {@link defineBatchStep} takes; see {@link StepDefinition}. */
export interface BatchStepDefinition<State, Deps, Name extends string, Action extends string, Item, Output> {
  readonly name: Name;
  readonly actions?: readonly Action[] | undefined;
  /** The items. */
  readonly prep: (state: Readonly<State>) => readonly Item[];
  /** Runs once per item, each with a path, attempts and a journal entry of its own. */
  readonly exec: (item: Item, context: StepContext<Deps>) => Output | Promise<Output>;
  readonly fallback?:
    | ((
        item: NoInfer<Item>,
        error: AskemaError,
        context: StepContext<Deps>,
      ) => NoInfer<Output> | Promise<NoInfer<Output>>)
    | undefined;
  /** All results, in the order of the items. */
  readonly post: (
    state: State,
    items: readonly NoInfer<Item>[],
    results: readonly NoInfer<Output>[],
  ) => PostResult<NoInfer<Action>>;
  /** Per item. */
  readonly retry?: RetryPolicy | undefined;
  /** How many items run at once; 1 by default: one after another. */
  readonly concurrency?: number | undefined;
}

/**
 * Defines a step: `prep` reads the state, `exec` computes without seeing it, `post` writes and returns an action.
 * Called in two parts, so that the state is named and everything else is inferred:
 *
 * ```ts
 * const generate = defineStep<State, Deps>()({
 *   name: 'generate',
 *   actions: ['written', 'unclear'],
 *   prep: (state) => state.question,
 *   exec: (question, context) => context.deps.write(question, context),
 *   post: (state, _question, sql) => {
 *     state.sql = sql;
 *     return sql === '' ? 'unclear' : 'written';
 *   },
 *   retry: { attempts: 3, delayMs: 500 },
 * });
 * ```
 *
 * @throws AskemaError `FLOW_INVALID` for a name that paths cannot carry, no actions, a repeated action, or fewer than
 * one attempt.
 */
export function defineStep<State extends object, Deps = unknown>() {
  return <const Name extends string, Output, Input = undefined, const Action extends string = 'default'>(
    definition: StepDefinition<State, Deps, Name, Action, Input, Output> & PrepNeeded<State, NoInfer<Input>>,
  ): Step<State, Deps, Name, Action, Input, Output> => {
    const step: Step<State, Deps, Name, Action, Input, Output> = {
      ...definition,
      kind: 'step',
      prep: definition.prep,
      actions: definition.actions ?? DEFAULT_ACTIONS,
    };
    checkStep(step);
    return Object.freeze(step);
  };
}

/**
 * Defines a step whose `exec` runs once per item that `prep` returns. The first item that fails stops those that wait,
 * aborts those that run, and fails the step.
 *
 * @throws AskemaError `FLOW_INVALID` as {@link defineStep}, and for a concurrency below 1.
 */
export function defineBatchStep<State extends object, Deps = unknown>() {
  return <const Name extends string, Item, Output, const Action extends string = 'default'>(
    definition: BatchStepDefinition<State, Deps, Name, Action, Item, Output>,
  ): BatchStep<State, Deps, Name, Action, Item, Output> => {
    const step: BatchStep<State, Deps, Name, Action, Item, Output> = {
      ...definition,
      kind: 'batch',
      actions: definition.actions ?? DEFAULT_ACTIONS,
    };
    checkStep(step);
    return Object.freeze(step);
  };
}

/** Typed as whatever union it stands for: without `actions` the parameter is inferred as `default`. */
const DEFAULT_ACTIONS = Object.freeze(['default']) as readonly never[];

/**
 * Checks what the types cannot. Flows call it again, because a step is a plain value that people spread.
 *
 * @throws AskemaError `FLOW_INVALID`.
 */
export function checkStep(step: StepOf<never, never>): void {
  checkName('Step', step.name);
  const { attempts, delayMs = 0, factor = 1 } = step.retry ?? { attempts: 1 };
  const problem =
    checkActions(step.actions) ??
    (!Number.isInteger(attempts) || attempts < 1
      ? `has retry.attempts ${attempts}; it counts all tries, so the least is 1`
      : !(delayMs >= 0) || !(factor >= 0)
        ? `has retry.delayMs ${delayMs} and factor ${factor}; neither may be negative`
        : !isConcurrency(step.concurrency ?? 1)
          ? `has concurrency ${step.concurrency}; it is a whole number from 1, or Infinity`
          : undefined);
  if (problem !== undefined) throw new AskemaError('FLOW_INVALID', `Step \`${step.name}\` ${problem}.`);
}

/** What is wrong with a step's actions, as the rest of a sentence; undefined when nothing is. */
export function checkActions(actions: readonly string[]): string | undefined {
  if (actions.length === 0) return 'has no actions; name at least one, or leave `actions` out for `default`';
  // Most steps have one action only.
  const isTwice = actions.length > 1 && new Set(actions).size < actions.length;
  return isTwice ? `names an action twice: ${actions.join(', ')}` : undefined;
}

/** Names stand in paths such as `flow@1/step#2/call#1`, so they may not hold the marks that divide those. */
export function checkName(what: string, name: string): void {
  if (typeof name === 'string' && /^[^\s/#@%]+$/.test(name)) return;
  throw new AskemaError(
    'FLOW_INVALID',
    `${what} name \`${name}\` cannot stand in a path; use letters, digits, \`-\`, \`_\` or \`.\`.`,
  );
}

/** A number of things that may run at once. */
export function isConcurrency(concurrency: number): boolean {
  return concurrency >= 1 && (Number.isInteger(concurrency) || concurrency === Number.POSITIVE_INFINITY);
}
