import { AskemaError, toAskemaError } from '../errors/askema-error.ts';
import type { EventSink, RunEvent } from '../events/run-event.ts';
import type { Runtime } from '../ports/runtime.ts';
import { decodeValue } from '../values/encode-value.ts';
import type { Flow, FlowResult, RunOptions } from './flow.ts';
import type { Journal, JournalEntryOf } from './journal.ts';
import { flowPath } from './run-graph.ts';
import { flowChanged } from './start-run.ts';

/** What is common to all runs of one flow, see {@link createRunLife}. */
export interface RunLifeOptions<State extends object, Deps> {
  readonly flow: Flow<State, Deps, string>;
  readonly journal: Journal | undefined;
  readonly runtime: Runtime;
  /** Who takes the journal, for messages: `createText2Sql`. */
  readonly owner: string;
  /**
   * False for the state of a recorded run that has a different form than this flow's states have: it is refused with
   * `FLOW_CHANGED`.
   */
  readonly fits?: ((begun: Readonly<State>) => boolean) | undefined;
  /**
   * What a run ends with that is refused so: a state of the present form, made of what can be told of the recorded one.
   * Default: the recorded one.
   */
  readonly standIn?: ((begun: Readonly<State>) => State) | undefined;
  /** The type of the outcome that a finished run comes to. With it, events tell how each run ended. */
  readonly outcomeOf?: ((state: Readonly<State>, action: string) => string) | undefined;
  /** Throws where a run of this id was begun with something other than what is asked for now. */
  readonly checkSame: (begun: Readonly<State>, asked: Readonly<State>, runId: string) => void;
}

/** One run, as its caller wants it. */
export interface LiveRun<State extends object, Deps> extends Pick<RunOptions, 'signal' | 'tags' | 'tenant'> {
  readonly runId: string;
  /**
   * What the steps work with. `state` is the one that the run began with, also when it is resumed. What it throws ends
   * the run.
   */
  readonly open: (state: Readonly<State>) => Deps;
  /** What one of them throws changes nothing. */
  readonly listeners: readonly (EventSink | undefined)[];
}

/** How a run ended, whatever happened. */
export interface RunEnd<State> {
  readonly runId: string;
  /** As its last finished step left it; where nothing ran, the one that it began with. */
  readonly state: State;
  /** What it finished with. */
  readonly action: string | undefined;
  /** What broke it off. */
  readonly error: AskemaError | undefined;
  /** What a suspended run waits for. */
  readonly request: { readonly value: unknown } | undefined;
  /** By the clock of the runtime. */
  readonly startedAt: number;
}

/** Begins and resumes the runs of one flow. */
export interface RunLife<State extends object, Deps> {
  /**
   * Runs from `state`. Where `isNamed` (the caller chose the run id) and the journal holds a run of this id, that one
   * is resumed.
   *
   * Rejects with what `checkSame` throws, and with nothing else.
   */
  begin(state: State, run: LiveRun<State, Deps>, options: { readonly isNamed: boolean }): Promise<RunEnd<State>>;
  /**
   * Goes on with a run that the journal holds.
   *
   * Rejects with `CONFIG_INVALID` without a journal, `INPUT_INVALID` when it has no such run, `JOURNAL_INVALID` when it
   * cannot be read.
   */
  resume(run: LiveRun<State, Deps>, options?: { readonly answer?: unknown }): Promise<RunEnd<State>>;
}

/**
 * The life of runs, from their start, or from what a journal holds of them, to their end. A run that breaks off rejects
 * with an error alone; here it ends with the error and with what it had found until then. A recorded run of another
 * flow, of another version of it, or with a state of another form is not read: it ends with `FLOW_CHANGED`.
 */
