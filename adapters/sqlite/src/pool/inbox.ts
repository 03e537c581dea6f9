import { type RequestWord, within } from '@askema/core/node';
import type { Answer, WorkerRequest } from '../protocol.ts';
import type { Stop } from './stop.ts';
import type { WorkerPool } from './worker-pool.ts';
import type { WorkerProcess } from './worker-process.ts';

/** A worker that is asked to stop has so long before it is killed. */
const STOP_GRACE_MS = 50;

/** A killed worker is waited for at most so long. */
const KILL_WAIT_MS = 1_000;

/** Receives the answer of one request, and sees to it that its worker is given back or killed. */
export class Inbox {
  readonly #pool: WorkerPool;
  readonly #worker: WorkerProcess;
  readonly #stop: Stop;
  readonly #arrived: Answer[] = [];
  readonly #ended = Promise.withResolvers<void>();
  readonly #say: (word: RequestWord) => void;
  #state: 'open' | 'over' | 'killed' = 'open';
  #wake: () => void = () => undefined;

  constructor(pool: WorkerPool, worker: WorkerProcess, request: WorkerRequest, stop: Stop) {
    this.#pool = pool;
    this.#worker = worker;
    this.#stop = stop;
    this.#say = worker.request(request, (answer) => this.#receive(answer));
    // Also while the caller is busy with something else and asks for nothing.
    stop.signal.addEventListener('abort', this.#onStop);
    if (stop.signal.aborted) this.#onStop();
    void worker.exited.then((exit) => {
      this.#ended.resolve();
      if (this.#state === 'open') stop.workerEnded(exit);
    });
  }

  /** The next part of the answer; rejects with the reason when the request was stopped. */
  async next(): Promise<Answer> {
    for (;;) {
      if (this.#state !== 'over') this.#stop.signal.throwIfAborted();
      const answer = this.#arrived.shift();
      if (answer !== undefined) return answer;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** One batch of rows was taken. */
  more(): void {
    if (this.#state === 'open') this.#say('more');
  }

  /** The caller wants no more. The worker may come to an end by itself, if that is quick; a commit is waited for. */
  async close(): Promise<void> {
    if (this.#state === 'open') {
      this.#say('stop');
      await (this.#stop.isCommitting ? this.#ended.promise : within(STOP_GRACE_MS, this.#ended.promise));
    }
    this.#stop.signal.removeEventListener('abort', this.#onStop);
    this.#kill();
    if (this.#state === 'killed') await within(KILL_WAIT_MS, this.#worker.exited);
  }

  #receive(answer: Answer): void {
    if (answer.type === 'prepared' && !this.#stop.signal.aborted) {
      this.#stop.committing();
      this.#pool.holdClose(this.#ended.promise);
      this.#say('commit');
    }
    if (answer.type === 'end' || answer.type === 'failed') this.#finish();
    this.#arrived.push(answer);
    this.#wake();
  }

  /** The worker is free at once, also when the caller takes its time with what has arrived, or never comes back. */
  #finish(): void {
    if (this.#state !== 'open') return;
    this.#state = 'over';
    this.#stop.release();
    this.#pool.release(this.#worker);
    this.#ended.resolve();
  }

  #kill(): void {
    if (this.#state !== 'open') return;
    this.#state = 'killed';
    this.#worker.kill();
  }

  readonly #onStop = (): void => {
    this.#kill();
    this.#wake();
  };
}
