import { AskemaError } from '../errors/askema-error.ts';
import { didYouMean, nearestNames } from '../errors/nearest-names.ts';
import { checkName, checkStep } from './define-step.ts';
import { hashText } from './hash-value.ts';
import { checkParallel, type ParallelPart } from './parallel-flow.ts';
import type { Target } from './routes.ts';
import type { FlowNode, StepOf } from './step.ts';

/** A flow inside a flow, as the graph sees it. */
export interface InnerFlow extends FlowNode {
  readonly kind: 'flow';
  readonly graph: FlowGraph;
}

/** The mapping of an inner flow, its types forgotten. */
export interface ErasedMapping {
  readonly enter?: ((state: never) => object) | undefined;
  readonly leave?: ((state: never, inner: never, action: never) => void) | undefined;
  readonly deps?: ((deps: never) => unknown) | undefined;
}

/**
 * A place in a flow. Its name is what routes and paths use; the step in it may be called otherwise after a `replace`.
 */
export interface GraphNode {
  readonly name: string;
  readonly part: StepOf<never, never> | InnerFlow | ParallelPart<InnerFlow>;
  readonly routes: ReadonlyMap<string, Target>;
  readonly mapping?: ErasedMapping | undefined;
}

/** A whole flow as data: what `build` has checked. */
export interface FlowGraph {
  readonly name: string;
  readonly version: number;
  /** Visits of steps before a run of this flow stops with `FLOW_STEP_LIMIT`; an inner flow counts as one. */
  readonly maxSteps: number | undefined;
  readonly start: string;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  /**
   * Of all that decides where a run goes: steps, actions, routes, inner flows. Not of what steps compute. Made when
   * first asked for.
   */
  readonly hash: () => string;
}

/**
 * Visits of steps that a flow without `maxSteps` allows; a flow with more steps than that is allowed one visit of each.
 */
const DEFAULT_MAX_STEPS = 100;

/** What {@link buildGraph} checks. */
export interface GraphDraft {
  readonly name: string;
  readonly version: number;
  readonly maxSteps?: number | undefined;
  /** Undefined only when there are no nodes. */
  readonly start: string | undefined;
  readonly nodes: readonly GraphNode[];
}

/**
 * Checks a flow: names, duplicate steps, a target for every action and none for others, targets that exist, every step
 * reachable.
 *
 * @throws AskemaError `FLOW_INVALID`, with the nearest name where one is misspelt.
 */
export function buildGraph(draft: GraphDraft): FlowGraph {
  checkName('Flow', draft.name);
  if (!Number.isInteger(draft.version) || draft.version < 0) {
    throw invalid(draft, `has version ${draft.version}; it is a whole number from 0`);
  }
  const { maxSteps } = draft;
  if (maxSteps !== undefined && !(maxSteps >= 1)) throw invalid(draft, `has maxSteps ${maxSteps}; the least is 1`);
  if (draft.start === undefined) throw invalid(draft, 'has no steps; add one with `.step(step, routes)`');
  const nodes = new Map<string, GraphNode>();
  for (const node of draft.nodes) {
    if (nodes.has(node.name)) {
      throw invalid(draft, `has two steps named \`${node.name}\`; give one of them another name`);
    }
    nodes.set(node.name, node);
  }
  for (const node of draft.nodes) checkNode(draft, node, nodes);
  checkReachable(draft, draft.start, nodes);
  const { name, version, start } = draft;
  let hash: string | undefined;
  return Object.freeze({
    name,
    version,
    maxSteps,
    start,
    nodes,
    hash: () => {
      hash ??= hashGraph(name, version, start, nodes);
      return hash;
    },
  });
}

/** See {@link FlowGraph.maxSteps}. */
export function stepLimitOf(graph: FlowGraph): number {
  return graph.maxSteps ?? Math.max(DEFAULT_MAX_STEPS, graph.nodes.size);
}

