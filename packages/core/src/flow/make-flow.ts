import type { Flow, FlowSteps, ForkOptions, ReplayOptions, ResumeOptions, RunOptions } from './flow.ts';
import { buildGraph, type ErasedMapping, type FlowGraph, finalActionsOf, type InnerFlow } from './flow-graph.ts';
import { forkRun } from './fork-run.ts';
import type { ParallelPart } from './parallel-flow.ts';
import {
  insertAfter,
  insertBefore,
  type RouteRecord,
  replaceInner,
  replaceNode,
  rerouteNode,
  withoutNode,
} from './recompose.ts';
import { replayRun, resumeRun, startRun } from './start-run.ts';
import type { StepOf } from './step.ts';

type AnyStep = StepOf<never, never>;

/** A checked graph as the value that users hold. What the methods promise stands in {@link Flow}. */
export function makeFlow<State extends object, Deps, Action extends string, Steps extends FlowSteps>(
  graph: FlowGraph,
): Flow<State, Deps, Action, Steps> {
  const flow = {
    kind: 'flow' as const,
    name: graph.name,
    version: graph.version,
    actions: finalActionsOf(graph),
    steps: Object.freeze(Object.fromEntries([...graph.nodes.values()].map((node) => [node.name, node.part]))),
    graph,
    run: (state: State, deps: Deps, options?: RunOptions<State>) => startRun(graph, state, deps, options),
    resume: (runId: string, deps: Deps, options: ResumeOptions<State>) => resumeRun(graph, runId, deps, options),
    replay: (runId: string, options: ReplayOptions<State>) => replayRun(graph, runId, options),
    fork: (runId: string, options: ForkOptions<State>) => forkRun(graph, runId, options),
    with: (options: Partial<Pick<FlowGraph, 'name' | 'version' | 'maxSteps'>>) =>
      makeFlow(
        buildGraph({
          ...graph,
          nodes: [...graph.nodes.values()],
          name: options.name ?? graph.name,
          version: options.version ?? graph.version,
          maxSteps: options.maxSteps ?? graph.maxSteps,
        }),
      ),
    replace: (name: string, step: AnyStep | ParallelPart<InnerFlow>, routes?: RouteRecord) =>
      makeFlow(replaceNode(graph, name, step, routes)),
    replaceFlow: (name: string, inner: InnerFlow, mapping?: ErasedMapping) =>
      makeFlow(replaceInner(graph, name, inner, mapping)),
    without: (name: string, action?: string) => makeFlow(withoutNode(graph, name, action)),
    before: (name: string, step: AnyStep, routes?: RouteRecord) => makeFlow(insertBefore(graph, name, step, routes)),
    after: (name: string, step: AnyStep, action?: string) => makeFlow(insertAfter(graph, name, step, action)),
    reroute: (name: string, routes: RouteRecord) => makeFlow(rerouteNode(graph, name, routes)),
  };
  return Object.freeze(flow) as unknown as Flow<State, Deps, Action, Steps>;
}
