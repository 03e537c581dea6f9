import { AskemaError } from '../errors/askema-error.ts';
import { didYouMean, nearestNames } from '../errors/nearest-names.ts';
import type { Runtime } from '../ports/runtime.ts';
import { systemRuntime } from '../ports/system-runtime.ts';
import { decodeValue, encodeValue } from '../values/encode-value.ts';
import { clonePlain, isPlainObject } from './clone-plain.ts';
import type { FlowResult, ReplayOptions, ResumeOptions, RunOptions } from './flow.ts';
import type { FlowGraph } from './flow-graph.ts';
import type { Journal, JournalEntryOf, RunJournal } from './journal.ts';
import { Recorder } from './recorder.ts';
import { flowPath } from './run-graph.ts';
import { runPass } from './run-pass.ts';

/** See `Flow.run`. */
export async function startRun<State extends object, Action extends string>(
  graph: FlowGraph,
  state: State,
  deps: unknown,
  options: RunOptions<State> = {},
): Promise<FlowResult<State, Action>> {
  const runtime = systemRuntime(options.runtime);
  const own = ownState(state, graph);
  const runId = options.runId ?? createRunId(runtime);
  const pass = { ...options, runId, runtime, resumed: false };
  if (options.journal === undefined) return runPass(graph, own, deps, { ...pass, recorder: undefined });
  return withOpenRun(options.journal, runId, async (opened) => {
    if (opened.entries.length > 0) throw runIdTaken(runId);
    const recorder = new Recorder([], runtime.clock, opened);
    await recorder.append(flowPath(graph), headerOf(graph, runId, encodeValue(own), options));
    return runPass(graph, own, deps, { ...pass, recorder });
  });
}

/** See `Flow.resume`. */
export async function resumeRun<State extends object, Action extends string>(
  graph: FlowGraph,
  runId: string,
  deps: unknown,
  options: ResumeOptions<State>,
): Promise<FlowResult<State, Action>> {
  const runtime = systemRuntime(options.runtime);
  return withOpenRun(options.journal, runId, async (opened) => {
    const recorder = new Recorder(opened.entries, runtime.clock, opened);
    const header = await checkHeader(recorder, graph, runId, options.journal);
    await takeAnswer(recorder, runId, options.answer);
    return runPass(graph, decodeValue(header.state) as State, deps, {
      ...options,
      ...carriedOver(header, options),
      runId,
      runtime,
      recorder,
      resumed: true,
    });
  });
}

/** See `Flow.replay`. */
export async function replayRun<State extends object, Action extends string>(
  graph: FlowGraph,
  runId: string,
  options: ReplayOptions<State>,
): Promise<FlowResult<State, Action>> {
  const runtime = systemRuntime(options.runtime);
  const recorder = new Recorder(await options.journal.read(runId), runtime.clock);
  const header = await checkHeader(recorder, graph, runId, options.journal);
  return runPass(graph, decodeValue(header.state) as State, undefined, {
    ...options,
    ...carriedOver(header, options),
    runId,
    runtime,
    recorder,
    resumed: true,
  });
}

/** The first entry of a run. */
export function headerOf(
  graph: FlowGraph,
  runId: string,
  state: JournalEntryOf<'run'>['state'],
  options: Pick<RunOptions, 'tags' | 'tenant'>,
): Omit<JournalEntryOf<'run'>, 'schemaVersion' | 'at' | 'path'> {
  return {
    kind: 'run',
    runId,
    flow: graph.name,
    version: graph.version,
    graph: graph.hash(),
    state,
    tags: options.tags ?? {},
    ...(options.tenant === undefined ? {} : { tenant: options.tenant }),
  };
}

/** Opens a run for as long as `work` takes. */
export async function withOpenRun<T>(
  journal: Journal,
  runId: string,
  work: (opened: RunJournal) => Promise<T>,
): Promise<T> {
  const opened = await journal.open(runId);
  try {
    return await work(opened);
  } finally {
    await opened.close();
  }
}

export function runIdTaken(runId: string): AskemaError {
  return new AskemaError('INPUT_INVALID', `Run \`${runId}\` exists already; resume it, or choose another run id.`);
}

/** The header of a run that must exist. */
export async function headerOfRun(recorder: Recorder, runId: string, journal: Journal): Promise<JournalEntryOf<'run'>> {
  if (recorder.header !== undefined) return recorder.header;
  const known = await journal.runIds();
  throw new AskemaError('INPUT_INVALID', `The journal has no run \`${runId}\`. ${didYouMean(runId, known)}`.trim(), {
    details: { nearestNames: nearestNames(runId, known) },
  });
}

async function checkHeader(
  recorder: Recorder,
  graph: FlowGraph,
  runId: string,
  journal: Journal,
): Promise<JournalEntryOf<'run'>> {
  const header = await headerOfRun(recorder, runId, journal);
  const recorded = `${header.flow}@${header.version}`;
  if (recorded === flowPath(graph) && header.graph === graph.hash()) return header;
  const problem =
    recorded === flowPath(graph)
      ? `flow \`${recorded}\` has other steps or routes now`
      : `it is a run of flow \`${recorded}\`, and this is \`${flowPath(graph)}\``;
  throw flowChanged(runId, problem);
}

/** `FLOW_CHANGED`: the journal holds the run, but of something other than this flow. */
export function flowChanged(runId: string, problem: string): AskemaError {
  return new AskemaError(
    'FLOW_CHANGED',
    `Run \`${runId}\` cannot go on: ${problem}. Use the flow that began it, or fork the run with the new one.`,
  );
}

async function takeAnswer(recorder: Recorder, runId: string, answer: unknown): Promise<void> {
  const { pending } = recorder;
  if (pending !== undefined && answer === undefined) {
    throw new AskemaError(
      'FLOW_SUSPENDED',
      `Run \`${runId}\` waits for an answer at \`${pending.path}\`; pass it as \`answer\`.`,
      { details: { path: pending.path, request: pending.request } },
    );
  }
  if (pending === undefined && answer !== undefined) {
    throw new AskemaError('INPUT_INVALID', `Run \`${runId}\` waits for no answer; leave \`answer\` out.`);
  }
  if (pending !== undefined) await recorder.recordAnswer(pending.path, answer);
}

function carriedOver(header: JournalEntryOf<'run'>, options: Pick<RunOptions, 'tags' | 'tenant'>) {
  return { tags: options.tags ?? header.tags, tenant: options.tenant ?? header.tenant };
}

function ownState<State extends object>(state: State, graph: FlowGraph): State {
  if (!isPlainObject(state)) {
    throw new AskemaError(
      'INPUT_INVALID',
      `The state of flow \`${graph.name}\` is no plain object; pass an object literal with plain data in it.`,
    );
  }
  return clonePlain(state, 'The state');
}

function createRunId(runtime: Runtime): string {
  const random = Math.floor(runtime.random() * 36 ** 8);
  return `run-${runtime.clock.now().toString(36)}-${random.toString(36).padStart(8, '0')}`;
}