/** The actions that the flow can end with, in the order of its steps. */
export function finalActionsOf(graph: FlowGraph): readonly string[] {
  const actions = new Set<string>();
  for (const node of graph.nodes.values()) {
    for (const [action, target] of node.routes) {
      if (typeof target !== 'string') actions.add(target.action ?? action);
    }
  }
  return [...actions];
}

/** The flow in a node, where there is one. */
function innerFlowOf(node: GraphNode): InnerFlow | undefined {
  if (node.part.kind === 'flow') return node.part;
  return node.part.kind === 'parallel' ? node.part.flow : undefined;
}

function hashGraph(name: string, version: number, start: string, nodes: FlowGraph['nodes']): string {
  const lines = [...nodes.values()]
    .map((node) => [
      node.name,
      node.part.kind,
      node.part.name,
      innerFlowOf(node)?.graph.hash() ?? '',
      [...node.routes]
        .map(([action, target]) => [
          action,
          typeof target === 'string' ? `step ${target}` : `end ${target.action ?? action}`,
        ])
        .sort(byFirst),
    ])
    .sort(byFirst);
  return hashText(JSON.stringify([name, version, start, lines]));
}

function byFirst(a: readonly unknown[], b: readonly unknown[]): number {
  const [left, right] = [String(a[0]), String(b[0])];
  return left < right ? -1 : left > right ? 1 : 0;
}

function checkNode(draft: GraphDraft, node: GraphNode, nodes: ReadonlyMap<string, GraphNode>): void {
  checkName('Step', node.name);
  const { part } = node;
  if (part.kind === 'parallel') checkParallel(part);
  else if (part.kind !== 'flow') checkStep(part);
  if (node.mapping !== undefined && (node.mapping.enter === undefined) !== (node.mapping.leave === undefined)) {
    throw invalid(draft, `maps only one way into \`${node.name}\`; give both \`enter\` and \`leave\`, or neither`);
  }
  for (const action of part.actions) {
    if (!node.routes.has(action)) {
      throw invalid(
        draft,
        `has no route for action \`${action}\` of \`${node.name}\`; lead it to a step or to \`end\``,
      );
    }
  }
  for (const [action, target] of node.routes) {
    if (!part.actions.includes(action)) {
      throw invalid(
        draft,
        `routes \`${action}\`, which is no action of \`${node.name}\` (${part.actions.join(', ')}). ${didYouMean(action, part.actions)}`,
        nearestNames(action, part.actions),
      );
    }
    if (typeof target === 'string' && !nodes.has(target)) {
      throw invalid(
        draft,
        `leads action \`${action}\` of \`${node.name}\` to \`${target}\`, which is no step of it. ${didYouMean(target, nodes.keys())}`,
        nearestNames(target, nodes.keys()),
      );
    }
    if (typeof target !== 'string' && target?.kind !== 'end') {
      throw invalid(
        draft,
        `leads action \`${action}\` of \`${node.name}\` nowhere; a target is a step's name or \`end\``,
      );
    }
  }
}

function checkReachable(draft: GraphDraft, start: string, nodes: ReadonlyMap<string, GraphNode>): void {
  if (!nodes.has(start)) throw invalid(draft, `starts with \`${start}\`, which is no step of it`);
  const reached = new Set([start]);
  for (const name of reached) {
    for (const target of nodes.get(name)?.routes.values() ?? []) if (typeof target === 'string') reached.add(target);
  }
  const lost = [...nodes.keys()].filter((name) => !reached.has(name));
  if (lost.length > 0) {
    const names = lost.map((name) => `\`${name}\``).join(', ');
    throw invalid(draft, `never reaches ${names}; lead an action there, or leave it out`);
  }
}

function invalid(draft: { readonly name: string }, problem: string, names: readonly string[] = []): AskemaError {
  const text = `Flow \`${draft.name}\` ${problem.trim()}`;
  return new AskemaError('FLOW_INVALID', /[.?]$/.test(text) ? text : `${text}.`, {
    details: names.length === 0 ? {} : { nearestNames: names },
  });
}
