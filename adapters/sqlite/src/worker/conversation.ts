import type { Answer } from '../protocol.ts';

/** Thrown inside the worker when the caller wants no more of a request. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Batches that may be on their way before the caller has taken the first one. */
const WINDOW = 4;

/** The worker's end of one request: sends the parts of the answer, and waits where the caller has a say. */
export class Conversation {
  readonly #post: (answer: Answer) => void;
  #credit = WINDOW;
  #stopped = false;
  #mayCommit = false;
  #wake: (() => void) | undefined;

  constructor(post: (answer: Answer) => void) {
    this.#post = post;
  }

  send(answer: Answer): void {
    this.#post(answer);
  }

  /** Waits until the caller has taken enough, so that neither side keeps more than a few batches. */
  async sendRows(rows: Extract<Answer, { type: 'rows' }>['rows']): Promise<void> {
    await this.#until(() => this.#credit > 0);
    this.#credit -= 1;
    this.#post({ type: 'rows', rows });
  }

  /**
   * Tells the caller that a change is ready, and waits for its word. A caller that has given up kills this process
   * instead.
   */
  async askToCommit(): Promise<void> {
    this.#post({ type: 'prepared' });
    await this.#until(() => this.#mayCommit);
  }

  more(): void {
    this.#credit += 1;
    this.#wake?.();
  }

  commit(): void {
    this.#mayCommit = true;
    this.#wake?.();
  }

  stop(): void {
    this.#stopped = true;
    this.#wake?.();
  }

  async #until(condition: () => boolean): Promise<void> {
    while (!condition()) {
      if (this.#stopped) throw new Stopped();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#stopped) throw new Stopped();
  }
}
