import { AskemaError } from '../errors/askema-error.ts';
import { didYouMean, nearestNames } from '../errors/nearest-names.ts';
import { callBatch, callExec, type ExecCall } from './call-exec.ts';
import { clonePlain, isPlainObject } from './clone-plain.ts';
import { type FlowGraph, type GraphNode, type InnerFlow, stepLimitOf } from './flow-graph.ts';
import type { ParallelPart } from './parallel-flow.ts';
import { type Run, StopPoint, Suspension, throwIfStopped } from './run.ts';
import type { RunSpan } from './run-events.ts';
import { runParallel } from './run-parallel.ts';
import type { PostContext, StepOf } from './step.ts';
import { synchronously } from './synchronously.ts';
import { stepError } from './try-exec.ts';

/** Where in a run something happens. */
interface Place {
  readonly node: GraphNode;
  readonly path: string;
  readonly visit: number;
  readonly span: RunSpan | undefined;
}

/** The path of a flow: `name@version`, below the step that it stands in. */
export function flowPath(graph: FlowGraph, outer?: string): string {
  const own = `${graph.name}@${graph.version}`;
  return outer === undefined ? own : `${outer}/${own}`;
}

/** Runs a flow from its start to an end on this very state, and returns the action it ends with. */
export async function runGraph(
  run: Run,
  graph: FlowGraph,
  state: object,
  deps: unknown,
  path: string,
  span: RunSpan | undefined,
): Promise<string> {
  const limit = stepLimitOf(graph);
  const visits = new Map<string, number>();
  let name = graph.start;
  for (let steps = 1; ; steps += 1) {
    throwIfStopped(run);
    if (steps > limit) throw stepLimitError(graph, limit, visits);
    const node = graph.nodes.get(name) as GraphNode;
    const visit = (visits.get(name) ?? 0) + 1;
    visits.set(name, visit);
    const stepPath = `${path}/${name}#${visit}`;
    if (run.stopAt === stepPath) throw new StopPoint(stepPath, state);
    const edit = run.recorder?.edit(stepPath);
    if (edit !== undefined) overwrite(state, edit.state);
    const place = { node, path: stepPath, visit, span: run.events?.open(stepPath, span) };
    const action = await (run.events === undefined ? runPart : visitNode)(run, place, state, deps);
    run.steps += 1;
    const target = node.routes.get(action);
    if (target === undefined) throw unroutedError(graph, node, action);
    run.recorder?.step(stepPath, action);
    run.showState?.();
    if (typeof target !== 'string') return target.action ?? action;
    name = target;
  }
}

/** Runs the step or inner flow at a place, and tells the listeners. */
async function visitNode(run: Run, place: Place, state: object, deps: unknown): Promise<string> {
  const { node, span, visit } = place;
  const { events } = run;
  if (events === undefined || span === undefined) return runPart(run, place, state, deps);
  const step = node.name;
  const startedAt = events.now();
  const liveBefore = run.live;
  events.emit(span, { type: 'step-started', step, visit });
  try {
    const action = await runPart(run, place, state, deps);
    const replayed = run.resumed && run.live === liveBefore;
    events.emit(span, { type: 'step-finished', step, action, elapsedMs: events.now() - startedAt, replayed });
    return action;
  } catch (thrown) {
    if (thrown instanceof Suspension || thrown instanceof StopPoint) throw thrown;
    const error = stepError(thrown, step, 'exec');
    events.emit(span, { type: 'step-failed', step, error: error.toJSON(), elapsedMs: events.now() - startedAt });
    throw error;
  }
}

function runPart(run: Run, place: Place, state: object, deps: unknown): Promise<string> {
  const { part } = place.node;
  if (part.kind === 'flow') return runInner(run, place, part, state, deps);
  return part.kind === 'parallel' ? runItems(run, place, part, state, deps) : runStep(run, place, part, state, deps);
}

