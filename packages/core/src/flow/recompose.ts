import { AskemaError } from '../errors/askema-error.ts';
import { didYouMean, nearestNames } from '../errors/nearest-names.ts';
import { buildGraph, type ErasedMapping, type FlowGraph, type GraphNode, type InnerFlow } from './flow-graph.ts';
import type { Target } from './routes.ts';
import type { StepOf } from './step.ts';

// Every function of this file returns a new, checked graph and leaves its argument alone; all throw `FLOW_INVALID`.

/** Routes as users write them. */
export type RouteRecord = Readonly<Record<string, Target>>;

/** Puts another part in the place of a node; without routes it keeps those of its own actions. */
export function replaceNode(
  graph: FlowGraph,
  name: string,
  part: GraphNode['part'],
  routes?: RouteRecord | undefined,
  mapping?: ErasedMapping | undefined,
): FlowGraph {
  const old = nodeOf(graph, name);
  const kept = routes === undefined ? [...old.routes].filter(([action]) => part.actions.includes(action)) : routes;
  const replacement = { name, part, routes: toRoutes(kept), ...(mapping === undefined ? {} : { mapping }) };
  return rebuild(
    graph,
    [...graph.nodes.values()].map((node) => (node.name === name ? replacement : node)),
  );
}

/** Puts another inner flow in the place of one. A parallel node keeps how it is joined. */
export function replaceInner(
  graph: FlowGraph,
  name: string,
  inner: InnerFlow,
  mapping?: ErasedMapping | undefined,
): FlowGraph {
  const { part } = nodeOf(graph, name);
  if (part.kind !== 'parallel') return replaceNode(graph, name, inner, undefined, mapping);
  return replaceNode(graph, name, Object.freeze({ ...part, flow: inner }));
}

/** Leaves a node out: what led to it leads to the target of `action`. */
export function withoutNode(graph: FlowGraph, name: string, action: string | undefined): FlowGraph {
  const left = nodeOf(graph, name);
  const [leaving, next] = edgeOf(graph, left, action);
  if (next === name) {
    throw new AskemaError(
      'FLOW_INVALID',
      `Step \`${name}\` cannot be left out by its action \`${leaving}\`: that leads back to it. Name another action.`,
    );
  }
  // A bare end hands on the action that led to it, which would now be another one.
  const target: Target = typeof next === 'string' ? next : { kind: 'end', action: next.action ?? leaving };
  const nodes = [...graph.nodes.values()]
    .filter((node) => node.name !== name)
    .map((node) => retarget(node, name, target));
  if (graph.start !== name) return rebuild(graph, nodes, graph.start);
  if (typeof target === 'string') return rebuild(graph, nodes, target);
  throw new AskemaError(
    'FLOW_INVALID',
    `Step \`${name}\` cannot be left out of flow \`${graph.name}\`: the flow would end before its first step.`,
  );
}

/** Inserts a step on every way into `name`. */
export function insertBefore(
  graph: FlowGraph,
  name: string,
  step: StepOf<never, never>,
  routes?: RouteRecord | undefined,
): FlowGraph {
  nodeOf(graph, name);
  const inserted = { name: step.name, part: step, routes: toRoutes(routes ?? allTo(step, name)) };
  const nodes = [...graph.nodes.values()].flatMap((node) => {
    const moved = retarget(node, name, step.name);
    return node.name === name ? [inserted, moved] : [moved];
  });
  return rebuild(graph, nodes, graph.start === name ? step.name : graph.start);
}

/** Inserts a step on one way out of `name`. */
export function insertAfter(
  graph: FlowGraph,
  name: string,
  step: StepOf<never, never>,
  action: string | undefined,
): FlowGraph {
  const before = nodeOf(graph, name);
  const [on, next] = edgeOf(graph, before, action);
  const target: Target = typeof next === 'string' ? next : { kind: 'end', action: next.action ?? on };
  const inserted = { name: step.name, part: step, routes: toRoutes(allTo(step, target)) };
  const nodes = [...graph.nodes.values()].flatMap((node) =>
    node.name === name ? [{ ...node, routes: new Map([...node.routes, [on, step.name]]) }, inserted] : [node],
  );
  return rebuild(graph, nodes);
}

/** Leads some actions of a node elsewhere. */
export function rerouteNode(graph: FlowGraph, name: string, routes: RouteRecord): FlowGraph {
  nodeOf(graph, name);
  const nodes = [...graph.nodes.values()].map((node) =>
    node.name === name ? { ...node, routes: new Map([...node.routes, ...Object.entries(routes)]) } : node,
  );
  return rebuild(graph, nodes);
}

/** Routes as the graph keeps them. */
export function toRoutes(routes: RouteRecord | readonly (readonly [string, Target])[]): ReadonlyMap<string, Target> {
  return new Map(Array.isArray(routes) ? routes : Object.entries(routes));
}

function rebuild(graph: FlowGraph, nodes: readonly GraphNode[], start: string = graph.start): FlowGraph {
  return buildGraph({ ...graph, nodes, start });
}

function retarget(node: GraphNode, from: string, to: Target): GraphNode {
  if (![...node.routes.values()].includes(from)) return node;
  return {
    ...node,
    routes: new Map([...node.routes].map(([action, target]) => [action, target === from ? to : target])),
  };
}

function allTo(step: StepOf<never, never>, target: Target): RouteRecord {
  return Object.fromEntries(step.actions.map((action) => [action, target]));
}

/** The one way out that is meant: the action named, or the only one there is. */
function edgeOf(
  graph: FlowGraph,
  node: GraphNode,
  action: string | undefined,
): readonly [action: string, target: Target] {
  const actions = node.part.actions;
  const chosen = action ?? (actions.length === 1 ? actions[0] : undefined);
  if (chosen === undefined) {
    throw new AskemaError(
      'FLOW_INVALID',
      `Step \`${node.name}\` of flow \`${graph.name}\` has several actions; name the one that is meant: ${actions.join(', ')}.`,
    );
  }
  const target = node.routes.get(chosen);
  if (target === undefined) {
    throw new AskemaError(
      'FLOW_INVALID',
      `\`${chosen}\` is no action of step \`${node.name}\` (${actions.join(', ')}). ${didYouMean(chosen, actions)}`.trim(),
      { details: { nearestNames: nearestNames(chosen, actions) } },
    );
  }
  return [chosen, target];
}

function nodeOf(graph: FlowGraph, name: string): GraphNode {
  const node = graph.nodes.get(name);
  if (node !== undefined) return node;
  throw new AskemaError(
    'FLOW_INVALID',
    `Flow \`${graph.name}\` has no step \`${name}\`. ${didYouMean(name, graph.nodes.keys())}`.trim(),
    { details: { nearestNames: nearestNames(name, graph.nodes.keys()) } },
  );
}