export function createRunLife<State extends object, Deps>(options: RunLifeOptions<State, Deps>): RunLife<State, Deps> {
  const { flow, journal, owner, fits = () => true, standIn = (begun) => begun, checkSame, runtime } = options;
  const live = (run: LiveRun<State, Deps>, begun: State, start: Start<State>) => runToEnd(run, begun, start, options);

  const changeOf = ({ header, state }: Recorded<State>): AskemaError | undefined => {
    const recorded = `${header.flow}@${header.version}`;
    const now = flowPath(flow.graph);
    if (recorded !== now)
      return flowChanged(header.runId, `it is a run of flow \`${recorded}\`, and this is \`${now}\``);
    return fits(state) ? undefined : flowChanged(header.runId, `the state of flow \`${now}\` has another form now`);
  };

  const goOn = (run: LiveRun<State, Deps>, from: Journal, begun: Recorded<State>, answer: unknown) =>
    live(run, begun.state, (listening) => {
      const { runId, signal, tags, tenant } = run;
      return flow.resume(runId, run.open(begun.state), {
        signal,
        tags,
        tenant,
        runtime,
        journal: from,
        answer,
        ...listening,
      });
    });

  return {
    async begin(state, run, { isNamed }) {
      if (journal !== undefined && isNamed) {
        const begun = await recordedRun<State>(journal, run.runId).catch((thrown: unknown) => toAskemaError(thrown));
        if (begun instanceof Error) return live(run, state, () => Promise.reject(begun));
        const change = begun === undefined ? undefined : changeOf(begun);
        if (change !== undefined) return live(run, state, () => Promise.reject(change));
        if (begun !== undefined) {
          checkSame(begun.state, state, run.runId);
          return goOn(run, journal, begun, undefined);
        }
      }
      return live(run, state, (listening) => {
        const { runId, signal, tags, tenant } = run;
        return flow.run(state, run.open(state), { signal, tags, tenant, runtime, runId, journal, ...listening });
      });
    },

    async resume(run, { answer } = {}) {
      if (journal === undefined)
        throw new AskemaError('CONFIG_INVALID', `There is no journal to resume from; pass one to ${owner}.`);
      const begun = await recordedRun<State>(journal, run.runId);
      if (begun === undefined) throw new AskemaError('INPUT_INVALID', `The journal has no run \`${run.runId}\`.`);
      const change = changeOf(begun);
      if (change !== undefined) return live(run, standIn(begun.state), () => Promise.reject(change));
      return goOn(run, journal, begun, answer);
    },
  };
}

type Listening<State> = Required<Pick<RunOptions<State>, 'onEvent' | 'onState'>>;

type Start<State> = (listening: Listening<State>) => Promise<FlowResult<State, string>>;

async function runToEnd<State extends object, Deps>(
  { runId, listeners }: LiveRun<State, Deps>,
  begun: State,
  start: Start<State>,
  { runtime, outcomeOf }: Pick<RunLifeOptions<State, Deps>, 'runtime' | 'outcomeOf'>,
): Promise<RunEnd<State>> {
  const startedAt = runtime.clock.now();
  let state = begun;
  const listening: Listening<State> = {
    onState: (current) => {
      state = current as State;
    },
    onEvent: (event) => {
      const told = outcomeOf === undefined ? event : withOutcome(event, (action) => outcomeOf(state, action));
      for (const listener of listeners) tell(listener, told);
    },
  };
  try {
    const result = await start(listening);
    const isSuspended = result.status === 'suspended';
    return {
      runId,
      state: result.state,
      action: isSuspended ? undefined : result.action,
      error: undefined,
      request: isSuspended ? { value: result.request } : undefined,
      startedAt,
    };
  } catch (thrown) {
    return { runId, state, action: undefined, error: toAskemaError(thrown), request: undefined, startedAt };
  }
}

function withOutcome(event: RunEvent, finished: (action: string) => string): RunEvent {
  switch (event.type) {
    case 'run-finished':
      return { ...event, outcome: finished(event.action) };
    case 'run-suspended':
      return { ...event, outcome: 'needsClarification' };
    case 'run-failed':
      return { ...event, outcome: brokenOffAs(event.error.code) };
    default:
      return event;
  }
}

/** The type of the outcome of a run that an error with this code broke off. */
function brokenOffAs(code: string): 'cancelled' | 'budgetExceeded' | 'refused' | 'failed' {
  switch (code) {
    case 'ABORTED':
      return 'cancelled';
    case 'BUDGET_EXCEEDED':
      return 'budgetExceeded';
    case 'MODEL_CONTENT_FILTERED':
      return 'refused';
    default:
      return 'failed';
  }
}

function tell(listener: EventSink | undefined, event: RunEvent): void {
  try {
    const returned: unknown = listener?.(event);
    if (returned instanceof Promise) returned.catch(() => undefined);
  } catch {
    // A listener that fails must not change what it listens to.
  }
}

interface Recorded<State> {
  readonly header: JournalEntryOf<'run'>;
  /** With which the run began. */
  readonly state: State;
}

async function recordedRun<State>(journal: Journal, runId: string): Promise<Recorded<State> | undefined> {
  const [header] = await journal.read(runId);
  return header?.kind === 'run' ? { header, state: decodeValue(header.state) as State } : undefined;
}
