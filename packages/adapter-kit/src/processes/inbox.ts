import { AskemaError, type CallLimits, type CallLimitsOptions } from '@askema/core';
import {
  crashError,
  type DriverTalk,
  type ProcessAnswer,
  type ProcessExit,
  processEndedError,
  type RequestWord,
  unknownOutcomeError,
  within,
} from '@askema/core/node';
import { KILL_WAIT_MS, type Lease, type ProcessPool } from './process-pool.ts';

/** A commit cannot be taken back; one that takes longer than this is given up without knowing how it ended. */
const COMMIT_TIMEOUT_MS = 60_000;

/** Receives the answer of one request, and sees to it that its place is given back, whatever happens. */
export class Inbox<T extends DriverTalk> {
  readonly #pool: ProcessPool<T>;
  readonly #lease: Lease<T>;
  readonly #limits: CallLimits;
  readonly #about: CallLimitsOptions;
  readonly #arrived: ProcessAnswer<T>[] = [];
  readonly #ended = Promise.withResolvers<void>();
  readonly #say: (word: RequestWord) => void;
  readonly #beside: Promise<void>[];
  #phase: 'running' | 'committing' | 'stopping' | 'given up' | 'over' = 'running';
  #error: unknown;
  #timer: NodeJS.Timeout | undefined;
  #wake: () => void = () => undefined;

  constructor(
    pool: ProcessPool<T>,
    lease: Lease<T>,
    request: T['request'],
    limits: CallLimits,
    about: CallLimitsOptions,
  ) {
    this.#pool = pool;
    this.#lease = lease;
    this.#limits = limits;
    this.#about = about;
    this.#beside = [...pool.leavingBeside(lease)];
    this.#say = lease.process.request(request, {
      answer: (answer) => this.#receive(answer),
      exited: (exit) => this.#processEnded(exit),
    });
    // Also while the caller is busy with something else and asks for nothing.
    limits.onOver(() => this.#end(limits.error()));
    if (pool.closing.aborted) this.#onClosing();
    else pool.closing.addEventListener('abort', this.#onClosing);
  }

  /** The next part of the answer; rejects with the reason when the request was stopped. */
  async next(): Promise<ProcessAnswer<T>> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error;
      const answer = this.#arrived.shift();
      if (answer !== undefined) return answer;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Requests that were being stopped in the same process while this one ran; resolves when they are gone. */
  get besideLeft(): Promise<unknown> | undefined {
    return this.#beside.length === 0 ? undefined : Promise.all(this.#beside);
  }

  /** One batch of rows was taken. */
  more(): void {
    if (this.#phase === 'running') this.#say('more');
  }

  /** The caller wants no more. The request may come to its end by itself, if that is quick; a commit is waited for. */
  async close(): Promise<void> {
    const { stopGraceMs, leaveMs } = this.#pool.options;
    if (this.#phase === 'running') {
      this.#stop();
      await within(leaveMs, this.#ended.promise);
      if (stopGraceMs === 0) this.#giveUp();
    }
    if (this.#phase === 'committing') await this.#ended.promise;
    if (this.#phase === 'given up' && !this.#lease.process.isUsable && !this.#lease.process.isRetired)
      await within(KILL_WAIT_MS, this.#lease.process.exited);
    this.#pool.closing.removeEventListener('abort', this.#onClosing);
  }

  #receive(answer: ProcessAnswer<T>): void {
    if (answer.type === 'prepared' && this.#phase === 'running') this.#commit();
    // Before the place is free: the next request must find another process.
    if (answer.type === 'failed' && this.#pool.options.breaks?.(answer.failure) === true) this.#lease.process.kill();
    if (answer.type === 'failed') this.#beside.push(...this.#pool.leavingBeside(this.#lease));
    if (answer.type === 'end' || answer.type === 'failed') this.#finish();
    this.#arrived.push(answer);
    this.#wake();
  }

  /** From here on neither the deadline nor the caller's abort count: the caller learns how it ended. */
  #commit(): void {
    this.#phase = 'committing';
    this.#limits.release();
    this.#pool.holdClose(this.#ended.promise);
    this.#say('commit');
    this.#timer = setTimeout(() => {
      this.#error = unknownOutcomeError(`did not end within ${COMMIT_TIMEOUT_MS} ms`, this.#about.sql);
      this.#giveUp();
    }, COMMIT_TIMEOUT_MS);
  }

  /** The place is free at once, also when the caller takes its time with what has arrived, or never comes back. */
  #finish(): void {
    if (this.#phase === 'over' || this.#phase === 'given up') return;
    this.#phase = 'over';
    clearTimeout(this.#timer);
    this.#limits.release();
    this.#pool.release(this.#lease);
    this.#ended.resolve();
  }

  /** The limits are over, or the pool is closed. */
  #end(error: unknown): void {
    if (this.#phase !== 'running') return;
    this.#error = error;
    if (this.#pool.options.stopGraceMs === 0) this.#giveUp();
    else this.#stop();
    this.#wake();
  }

  #stop(): void {
    this.#phase = 'stopping';
    this.#lease.leaving = this.#ended.promise;
    this.#say('stop');
    const { stopGraceMs } = this.#pool.options;
    if (stopGraceMs > 0) this.#timer = setTimeout(() => this.#giveUp(), stopGraceMs).unref();
  }

  #giveUp(): void {
    if (this.#phase === 'over' || this.#phase === 'given up') return;
    this.#phase = 'given up';
    clearTimeout(this.#timer);
    this.#limits.release();
    this.#pool.giveUp(this.#lease);
    this.#ended.resolve();
    this.#wake();
  }

  #processEnded(exit: ProcessExit): void {
    if (this.#phase === 'running') this.#error = this.#exitError(exit);
    if (this.#phase === 'committing')
      this.#error = unknownOutcomeError(`was cut off (${exit.description})`, this.#about.sql);
    this.#finish();
    this.#wake();
  }

  readonly #onClosing = (): void => this.#end(this.#pool.closing.reason);

  #exitError({ reason, description, isCrashOfOne }: ProcessExit): AskemaError {
    const { what, sql } = this.#about;
    if (isCrashOfOne && sql !== undefined) return crashError(description, sql);
    if (reason !== 'memory') return processEndedError(description, sql);
    const cause =
      this.#pool.options.perProcess > 1
        ? 'the statements that ran needed far more memory than'
        : 'it needed more memory than';
    return new AskemaError(
      'QUERY_FAILED',
      `${what} was stopped because ${cause} \`maxMemoryBytes\` allows. Let it sort, group or build less, or raise \`maxMemoryBytes\`.`,
      { details: { sql, errorClass: 'other' } },
    );
  }
}
