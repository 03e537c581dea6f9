import type { Access } from '@askema/core';
import { closedError, within } from '@askema/core/node';
import type { EngineProcess } from './engine-process.ts';

export interface PoolOptions {
  /** Statements that run side by side. */
  readonly size: number;
  /** The process ends when nothing was asked for so long. */
  readonly idleTimeoutMs: number;
  /** The adapter's name, for messages. */
  readonly name: string;
  readonly access: Access;
  /** Looks at the files, and forks. Rejects when there is nothing to open. */
  readonly start: () => Promise<EngineProcess>;
}

/** Closing waits so long for a change that is being committed, and for processes to be gone. */
const CLOSE_TIMEOUT_MS = 2_000;

/** A killed process is waited for at most so long. */
const KILL_WAIT_MS = 1_000;

/** The right to run one statement on a process. */
export interface Lease {
  readonly process: EngineProcess;
}

interface Waiter {
  readonly go: () => void;
}

/**
 * One engine process, started when it is needed, with room for some statements side by side. A statement that does not
 * stop when it is interrupted makes the process be replaced: new statements go to a new one, and the old one is killed
 * as soon as its other statements are done.
 */
export class EnginePool {
  readonly #options: PoolOptions;
  readonly #alive = new Set<EngineProcess>();
  /** Each holds one place, whether or not its process still lives. */
  readonly #leases = new Set<Lease>();
  readonly #waiting: Waiter[] = [];
  readonly #committing = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();
  #current: Promise<EngineProcess> | undefined;
  #used = 0;
  #idle: NodeJS.Timeout | undefined;
  #closed: Promise<void> | undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Fires when the pool is closed; its reason is the error to throw. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  /** Process ids of the engines that live. */
  get pids(): readonly number[] {
    return [...this.#alive].flatMap(({ pid }) => (pid === undefined ? [] : [pid]));
  }

  /**
   * Waits for room and for the process. `signal` ends the waiting; the promise then rejects with its reason. Give it
   * back with {@link release}.
   */
  async lease(signal: AbortSignal): Promise<Lease> {
    this.#closing.signal.throwIfAborted();
    await this.#room(signal);
    try {
      clearTimeout(this.#idle);
      const process = await raced(this.#process(), [signal, this.#closing.signal]);
      const lease: Lease = { process };
      this.#leases.add(lease);
      process.keepAlive(true);
      return lease;
    } catch (thrown) {
      this.#leave();
      throw thrown;
    }
  }

  /** The statement of the lease is over. */
  release(lease: Lease): void {
    if (!this.#leases.delete(lease)) return;
    this.#leave();
    if (this.#isBusy(lease.process)) return;
    if (lease.process.isRetired) lease.process.kill();
    else lease.process.keepAlive(false);
  }

  /** The statement of the lease does not stop. */
  giveUp(lease: Lease): void {
    if (!this.#leases.delete(lease)) return;
    // One that may write holds the lock of its file, so that no other could be opened beside it.
    if (this.#options.access === 'write' || !this.#isBusy(lease.process)) lease.process.kill();
    else lease.process.retire();
    this.#leave();
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
    clearTimeout(this.#idle);
    if (this.#committing.size > 0) await within(CLOSE_TIMEOUT_MS, Promise.allSettled(this.#committing));
    const exits: Promise<unknown>[] = [];
    for (const process of this.#alive) {
      exits.push(process.exited);
      // One that rests closes its database in peace.
      if (!this.#isBusy(process) && process.opened !== undefined) process.dismiss();
      else process.kill();
    }
    await within(CLOSE_TIMEOUT_MS, Promise.all(exits));
    for (const process of this.#alive) process.kill();
    await within(KILL_WAIT_MS, Promise.all(exits));
  }

  #isBusy(process: EngineProcess): boolean {
    return [...this.#leases].some((lease) => lease.process === process);
  }

  /** In order: who came first goes first. */
  async #room(signal: AbortSignal): Promise<void> {
    if (signal.aborted) throw signal.reason;
    if (this.#used < this.#options.size) {
      this.#used += 1;
      return;
    }
    let waiter: Waiter | undefined;
    const turn = new Promise<void>((go) => {
      waiter = { go };
      this.#waiting.push(waiter);
    });
    try {
      await raced(turn, [signal, this.#closing.signal]);
    } catch (thrown) {
      const place = waiter === undefined ? -1 : this.#waiting.indexOf(waiter);
      if (place >= 0) this.#waiting.splice(place, 1);
      // The turn came at the same moment.
      else this.#leave();
      throw thrown;
    }
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next !== undefined) {
      next.go();
      return;
    }
    this.#used -= 1;
    if (this.#used === 0 && this.#current !== undefined) this.#rest();
  }

  #rest(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => {
      const resting = this.#current;
      this.#current = undefined;
      void resting?.then(
        (process) => process.dismiss(),
        () => undefined,
      );
    }, this.#options.idleTimeoutMs);
    this.#idle.unref();
  }

  async #process(): Promise<EngineProcess> {
    for (;;) {
      this.#current ??= this.#start();
      const current = this.#current;
      const process = await current;
      if (process.isUsable) return process;
      // Another call may have started the next one by now.
      if (this.#current === current) this.#current = undefined;
    }
  }

  #start(): Promise<EngineProcess> {
    const starting = this.#begin();
    starting.catch(() => {
      // The next call tries again: the file may be there, or free, by then.
      if (this.#current === starting) this.#current = undefined;
    });
    return starting;
  }

  async #begin(): Promise<EngineProcess> {
    const process = await this.#options.start();
    if (this.#closing.signal.aborted) {
      process.kill();
      throw this.#closing.signal.reason;
    }
    this.#alive.add(process);
    void process.exited.then(() => this.#alive.delete(process));
    await process.ready;
    return process;
  }
}

/** Settles as `promise` does, or rejects with the reason of the first signal that fires. */
async function raced<T>(promise: Promise<T>, signals: readonly AbortSignal[]): Promise<T> {
  const over = AbortSignal.any([...signals]);
  promise.catch(() => undefined);
  const { promise: ended, reject } = Promise.withResolvers<never>();
  const onAbort = (): void => reject(over.reason);
  if (over.aborted) onAbort();
  else over.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([promise, ended]);
  } finally {
    over.removeEventListener('abort', onAbort);
  }
}
