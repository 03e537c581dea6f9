import {
  AskemaError,
  abortedError,
  type EventSink,
  isAskemaError,
  type JobHandle,
  type Runner,
  raceSignal,
} from '@askema/core';
import type { Caller, ServerJobs } from '../contract.ts';
import { serverClosing } from '../errors/server-closing.ts';
import { type QuestionJob, type QuestionJobParts, readJob, writeJob } from './question-job.ts';

/** Works on a question of the queue in this process. */
export type PerformQuestion = (
  job: QuestionJob,
  given: { readonly key: string; readonly signal: AbortSignal; readonly onEvent: EventSink },
) => Promise<void>;

/** Somebody of this server who waits for a job. */
interface Waiting {
  readonly onEvent: EventSink;
  readonly done: () => void;
}

/** Questions that several servers share: each is put down for whichever has room. */
export class RunQueue {
  readonly #runner: Promise<Runner<ServerJobs>>;
  readonly #waiting = new Map<string, Waiting>();
  #isClosed = false;

  constructor(open: (jobs: ServerJobs) => Promise<Runner<ServerJobs>>, perform: PerformQuestion) {
    this.#runner = open({
      question: async (input, { id, signal }) => {
        await perform(readJob(input), { key: id, signal, onEvent: (event) => this.#waiting.get(id)?.onEvent(event) });
        // Whoever waits here need not wait until the queue says so.
        this.#waiting.get(id)?.done();
        return null;
      },
    });
    // Whoever asks is told.
    this.#runner.catch(() => undefined);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  /**
   * Puts a question down, or finds it there. Rejects with `REQUEST_CONFLICT` where it is worked on for another answer
   * or under other limits.
   */
  async enqueue(key: string, caller: Caller, job: QuestionJobParts): Promise<JobHandle<null>> {
    const runner = await this.#runner;
    if (this.#isClosed) throw serverClosing();
    try {
      return await runner.enqueue('question', writeJob(caller, job), { id: key });
    } catch (thrown) {
      if (this.#isClosed) throw serverClosing();
      if (!isAskemaError(thrown) || thrown.code !== 'INPUT_INVALID') throw thrown;
      throw new AskemaError(
        'REQUEST_CONFLICT',
        'This question is worked on already, for another answer or under other limits. Wait until it has ended.',
        { cause: thrown },
      );
    }
  }

  /**
   * Waits for a job and tells what this process does of it. Resolves with false where somebody stopped it. Rejects with
   * `ABORTED` when the signal fires, and with `SERVER_CLOSING`: the job itself goes on.
   */
  async ended(
    { id, result }: JobHandle<null>,
    { signal, onEvent }: { readonly signal: AbortSignal; readonly onEvent: EventSink },
  ): Promise<boolean> {
    const here = Promise.withResolvers<void>();
    this.#waiting.set(id, { onEvent, done: here.resolve });
    try {
      await raceSignal(Promise.race([result, here.promise]), signal);
      return true;
    } catch (thrown) {
      if (this.#isClosed) throw serverClosing();
      if (signal.aborted) throw abortedError('The question');
      if (!isAskemaError(thrown) || thrown.code !== 'ABORTED') throw thrown;
      return false;
    } finally {
      this.#waiting.delete(id);
    }
  }

  /** Stops a job, wherever it is worked on. */
  async cancel(key: string): Promise<void> {
    await (await this.#runner).cancel(key);
  }

  /** What this process has begun is left to the others. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const runner = await this.#runner.catch(() => undefined);
    await runner?.close();
  }
}
