import type { EventSink } from '../events/run-event.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { FlowGraph } from './flow-graph.ts';
import type { Journal } from './journal.ts';
import type { ParallelOf } from './parallel-flow.ts';
import type { FinalActions, NoOtherActions, Routes } from './routes.ts';
import type { ActionsOf, FlowNode, StepOf } from './step.ts';

/** The steps of a flow by name, with their full types. */
export type FlowSteps = { readonly [name: string]: FlowNode };

/** What a run is told beside state and dependencies. All of it is optional. */
export interface RunOptions<State = unknown> {
  /** Stops the run with `ABORTED`, promptly, even when a step does not listen. */
  readonly signal?: AbortSignal | undefined;
  /** Made from clock and random when missing. With a journal it must be new. */
  readonly runId?: string | undefined;
  /** Remembers results, so that the run can be resumed, replayed and forked. Without one nothing is encoded or kept. */
  readonly journal?: Journal | undefined;
  /** Receives every event. What it throws is dropped. */
  readonly onEvent?: EventSink | undefined;
  /**
   * Shown the state of the run after each step, those of inner flows included, those of parallel items not, which have
   * states of their own: a run that rejects does so with an error alone, and what it had found until then may still be
   * wanted. The state is the run's own, so only read it. What it throws is dropped.
   */
  readonly onState?: ((state: Readonly<State>) => void) | undefined;
  /** Passed to every call, for query tags and job labels. */
  readonly tags?: Readonly<Record<string, string>> | undefined;
  readonly tenant?: string | undefined;
  /** Clock, sleep, random and logger; what is missing is the system's. */
  readonly runtime?: Partial<Runtime> | undefined;
}

export interface ResumeOptions<State = unknown> extends Omit<RunOptions<State>, 'runId' | 'journal'> {
  readonly journal: Journal;
  /**
   * What `suspend` resolves with. Needed when the run is suspended, not allowed otherwise. Plain data, never undefined.
   */
  readonly answer?: unknown;
}

export interface ReplayOptions<State = unknown> extends Omit<RunOptions<State>, 'runId' | 'journal'> {
  readonly journal: Journal;
}

export interface ForkOptions<State> {
  readonly journal: Journal;
  /** The run that is made. Must be new. */
  readonly newRunId: string;
  /**
   * The first step that is done again: `generate` (its first visit), `generate#2`, or a whole path such as
   * `ask@1/refine#1/refine@1/vote#1` for a step of an inner flow.
   */
  readonly from: string;
  /** Changes the state as that step will find it. Not for steps of an inner flow with a state of its own. */
  readonly edit?: ((state: State) => void) | undefined;
}

/** How a run ended, unless it rejected. */
export type FlowResult<State, Action extends string> =
  | {
      readonly status: 'finished';
      readonly runId: string;
      /** What the flow ended with. */
      readonly action: Action;
      readonly state: State;
      /** Visits of steps, those of inner flows included. */
      readonly steps: number;
      readonly elapsedMs: number;
    }
  | {
      readonly status: 'suspended';
      readonly runId: string;
      /** What `suspend` was called with. */
      readonly request: unknown;
      /** Where: the path of that call. */
      readonly path: string;
      /** As it stood when the step began. */
      readonly state: State;
    };

/**
 * How an inner flow with a state or dependencies of its own is joined to the outer one. Where inner and outer fit, each
 * part may be left out: then both work on the same state. `enter` and `leave` are synchronous and deterministic, like
 * `prep` and `post`.
 */
export type FlowMapping<State, Deps, InnerState, InnerDeps, Action extends string> = (State extends InnerState
  ? Partial<StateMapping<State, InnerState, Action>>
  : StateMapping<State, InnerState, Action>) &
  (Deps extends InnerDeps
    ? { readonly deps?: ((deps: Deps) => InnerDeps) | undefined }
    : { readonly deps: (deps: Deps) => InnerDeps });

interface StateMapping<State, InnerState, Action extends string> {
  /** The inner flow's first state. Copied before use. */
  readonly enter: (state: Readonly<State>) => NoInfer<InnerState>;
  /** Writes what the inner flow found to the outer state. */
  readonly leave: (state: State, inner: Readonly<InnerState>, action: Action) => void;
}

