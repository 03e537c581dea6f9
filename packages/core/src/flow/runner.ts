import { AskemaError } from '../errors/askema-error.ts';
import { didYouMean, nearestNames } from '../errors/nearest-names.ts';

/** What a job is given beside its input. */
export interface JobContext {
  /** Of the job: a good run id for the flow that it runs. */
  readonly id: string;
  /** Fires when the job is cancelled or the runner closes. */
  readonly signal: AbortSignal;
  /** See {@link Runner.run}. Paths are the job's own. */
  readonly run: <T>(path: string, key: string, work: () => Promise<T>) => Promise<T>;
  /** The next value that `runner.signal(id, value)` sends: waits for it. */
  readonly receive: <T = unknown>() => Promise<T>;
}

/**
 * Work by name, so that it can be done in a different process than the one that asked for it. Input and output are
 * plain data.
 */
export type Job<Input, Output> = (input: Input, context: JobContext) => Promise<Output>;

/** The jobs that a runner knows. */
export type Jobs = { readonly [name: string]: Job<never, unknown> };

export interface JobHandle<Output> {
  readonly id: string;
  /** Rejects with the job's error; `ABORTED` when it was cancelled. */
  readonly result: Promise<Output>;
}

/**
 * Does jobs, each once: a port, so that an application can move from one process (`inProcessRunner`) to many machines
 * (a durable queue) without other code.
 *
 * How it relates to flows: a flow needs no runner, because a run remembers its own steps in its journal. A runner holds
 * many runs: it bounds how many go at once, remembers which are done, cancels them, and carries answers to them. A job
 * usually runs one flow, with the job's id as run id and a journal of its own; `run` is for work in a job that is no
 * flow.
 */
export interface Runner<Known extends Jobs> {
  /**
   * Does `work` and remembers the result under path and key: the same path with the same key gets it again, in this
   * process and after a restart. `path` says where, `key` what from (an input or its hash). Failures are not
   * remembered.
   */
  run<T>(path: string, key: string, work: () => Promise<T>): Promise<T>;
  /**
   * Queues a job. An id whose job is done with this input gets its result again, one that is queued or running gets
   * that job; so a program that was stopped enqueues everything again and only what was not done is done.
   *
   * Rejects with `INPUT_INVALID` for an unknown job, or an id that is running with another input.
   */
  enqueue<Name extends keyof Known & string>(
    name: Name,
    input: Parameters<Known[Name]>[0],
    options: { readonly id: string },
  ): Promise<JobHandle<Awaited<ReturnType<Known[Name]>>>>;
  /** Sends a value to a job, also before it waits for one, or before it is enqueued again. Kept across restarts. */
  signal(id: string, value: unknown): Promise<void>;
  /** Stops a job, queued or running; its result rejects with `ABORTED`. Nothing happens when there is none. */
  cancel(id: string): Promise<void>;
  /** Cancels everything and lets go of the journal. */
  close(): Promise<void>;
}

/** For `enqueue` with a name that no job of the runner has: `INPUT_INVALID`, with the nearest names. */
export function unknownJobError(name: string, known: readonly string[]): AskemaError {
  return new AskemaError('INPUT_INVALID', `The runner knows no job \`${name}\`. ${didYouMean(name, known)}`.trim(), {
    details: { nearestNames: nearestNames(name, known) },
  });
}

/** For `enqueue` with the id of a job that is running with another input: `INPUT_INVALID`. */
export function otherInputError(id: string): AskemaError {
  return new AskemaError(
    'INPUT_INVALID',
    `Job \`${id}\` is running with another input; wait for it, cancel it, or use another id.`,
  );
}
