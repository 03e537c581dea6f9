import type { RequestWord } from '@askema/core/node';
import type { Answer } from '../protocol.ts';
import { RequestFailure } from './request-failure.ts';

/** Batches that may be on their way before the caller has taken the first one. */
const WINDOW = 4;

/** An interrupt that comes between two statements is lost, so it is said again. */
const INTERRUPT_AGAIN_MS = 20;

/** The worker's end of one request: sends the parts of the answer, and waits where the caller has a say. */
export class Conversation {
  readonly #post: (answer: Answer) => void;
  #credit = WINDOW;
  #stopped = false;
  #mayCommit = false;
  #wake: (() => void) | undefined;
  #interrupt: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(post: (answer: Answer) => void) {
    this.#post = post;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** What stops the statement that runs. */
  onStop(interrupt: () => void): void {
    this.#interrupt = interrupt;
    if (this.#stopped) this.stop();
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

  /** Tells the caller that a change is ready, and waits for its word. */
  async askToCommit(): Promise<void> {
    this.#post({ type: 'prepared' });
    await this.#until(() => this.#mayCommit);
  }

  hear(word: RequestWord): void {
    if (word === 'more') this.#credit += 1;
    else if (word === 'commit') this.#mayCommit = true;
    else this.stop();
    this.#wake?.();
  }

  stop(): void {
    this.#stopped = true;
    if (this.#interrupt === undefined || this.#timer !== undefined) return;
    this.#interrupt();
    this.#timer = setInterval(this.#interrupt, INTERRUPT_AGAIN_MS);
  }

  /** Nothing runs any more. */
  release(): void {
    this.#interrupt = undefined;
    clearInterval(this.#timer);
  }

  throwIfStopped(): void {
    if (this.#stopped) throw new RequestFailure({ kind: 'stopped' });
  }

  async #until(condition: () => boolean): Promise<void> {
    this.throwIfStopped();
    while (!condition()) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.throwIfStopped();
    }
  }
}