/** A mapping that may be left out where all of its parts may. */
export type MappingArgument<Mapping> =
  Record<never, never> extends Mapping ? [mapping?: Mapping | undefined] : [mapping: Mapping];

/** One of a step's actions; it must be named where the step has several. */
type OneAction<Action extends string> = IsUnion<Action> extends true ? [action: Action] : [action?: Action];

type IsUnion<Type, All = Type> = Type extends All ? ([All] extends [Type] ? false : true) : never;

/** Has no actions but these. */
interface Within<Action extends string> {
  readonly actions: readonly Action[];
}

type With<Steps, Name extends string, Node> = Omit<Steps, Name> & { readonly [Key in Name]: Node };
type NameOf<Steps> = keyof Steps & string;
/** What `replace` takes. */
type NodeOf<State, Deps> = StepOf<State, Deps> | ParallelOf<State, Deps>;

/**
 * What may stand in the place of an inner flow: ends with the same actions or fewer; in a parallel node, over the same
 * state.
 */
type Replacement<Node> = Node extends {
  readonly kind: 'parallel';
  readonly flow: { readonly run: infer Run; readonly actions: infer Actions };
}
  ? { readonly run: Run; readonly actions: Actions }
  : Within<ActionsOf<Node>>;

type JoinArgument<Node, Mapping> = Node extends { readonly kind: 'parallel' } ? [] : MappingArgument<Mapping>;

type Replaced<Node, Inner> = Node extends { readonly kind: 'parallel' }
  ? Omit<Node, 'flow'> & {
      readonly kind: 'parallel';
      readonly name: string;
      readonly actions: readonly ActionsOf<Node>[];
      readonly flow: Inner;
    }
  : Inner;

/**
 * A flow: steps, and where each of their actions leads. An immutable value; the methods that change it return another
 * flow and check it as `build` does (`FLOW_INVALID`). `Action` is what it ends with, `Steps` its steps by name.
 */
