import { closedError, within } from '@askema/core/node';
import type { WorkerSettings } from '../protocol.ts';
import { startWorker, type WorkerProcess } from './worker-process.ts';

export interface PoolOptions {
  readonly settings: WorkerSettings;
  /** At most so many workers at a time. */
  readonly size: number;
  /** A worker without work ends after this time. */
  readonly idleTimeoutMs: number;
  /** Finds the worker's program; asked at the first use. */
  readonly workerFile: () => string;
  /** The adapter's name, for messages. */
  readonly name: string;
}

/** Closing waits so long for a change that is being committed, and for killed workers to be gone. */
const CLOSE_TIMEOUT_MS = 2_000;

interface Waiter {
  readonly give: (worker: WorkerProcess) => void;
  readonly fail: (error: unknown) => void;
}

/** Workers that are started when they are needed, used again, and replaced when they end. Requests wait in order. */
export class WorkerPool {
  readonly #options: PoolOptions;
  readonly #alive = new Set<WorkerProcess>();
  readonly #idle: { readonly worker: WorkerProcess; readonly timer: NodeJS.Timeout }[] = [];
  readonly #waiting: Waiter[] = [];
  readonly #committing = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #starting = 0;
  #closed: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Fires when the pool is closed. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  get size(): number {
    return this.#options.size;
  }

  /** Process ids of the workers that live. */
  get pids(): readonly number[] {
    return [...this.#alive].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /**
   * A worker that is free. The caller gives it back with {@link release}, or kills it. `signal` ends the waiting; the
   * promise then rejects with its reason.
   */
  acquire(signal: AbortSignal): Promise<WorkerProcess> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        const index = this.#waiting.indexOf(waiter);
        if (index >= 0) this.#waiting.splice(index, 1);
        reject(signal.reason);
      };
      const waiter: Waiter = {
        give: (worker) => {
          signal.removeEventListener('abort', leave);
          worker.keepAlive(true);
          resolve(worker);
        },
        fail: (error) => {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      };
      if (signal.aborted) return reject(signal.reason);
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  /** Takes back a worker whose answer has come to its end. */
  release(worker: WorkerProcess): void {
    if (!this.#alive.has(worker) || !worker.isUsable) return;
    if (this.#closing.signal.aborted) {
      worker.kill();
      return;
    }
    const next = this.#waiting.shift();
    if (next === undefined) this.#rest(worker);
    else next.give(worker);
  }

  #rest(worker: WorkerProcess): void {
    worker.keepAlive(false);
    const timer = setTimeout(() => {
      this.#idle.splice(
        this.#idle.findIndex((entry) => entry.worker === worker),
        1,
      );
      worker.dismiss();
    }, this.#options.idleTimeoutMs);
    timer.unref();
    this.#idle.push({ worker, timer });
  }

  /** Closing waits for `done`, so that a change which its caller is about to be told of is not torn. */
  holdClose(done: Promise<unknown>): void {
    this.#committing.add(done);
    void done.finally(() => this.#committing.delete(done));
  }

  /** Stops everything within a bounded time. */
  close(): Promise<void> {
    this.#closed ??= this.#close();
    return this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort(closedError(this.#options.name));
    for (const { timer } of this.#idle) clearTimeout(timer);
    if (this.#committing.size > 0) await within(CLOSE_TIMEOUT_MS, Promise.allSettled(this.#committing));
    const exits = [...this.#alive].map((worker) => worker.exited);
    for (const worker of this.#alive) worker.kill();
    await within(CLOSE_TIMEOUT_MS, Promise.all(exits));
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const free = this.#idle.pop();
      if (free === undefined) break;
      clearTimeout(free.timer);
      if (free.worker.isUsable) this.#waiting.shift()?.give(free.worker);
    }
    while (this.#starting < this.#waiting.length && this.#alive.size < this.#options.size) this.#start();
  }

  #start(): void {
    let worker: WorkerProcess;
    try {
      worker = startWorker(this.#options.workerFile(), this.#options.settings);
    } catch (thrown) {
      for (const waiter of this.#waiting.splice(0)) waiter.fail(thrown);
      return;
    }
    this.#alive.add(worker);
    this.#starting += 1;
    void worker.exited.then(() => this.#forget(worker));
    worker.ready.then(
      () => {
        this.#starting -= 1;
        this.release(worker);
      },
      (thrown: unknown) => {
        this.#starting -= 1;
        this.#alive.delete(worker);
        // Nobody else would have more luck: the driver is missing, or processes cannot be started.
        for (const waiter of this.#waiting.splice(0)) waiter.fail(thrown);
      },
    );
  }

  #forget(worker: WorkerProcess): void {
    this.#alive.delete(worker);
    const index = this.#idle.findIndex((entry) => entry.worker === worker);
    if (index >= 0) {
      clearTimeout(this.#idle[index]?.timer);
      this.#idle.splice(index, 1);
    }
    this.#serve();
  }
}