async function runStep(
  run: Run,
  place: Place,
  step: StepOf<never, never>,
  state: object,
  deps: unknown,
): Promise<string> {
  const { path, span } = place;
  const { name } = place.node;
  const liveBefore = run.live;
  const input = synchronously(name, 'prep', () => step.prep?.(state as never));
  const call: ExecCall = { run, step, name, path, span, deps, scope: run.scope, input, attempts: 0 };
  const result = step.kind === 'batch' ? await callBatch(call, itemsOf(name, input)) : await callExec(call);
  const context: PostContext = {
    replayed: run.resumed && run.live === liveBefore,
    emit: ({ type, data }) => run.events?.emit(run.events.open(path, span), { type: 'call', call: type, data }),
  };
  const action = synchronously(name, 'post', () => step.post(state as never, input as never, result as never, context));
  return (action ?? 'default') as string;
}

async function runInner(run: Run, place: Place, flow: InnerFlow, state: object, deps: unknown): Promise<string> {
  const { mapping, name } = place.node;
  const { enter, leave } = mapping ?? {};
  const inner = enter === undefined ? state : synchronously(name, 'prep', () => enter(state as never));
  const own = enter === undefined ? state : clonePlain(inner as object, `The state of flow \`${flow.graph.name}\``);
  const given = innerDeps(run, mapping?.deps, deps);
  const action = await runGraph(run, flow.graph, own, given, flowPath(flow.graph, place.path), place.span);
  if (leave !== undefined) synchronously(name, 'post', () => leave(state as never, own as never, action as never));
  return action;
}

async function runItems(
  run: Run,
  place: Place,
  part: ParallelPart<InnerFlow>,
  state: object,
  deps: unknown,
): Promise<string> {
  const { path, span } = place;
  const { name } = place.node;
  const { graph } = part.flow;
  const given = innerDeps(run, part.deps, deps);
  const ended = await runParallel({
    run,
    part,
    name,
    path,
    deps,
    enter: () => part.enter(state as never),
    runItem: (itemRun, own, itemPath) => runGraph(itemRun, graph, own, given, flowPath(graph, itemPath), span),
  });
  try {
    return (synchronously(name, 'leave', () => part.leave(state as never, ended as never)) ?? 'default') as string;
  } catch (thrown) {
    // What it has written until then is all that is left of the items.
    run.showState?.();
    throw thrown;
  }
}

/** A pass that only reads the journal has no dependencies, and calls nobody who would want them. */
function innerDeps(run: Run, mapping: ((deps: never) => unknown) | undefined, deps: unknown): unknown {
  if (mapping === undefined || run.recorder?.readOnly) return deps;
  return mapping(deps as never);
}

function itemsOf(step: string, input: unknown): readonly unknown[] {
  if (Array.isArray(input)) return input;
  throw new AskemaError(
    'FLOW_INVALID',
    `Batch step \`${step}\` prepared ${input === null ? 'null' : `a value of type ${typeof input}`}; its prep returns the array of items.`,
  );
}

/** Gives a state other contents, in place: outer and inner flows may share it. */
function overwrite(state: object, contents: unknown): void {
  if (!isPlainObject(contents)) return;
  for (const key of Object.keys(state)) delete (state as Record<string, unknown>)[key];
  Object.assign(state, contents);
}

function unroutedError(graph: FlowGraph, node: GraphNode, action: unknown): AskemaError {
  const actions = node.part.actions;
  const name = String(action);
  return new AskemaError(
    'FLOW_INVALID',
    `Step \`${node.name}\` of flow \`${graph.name}\` returned \`${name}\`, which is none of its actions (${actions.join(', ')}). ${didYouMean(name, actions)}`.trim(),
    { details: { nearestNames: nearestNames(name, actions) } },
  );
}

function stepLimitError(graph: FlowGraph, limit: number, visits: ReadonlyMap<string, number>): AskemaError {
  const most = [...visits].sort((a, b) => b[1] - a[1]).slice(0, 3);
  const loop = most.map(([step, count]) => `\`${step}\` ${count} times`).join(', ');
  return new AskemaError(
    'FLOW_STEP_LIMIT',
    `Flow \`${graph.name}\` was stopped after ${limit} steps: it visited ${loop}. End the loop, or raise \`maxSteps\`.`,
  );
}