export interface Flow<State extends object, Deps, Action extends string, Steps extends FlowSteps = FlowSteps>
  extends FlowNode {
  readonly kind: 'flow';
  readonly name: string;
  /** Raise it when recorded runs should not be resumed with this flow any more. */
  readonly version: number;
  readonly actions: readonly Action[];
  /**
   * Every step as it was given, to be taken apart and used again:
   * `flow.replace('write', { ...flow.steps.write, exec })`.
   */
  readonly steps: Steps;
  /** Steps and routes as data, for diagrams and checks. */
  readonly graph: FlowGraph;

  /**
   * Runs the flow on a copy of `state`, which must be a plain object of plain data.
   *
   * Rejects with `ABORTED`, `FLOW_STEP_LIMIT`, `FLOW_INVALID` (an action without a route), `INPUT_INVALID` (a state or
   * result that is not plain data, a run id that is taken), `JOURNAL_INVALID`, `JOURNAL_LOCKED`, or the error of the
   * step that failed.
   */
  readonly run: (
    state: State,
    deps: Deps,
    options?: RunOptions<State> | undefined,
  ) => Promise<FlowResult<State, Action>>;

  /**
   * Takes a run up where it ended: after a crash, after a failure, or after `suspend` with an `answer`. `prep` and
   * `post` are run again, finished `exec` and `memo` calls are not. A finished run only gives its result again.
   *
   * Rejects as `run`, and with `FLOW_CHANGED` (this is not the flow that was recorded), `FLOW_NOT_DETERMINISTIC` (a
   * `prep` or `post` took a different path), `FLOW_SUSPENDED` (no `answer` was given), `INPUT_INVALID` (no such run, or
   * an answer that nobody asked for).
   */
  readonly resume: (runId: string, deps: Deps, options: ResumeOptions<State>) => Promise<FlowResult<State, Action>>;

  /**
   * Runs `prep` and `post` over the recorded results and calls nothing else: for tests, re-scoring and debugging. A run
   * that failed fails again with the recorded error. Writes nothing.
   *
   * Rejects as `resume`, and with `RECORDING_MISSING` where a result is not in the journal.
   */
  readonly replay: (runId: string, options: ReplayOptions<State>) => Promise<FlowResult<State, Action>>;

  /**
   * Makes a new run that shares the results before `from` with a recorded one; `resume(newRunId, …)` then runs it from
   * there. The flow may have been changed since, as long as the steps before `from` still fit what was recorded. Calls
   * no step.
   *
   * Rejects with `FLOW_CHANGED` (another flow's run), `FLOW_NOT_DETERMINISTIC`, `FLOW_INVALID` (`from` was never
   * reached), `INPUT_INVALID`.
   */
  readonly fork: (
    runId: string,
    options: ForkOptions<State>,
  ) => Promise<{ readonly runId: string; readonly path: string }>;

  /** The same flow under another name, version or step limit. */
  readonly with: (options: {
    readonly name?: string | undefined;
    readonly version?: number | undefined;
    readonly maxSteps?: number | undefined;
  }) => Flow<State, Deps, Action, Steps>;

  /**
   * Puts another step in the place of one; it keeps the old name in the flow, and its actions must be among the old
   * one's.
   */
  replace<Name extends NameOf<Steps>, const New extends NodeOf<State, Deps> & Within<ActionsOf<Steps[Name]>>>(
    name: Name,
    step: New,
  ): Flow<State, Deps, Action, With<Steps, Name, New>>;
  /** Puts another step in the place of one, with routes of its own. */
  replace<
    Name extends NameOf<Steps>,
    const New extends NodeOf<State, Deps>,
    const Given extends Routes<ActionsOf<New>>,
  >(
    name: Name,
    step: New,
    routes: Given & NoOtherActions<Given, ActionsOf<New>>,
  ): Flow<State, Deps, Action | FinalActions<Given>, With<Steps, Name, New>>;

  /**
   * Puts another inner flow in the place of one that ends with the same actions or fewer. A parallel node keeps how it
   * is joined; to change that, replace the node: `flow.replace('threads', { ...flow.steps.threads, concurrency: 1 })`.
   */
  replaceFlow<
    Name extends NameOf<Steps>,
    InnerState extends object,
    InnerDeps,
    InnerAction extends string,
    Inner extends FlowSteps,
  >(
    name: Name,
    flow: Flow<InnerState, InnerDeps, InnerAction, Inner> & Replacement<Steps[Name]>,
    ...mapping: JoinArgument<Steps[Name], FlowMapping<State, Deps, InnerState, InnerDeps, InnerAction>>
  ): Flow<
    State,
    Deps,
    Action,
    With<Steps, Name, Replaced<Steps[Name], Flow<InnerState, InnerDeps, InnerAction, Inner>>>
  >;

  /** Leaves a step out: what led to it now leads where its action led. Name the action when it has several. */
  without<Name extends NameOf<Steps>>(
    name: Name,
    ...action: OneAction<ActionsOf<Steps[Name]>>
  ): Flow<State, Deps, Action, Omit<Steps, Name>>;

  /** Inserts a step in front of another: all that led there leads to the new step, and all its actions lead on. */
  before<const New extends StepOf<State, Deps>>(
    name: NameOf<Steps>,
    step: New,
  ): Flow<State, Deps, Action, With<Steps, New['name'], New>>;
  /** Inserts a step in front of another, with routes of its own. */
  before<const New extends StepOf<State, Deps>, const Given extends Routes<ActionsOf<New>>>(
    name: NameOf<Steps>,
    step: New,
    routes: Given & NoOtherActions<Given, ActionsOf<New>>,
  ): Flow<State, Deps, Action | FinalActions<Given>, With<Steps, New['name'], New>>;

  /** Inserts a step behind another, on the way that `action` names; all its actions lead where that way led. */
  after<Name extends NameOf<Steps>, const New extends StepOf<State, Deps>>(
    name: Name,
    step: New,
    ...action: OneAction<ActionsOf<Steps[Name]>>
  ): Flow<State, Deps, Action, With<Steps, New['name'], New>>;

  /** Leads some actions of a step elsewhere. */
  reroute<Name extends NameOf<Steps>, const Given extends Partial<Routes<ActionsOf<Steps[Name]>>>>(
    name: Name,
    routes: Given & NoOtherActions<Given, ActionsOf<Steps[Name]>>,
  ): Flow<State, Deps, Action | FinalActions<Given>, Steps>;
}
