import { abortedError, isAskemaError, toAskemaError } from '../errors/askema-error.ts';
import type { Runtime } from '../ports/runtime.ts';
import { CancelScope } from './cancel-scope.ts';
import type { FlowResult, RunOptions } from './flow.ts';
import type { FlowGraph } from './flow-graph.ts';
import type { Recorder } from './recorder.ts';
import { type Run, StopPoint, Suspension } from './run.ts';
import { RunEvents } from './run-events.ts';
import { flowPath, runGraph } from './run-graph.ts';

/** What one pass over a run needs. */
export interface PassOptions<State = unknown> extends Omit<RunOptions<State>, 'runId' | 'journal' | 'runtime'> {
  readonly runId: string;
  readonly runtime: Runtime;
  readonly recorder: Recorder | undefined;
  readonly resumed: boolean;
  readonly stopAt?: string | undefined;
}

/**
 * One pass over a run: from the start of the flow to its end, its suspension or its failure. Works on this very state,
 * and tells journal and listeners.
 */
export async function runPass<State extends object, Action extends string>(
  graph: FlowGraph,
  state: State,
  deps: unknown,
  options: PassOptions<State>,
): Promise<FlowResult<State, Action>> {
  const { run, close } = createRun(graph, options, showing(options.onState, state));
  const { runId, events, recorder } = run;
  const { clock } = options.runtime;
  const path = flowPath(graph);
  const span = events?.open(path, undefined);
  const startedAt = clock.now();
  const tell = (payload: Parameters<RunEvents['emit']>[1]): void => {
    if (span !== undefined) events?.emit(span, payload);
  };
  tell({ type: 'run-started', flow: graph.name, resumed: options.resumed });
  try {
    const action = (await runGraph(run, graph, state, deps, path, span)) as Action;
    await recorder?.finish(path, action, state);
    const elapsedMs = clock.now() - startedAt;
    tell({ type: 'run-finished', action, elapsedMs });
    return { status: 'finished', runId, action, state, steps: run.steps, elapsedMs };
  } catch (thrown) {
    if (thrown instanceof StopPoint) throw thrown;
    if (thrown instanceof Suspension) {
      tell({ type: 'run-suspended', request: thrown.request });
      return { status: 'suspended', runId, request: thrown.request, path: thrown.path, state };
    }
    const error = toAskemaError(thrown);
    await recorder?.fail(path, error);
    tell({ type: 'run-failed', error: error.toJSON(), elapsedMs: clock.now() - startedAt });
    throw error;
  } finally {
    close();
  }
}

function createRun<State>(
  graph: FlowGraph,
  options: PassOptions<State>,
  showState: Run['showState'],
): { readonly run: Run; readonly close: () => void } {
  const { runId, runtime, signal, onEvent } = options;
  const scope = new CancelScope();
  const cancel = (): void => scope.cancel(abortError(graph, signal?.reason));
  if (signal?.aborted) cancel();
  else signal?.addEventListener('abort', cancel, { once: true });
  const run: Run = {
    runId,
    tags: options.tags ?? {},
    tenant: options.tenant,
    runtime,
    scope,
    cancellable: signal !== undefined,
    recorder: options.recorder,
    events: onEvent === undefined ? undefined : new RunEvents(runId, onEvent, runtime.clock),
    showState,
    stopAt: options.stopAt,
    resumed: options.resumed,
    ended: undefined,
    steps: 0,
    live: 0,
    waiting: { suspension: undefined },
  };
  return { run, close: () => signal?.removeEventListener('abort', cancel) };
}

/** A caller may pass an AskemaError as the reason, for instance a budget's: then that is why the run ends. */
function abortError(graph: FlowGraph, reason: unknown): ReturnType<typeof abortedError> {
  return isAskemaError(reason) ? reason : abortedError(`The run of flow \`${graph.name}\``, reason);
}

/** Shows a state to a listener, which cannot break the run. */
function showing<State>(onState: ((state: State) => void) | undefined, state: State): Run['showState'] {
  if (onState === undefined) return undefined;
  return () => {
    try {
      onState(state);
    } catch {
      // As with events: who looks on must not change what is looked at.
    }
  };
}
