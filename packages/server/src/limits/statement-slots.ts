import { abortedError, throwIfAborted } from '@askema/core';

/** Statements that may wait for each one that may run; more are turned away. */
const WAITING_PER_SLOT = 16;
/** Of work that has no time of its own. */
const MAX_WAIT_MS = 30_000;

/** So many statements at a time; others wait for their turn, first come, first served. */
export class StatementSlots {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get isIdle(): boolean {
    return this.#running === 0;
  }

  /**
   * Resolves when the statement may run, with what ends it; undefined where too many wait, and when its turn has not come
   * within so many milliseconds. Rejects with `ABORTED` when the signal fires.
   */
  async enter(signal: AbortSignal | undefined, timeoutMs = MAX_WAIT_MS): Promise<(() => void) | undefined> {
    throwIfAborted(signal, 'The statement');
    if (this.#running < this.#most) this.#running += 1;
    else if (this.#waiting.length >= this.#most * WAITING_PER_SLOT) return undefined;
    else if (!(await this.#turn(signal, timeoutMs))) return undefined;
    let ended = false;
    return () => {
      if (ended) return;
      ended = true;
      // The place goes on to the next one.
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    };
  }

  /** False when it has not come in time. */
  #turn(signal: AbortSignal | undefined, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        resolve(true);
      };
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', stop);
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
      };
      const stop = (): void => {
        leave();
        reject(abortedError('The statement', signal?.reason));
      };
      const timer = setTimeout(() => {
        leave();
        resolve(false);
      }, timeoutMs);
      this.#waiting.push(go);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}
