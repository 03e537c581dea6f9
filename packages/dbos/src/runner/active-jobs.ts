import {
  type AskemaError,
  abortedError,
  decodeValue,
  encodeValue,
  type JobContext,
  type Jobs,
  type JsonValue,
} from '@askema/core';
import type { Remember } from '../tables/result-table.ts';
import { JobError } from './job-error.ts';

export interface ActiveJobsOptions {
  readonly jobs: Jobs;
  readonly remember: Remember;
  /** The value that was sent to a job as number so much, if it was. */
  readonly readSignal: (id: string, number: number) => Promise<{ readonly value: unknown } | undefined>;
  readonly sleep: (signal: AbortSignal) => Promise<void>;
}

interface ActiveJob {
  readonly stop: (error: AskemaError) => void;
  readonly ended: Promise<unknown>;
}

/** The jobs that this process is doing, by the id of their workflow. */
export class ActiveJobs {
  readonly #options: ActiveJobsOptions;
  readonly #active = new Map<string, ActiveJob>();
  #closing = false;

  constructor(options: ActiveJobsOptions) {
    this.#options = options;
  }

  get workflowIds(): readonly string[] {
    return [...this.#active.keys()];
  }

  /** Does a job, and resolves with its output as JSON. Rejects with a {@link JobError}. */
  async perform(workflowId: string, name: string, id: string, input: string): Promise<string> {
    // What a closing process still comes up with is not to be stored: its jobs go back to the queue.
    if (this.#closing) return never();
    const controller = new AbortController();
    const stopped = new Promise<never>((_, reject) => {
      controller.signal.addEventListener('abort', () => reject(controller.signal.reason), { once: true });
    });
    stopped.catch(() => {});
    const work = this.#work(name, id, input, controller.signal);
    const active: ActiveJob = {
      stop: (error) => controller.abort(error),
      ended: work.catch(() => {}),
    };
    this.#active.set(workflowId, active);
    try {
      const output = await Promise.race([work, stopped]);
      return this.#closing ? await never() : output;
    } catch (thrown) {
      if (this.#closing) return never();
      throw new JobError(thrown);
    } finally {
      if (this.#active.get(workflowId) === active) this.#active.delete(workflowId);
    }
  }

  stop(workflowId: string, error: AskemaError): void {
    this.#active.get(workflowId)?.stop(error);
    this.#active.delete(workflowId);
  }

  /** Stops everything; what comes of it is not stored. Resolves when the jobs have ended. */
  async close(): Promise<void> {
    this.#closing = true;
    const ended = [...this.#active.values()].map((job) => job.ended);
    for (const job of this.#active.values()) job.stop(abortedError('The runner'));
    await Promise.all(ended);
  }

  async #work(name: string, id: string, input: string, signal: AbortSignal): Promise<string> {
    const { jobs } = this.#options;
    const job = Object.hasOwn(jobs, name) ? jobs[name] : undefined;
    if (job === undefined)
      throw new Error(`This process knows no job \`${name}\`; all of a runner must have the same.`);
    const decoded = decodeValue(JSON.parse(input) as JsonValue);
    const output = await job(decoded as never, this.#contextOf(id, signal));
    return JSON.stringify(encodeValue(output));
  }

  #contextOf(id: string, signal: AbortSignal): JobContext {
    let received = 0;
    return {
      id,
      signal,
      run: async (path, key, work) => {
        signal.throwIfAborted();
        return this.#options.remember(`job/${encodeURIComponent(id)}/${path}`, key, work);
      },
      receive: async <T>(): Promise<T> => {
        received += 1;
        const number = received - 1;
        for (;;) {
          signal.throwIfAborted();
          const sent = await this.#options.readSignal(id, number);
          if (sent !== undefined) return sent.value as T;
          await this.#options.sleep(signal);
        }
      },
    };
  }
}

function never(): Promise<never> {
  return new Promise(() => {});
}
