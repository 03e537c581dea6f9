import type { AskemaError } from '../errors/askema-error.ts';
import type { Runtime } from '../ports/runtime.ts';
import type { CancelScope } from './cancel-scope.ts';
import type { Recorder } from './recorder.ts';
import type { RunEvents } from './run-events.ts';

/** One pass over a run, in one process: what the engine's parts share. */
export interface Run {
  readonly runId: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly tenant: string | undefined;
  readonly runtime: Runtime;
  readonly scope: CancelScope;
  /** False when nobody can cancel the run, which saves the watching. */
  readonly cancellable: boolean;
  readonly recorder: Recorder | undefined;
  readonly events: RunEvents | undefined;
  /** Shows the state of the run to whoever wants to see it. */
  readonly showState: (() => void) | undefined;
  /** The path of a step at which to stop with {@link StopPoint}; for forks. */
  readonly stopAt: string | undefined;
  /** True when it takes up what another pass began. */
  readonly resumed: boolean;
  /**
   * Set in an item that is known to have ended: what of it is not recorded is not done, but ends with this error.
   */
  readonly ended: AskemaError | undefined;
  /** Visits of steps that are over. */
  steps: number;
  /** Calls of `exec` that really ran, not counting further attempts. */
  live: number;
  /** Shared by a run and its items: set by the first `suspend` without an answer. */
  readonly waiting: { suspension: Suspension | undefined };
}

/** Thrown through the engine when a step waits for an answer. Never seen by users. */
export class Suspension {
  readonly path: string;
  readonly request: unknown;

  constructor(path: string, request: unknown) {
    this.path = path;
    this.request = request;
  }
}

/** Thrown through the engine at the step where a fork begins. Never seen by users. */
export class StopPoint {
  readonly path: string;
  readonly state: object;

  constructor(path: string, state: object) {
    this.path = path;
    this.state = state;
  }
}

/** Throws when the run must not go on: it was cancelled, or its journal can no longer be written. */
export function throwIfStopped(run: Run, scope: CancelScope = run.scope): void {
  const error: AskemaError | undefined = run.recorder?.broken ?? scope.error;
  if (error !== undefined) throw error;
}
