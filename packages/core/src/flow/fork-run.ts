import { AskemaError } from '../errors/askema-error.ts';
import { didYouMean, nearestNames } from '../errors/nearest-names.ts';
import { systemRuntime } from '../ports/system-runtime.ts';
import { decodeValue, encodeValue } from '../values/encode-value.ts';
import type { ForkOptions } from './flow.ts';
import type { FlowGraph } from './flow-graph.ts';
import { JOURNAL_SCHEMA_VERSION, type JournalEntry } from './journal.ts';
import { Recorder } from './recorder.ts';
import { StopPoint } from './run.ts';
import { flowPath } from './run-graph.ts';
import { runPass } from './run-pass.ts';
import { headerOf, headerOfRun, runIdTaken, withOpenRun } from './start-run.ts';
import { isThenable } from './try-exec.ts';

/** See `Flow.fork`. */
export async function forkRun<State extends object>(
  graph: FlowGraph,
  runId: string,
  options: ForkOptions<State>,
): Promise<{ readonly runId: string; readonly path: string }> {
  const { journal, newRunId } = options;
  const runtime = systemRuntime();
  const entries = await journal.read(runId);
  const header = await headerOfRun(new Recorder(entries, runtime.clock), runId, journal);
  if (header.flow !== graph.name) {
    throw new AskemaError(
      'FLOW_CHANGED',
      `Run \`${runId}\` is a run of flow \`${header.flow}\`; flow \`${graph.name}\` cannot fork it.`,
    );
  }
  const oldRoot = `${header.flow}@${header.version}`;
  const toNewRoot = (path: string): string =>
    path === oldRoot || path.startsWith(`${oldRoot}/`) ? `${flowPath(graph)}${path.slice(oldRoot.length)}` : path;
  const moved = entries.map((entry) => ({ ...entry, path: toNewRoot(entry.path) }));
  const recorder = new Recorder(moved, runtime.clock);
  const path = wholePath(graph, toNewRoot(options.from));
  const state = decodeValue(header.state) as State;
  const found = await runPass(graph, state, undefined, { runId, runtime, recorder, resumed: true, stopAt: path }).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(found instanceof StopPoint)) throw neverReached(found, runId, options.from, moved);
  const edited = editedState(options, found.state === state, state, path);
  return withOpenRun(journal, newRunId, async (opened) => {
    if (opened.entries.length > 0) throw runIdTaken(newRunId);
    const base = { schemaVersion: JOURNAL_SCHEMA_VERSION, at: runtime.clock.now() } as const;
    const newHeader = { ...headerOf(graph, newRunId, header.state, header), forkedFrom: { runId, path: options.from } };
    await opened.append([
      { ...base, path: flowPath(graph), ...newHeader },
      ...recorder.used,
      ...(edited === undefined ? [] : [{ ...base, path, kind: 'edit', value: edited } as const]),
    ]);
    return { runId: newRunId, path };
  });
}

function editedState<State extends object>(
  options: ForkOptions<State>,
  shared: boolean,
  state: State,
  path: string,
): ReturnType<typeof encodeValue> | undefined {
  if (options.edit === undefined) return undefined;
  if (!shared) {
    throw new AskemaError(
      'INPUT_INVALID',
      `The state at \`${path}\` is that of an inner flow and cannot be edited; fork from a step of the outer flow.`,
    );
  }
  const returned: unknown = options.edit(state);
  if (isThenable(returned)) {
    throw new AskemaError('INPUT_INVALID', '`edit` returned a promise; it changes the state at once.');
  }
  return encodeValue(state);
}

/** `generate` is the first visit of that step, `generate#2` the second; a whole path stays as it is. */
function wholePath(graph: FlowGraph, from: string): string {
  const path = from.startsWith(`${graph.name}@`) ? from : `${flowPath(graph)}/${from}`;
  const last = path.slice(path.lastIndexOf('/') + 1);
  return last.includes('#') ? path : `${path}#1`;
}

/** The replay's own error where it has one; otherwise that the run never came to `from`. */
function neverReached(found: unknown, runId: string, from: string, entries: readonly JournalEntry[]): unknown {
  const code = (found as AskemaError | undefined)?.code;
  if (code === 'FLOW_NOT_DETERMINISTIC' || code === 'JOURNAL_INVALID') return found;
  const visits = entries
    .filter((entry) => entry.kind === 'step')
    .map((entry) => entry.path.slice(entry.path.indexOf('/') + 1));
  const names = [...visits.map((visit) => visit.replace(/#\d+$/, '')), ...visits];
  return new AskemaError(
    'FLOW_INVALID',
    `Run \`${runId}\` never came to \`${from}\`. ${didYouMean(from, names) || `It came to: ${visits.join(', ')}.`}`,
    { details: { nearestNames: nearestNames(from, names) } },
  );
}
