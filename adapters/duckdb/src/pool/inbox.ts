import { AskemaError, type CallLimits } from '@askema/core';
import { type ProcessExit, processEndedError, type RequestWord, unknownOutcomeError, within } from '@askema/core/node';
import type { Answer, WorkerRequest } from '../protocol.ts';
import type { EnginePool, Lease } from './engine-pool.ts';

/** A statement that is interrupted and does not end within this time makes its process be replaced. */
const STOP_GRACE_MS = 2_000;

/** Leaving a result early waits so long for its statement to be over. */
const LEAVE_MS = 200;

/** A commit cannot be taken back; one that takes longer than this is given up without knowing how it ended. */
const COMMIT_TIMEOUT_MS = 60_000;

/** Receives the answer of one request, and sees to it that its place is given back, whatever happens. */
export class Inbox {
  readonly #pool: EnginePool;
  readonly #lease: Lease;
  readonly #limits: CallLimits;
  readonly #about: { readonly what: string; readonly sql?: string | undefined };
  readonly #arrived: Answer[] = [];
  readonly #ended = Promise.withResolvers<void>();
  readonly #say: (word: RequestWord) => void;
  #phase: 'running' | 'committing' | 'stopping' | 'over' = 'running';
  #error: unknown;
  #timer: NodeJS.Timeout | undefined;
  #wake: () => void = () => undefined;

  constructor(
    pool: EnginePool,
    lease: Lease,
    request: WorkerRequest,
    limits: CallLimits,
    about: { readonly what: string; readonly sql?: string | undefined },
  ) {
    this.#pool = pool;
    this.#lease = lease;
    this.#limits = limits;
    this.#about = about;
    this.#say = lease.process.request(request, (answer) => this.#receive(answer));
    // Also while the caller is busy with something else and asks for nothing.
    limits.onOver(() => this.#end(limits.error()));
    pool.closing.addEventListener('abort', this.#onClosing);
    void lease.process.exited.then((exit) => this.#processEnded(exit));
  }

  /** The next part of the answer; rejects with the reason when the request was stopped. */
  async next(): Promise<Answer> {
    for (;;) {
      if (this.#error !== undefined) throw this.#error;
      const answer = this.#arrived.shift();
      if (answer !== undefined) return answer;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** One batch of rows was taken. */
  more(): void {
    if (this.#phase === 'running') this.#say('more');
  }

  /** The caller wants no more; a commit is waited for. */
  async close(): Promise<void> {
    if (this.#phase === 'running') this.#stop();
    if (this.#phase === 'committing') await this.#ended.promise;
    else if (this.#phase === 'stopping' && this.#error === undefined) await within(LEAVE_MS, this.#ended.promise);
    this.#pool.closing.removeEventListener('abort', this.#onClosing);
  }

  #receive(answer: Answer): void {
    if (answer.type === 'prepared' && this.#phase === 'running') this.#commit();
    if (answer.type === 'end' || answer.type === 'failed') this.#finish();
    this.#arrived.push(answer);
    this.#wake();
  }

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
    if (this.#phase === 'over') return;
    this.#phase = 'over';
    clearTimeout(this.#timer);
    this.#limits.release();
    this.#pool.release(this.#lease);
    this.#ended.resolve();
  }

  #end(error: unknown): void {
    if (this.#phase !== 'running') return;
    this.#error = error;
    this.#stop();
    this.#wake();
  }

  #stop(): void {
    this.#phase = 'stopping';
    this.#say('stop');
    this.#timer = setTimeout(() => this.#giveUp(), STOP_GRACE_MS);
    this.#timer.unref();
  }

  #giveUp(): void {
    this.#phase = 'over';
    this.#pool.giveUp(this.#lease);
    this.#ended.resolve();
    this.#wake();
  }

  #processEnded(exit: ProcessExit): void {
    if (this.#phase === 'running') this.#error = exitError(exit, this.#about);
    if (this.#phase === 'committing')
      this.#error = unknownOutcomeError(`was cut off (${exit.description})`, this.#about.sql);
    this.#finish();
    this.#wake();
  }

  readonly #onClosing = (): void => this.#end(this.#pool.closing.reason);
}

function exitError(
  { reason, description }: ProcessExit,
  { what, sql }: { readonly what: string; readonly sql?: string | undefined },
): AskemaError {
  if (reason === 'memory')
    return new AskemaError(
      'QUERY_FAILED',
      `${what} was stopped because the statements that ran needed far more memory than \`maxMemoryBytes\` allows. Let it sort, group or build less, or raise \`maxMemoryBytes\`.`,
      { details: { sql, errorClass: 'other' } },
    );
  return processEndedError(description, sql);
}
