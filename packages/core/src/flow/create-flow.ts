import type { Flow, FlowMapping, FlowSteps, MappingArgument } from './flow.ts';
import { buildGraph, type ErasedMapping, type GraphNode, type InnerFlow } from './flow-graph.ts';
import { makeFlow } from './make-flow.ts';
import { type ErasedParallelOptions, makeParallel, type ParallelFlow, type ParallelOptions } from './parallel-flow.ts';
import { type RouteRecord, toRoutes } from './recompose.ts';
import type { FinalActions, NoOtherActions, Routes } from './routes.ts';
import type { ActionsOf, StepOf } from './step.ts';

export interface FlowOptions {
  /** Stands in paths and journals. */
  readonly name: string;
  /** A whole number; 1 by default. */
  readonly version?: number | undefined;
  /**
   * Visits of steps before the run stops with `FLOW_STEP_LIMIT`; 100 by default, or the number of steps where that is
   * more.
   */
  readonly maxSteps?: number | undefined;
}

/** A flow in the making. Each method returns another builder; the one it was called on stays as it is. */
export interface FlowBuilder<State extends object, Deps, Steps extends FlowSteps, Final extends string> {
  /**
   * Adds a step, under its own name. The first one is the start. `routes` says for each of its actions where to go: the
   * name of a step, also of one that is added later, `end`, or `end('action')`.
   */
  step<const Added extends StepOf<State, Deps>, const Given extends Routes<ActionsOf<Added>>>(
    step: Added,
    routes: Given & NoOtherActions<Given, ActionsOf<Added>>,
  ): FlowBuilder<State, Deps, Steps & { readonly [Name in Added['name']]: Added }, Final | FinalActions<Given>>;

  /**
   * Adds a whole flow as one step. Its routes are for the actions it can end with. `mapping` joins it where its state
   * or dependencies are others than those of this flow.
   */
  flow<
    const Name extends string,
    InnerState extends object,
    InnerDeps,
    InnerAction extends string,
    InnerSteps extends FlowSteps,
    const Given extends Routes<InnerAction>,
  >(
    name: Name,
    flow: Flow<InnerState, InnerDeps, InnerAction, InnerSteps>,
    routes: Given & NoOtherActions<Given, InnerAction>,
    ...mapping: MappingArgument<FlowMapping<State, Deps, InnerState, InnerDeps, InnerAction>>
  ): FlowBuilder<
    State,
    Deps,
    Steps & { readonly [Key in Name]: Flow<InnerState, InnerDeps, InnerAction, InnerSteps> },
    Final | FinalActions<Given>
  >;

  /**
   * Adds a whole flow as one step that runs once per item, several items at once, each on a state of its own. `leave`
   * sees how all of them ended and returns the action.
   *
   * ```ts
   * .parallel('threads', thread, { default: 'vote' }, {
   *   enter: (state) => [1, 2, 3].map((sample) => ({ question: state.question, sample })),
   *   leave: (state, ended) => {
   *     state.candidates = ended.flatMap((thread) => thread.state.sql ?? []);
   *   },
   *   enough: (ended) => agreed(ended),
   *   onError: 'collect',
   * })
   * ```
   */
  parallel<
    const Name extends string,
    InnerState extends object,
    InnerDeps,
    InnerAction extends string,
    InnerSteps extends FlowSteps,
    const Given extends Routes<Action>,
    const Action extends string = 'default',
  >(
    name: Name,
    flow: Flow<InnerState, InnerDeps, InnerAction, InnerSteps>,
    routes: Given & NoOtherActions<Given, Action>,
    options: ParallelOptions<State, Deps, Action, InnerState, InnerDeps, InnerAction>,
  ): FlowBuilder<
    State,
    Deps,
    Steps & {
      readonly [Key in Name]: ParallelFlow<State, Deps, Key, Action, InnerState, InnerDeps, InnerAction, InnerSteps>;
    },
    Final | FinalActions<Given>
  >;

  /**
   * Checks the whole and makes the flow.
   *
   * @throws AskemaError `FLOW_INVALID`: no steps, two of one name, a target that does not exist (with the nearest
   * name), a step that nothing leads to, an action without a route, a route without an action.
   */
  build(): Flow<State, Deps, Final, Steps>;
}

/**
 * Begins a flow over one state and one set of dependencies.
 *
 * ```ts
 * const ask = createFlow<State, Deps>({ name: 'ask' })
 *   .step(write, { written: 'execute', unclear: end })
 *   .step(execute, { done: end, failed: 'repair' })
 *   .step(repair, { default: 'execute' })
 *   .build();
 * const result = await ask.run({ question }, { model, adapter });
 * ```
 */
export function createFlow<State extends object, Deps = unknown>(
  options: FlowOptions,
): FlowBuilder<State, Deps, Record<never, never>, never> {
  return createBuilder(options, undefined) as FlowBuilder<State, Deps, Record<never, never>, never>;
}

/** The nodes added so far, last one first: adding one costs the same however many there are. */
interface Added {
  readonly node: GraphNode;
  readonly before: Added | undefined;
}

function createBuilder(options: FlowOptions, added: Added | undefined): unknown {
  const add = (node: GraphNode): unknown => createBuilder(options, { node, before: added });
  return Object.freeze({
    step: (step: StepOf<never, never>, routes: RouteRecord) =>
      add({ name: step.name, part: step, routes: toRoutes(routes) }),
    flow: (name: string, flow: InnerFlow, routes: RouteRecord, mapping?: ErasedMapping) =>
      add({ name, part: flow, routes: toRoutes(routes), ...(mapping === undefined ? {} : { mapping }) }),
    parallel: (name: string, flow: InnerFlow, routes: RouteRecord, options: ErasedParallelOptions) =>
      add({ name, part: makeParallel(name, flow, options), routes: toRoutes(routes) }),
    build: () => {
      const nodes: GraphNode[] = [];
      for (let item = added; item !== undefined; item = item.before) nodes.push(item.node);
      nodes.reverse();
      const { name, version = 1, maxSteps } = options;
      return makeFlow(buildGraph({ name, version, maxSteps, start: nodes[0]?.name, nodes }));
    },
  });
}
