import { abortedError, throwIfAborted } from '@askema/core';

/** Statements that may wait for each one that may run; more are turned away. */
const WAITING_PER_SLOT = 16;

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
   * Resolves when the statement may run, with what ends it; undefined where too many wait. Rejects with `ABORTED` when
   * the signal fires.
   */
  async enter(signal: AbortSignal | undefined): Promise<(() => void) | undefined> {
    throwIfAborted(signal, 'The statement');
    if (this.#running < this.#most) this.#running += 1;
    else if (this.#waiting.length >= this.#most * WAITING_PER_SLOT) return undefined;
    else await this.#turn(signal);
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

  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const go = (): void => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const stop = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(abortedError('The statement', signal?.reason));
      };
      this.#waiting.push(go);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }
}
