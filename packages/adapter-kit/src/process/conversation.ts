import type { DriverTalk, ProcessAnswer, RequestWord } from '@askema/core/node';
import type { ProcessFailure } from './requests.ts';

/** Thrown inside of a process when the caller wants no more of a request. */
export class Stopped extends Error {
  override readonly name = 'Stopped';
}

/** Carries a failure out of the depth of a request to the one place that answers it. */
export class RequestFailure<Failure extends { readonly kind: string } = ProcessFailure> extends Error {
  override readonly name = 'RequestFailure';
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.kind);
    this.failure = failure;
  }
}

/** Batches that may be on their way before the caller has taken the first one. */
const WINDOW = 4;

/** An interrupt that comes between two statements is lost, so it is said again. */
const INTERRUPT_AGAIN_MS = 20;

/**
 * The process's end of one request: sends the parts of the answer, and waits where the caller has a say. Parts that are
 * there together go as one message.
 */
export class Conversation<T extends DriverTalk> {
  readonly #post: (parts: readonly ProcessAnswer<T>[]) => void;
  #held: ProcessAnswer<T>[] = [];
  #sending: NodeJS.Immediate | undefined;
  #credit = WINDOW;
  #stopped = false;
  #mayCommit = false;
  #wake: (() => void) | undefined;
  #interrupt: (() => void) | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(post: (parts: readonly ProcessAnswer<T>[]) => void) {
    this.#post = post;
  }

  get isStopped(): boolean {
    return this.#stopped;
  }

  /** What stops the statement that runs, where the driver can. */
  onStop(interrupt: () => void): void {
    this.#interrupt = interrupt;
    if (this.#stopped) this.#interruptAgain();
  }

  /** The caller waits for the last part of an answer, and has to answer `prepared`; others are sent a little later. */
  send(answer: ProcessAnswer<T>): void {
    this.#held.push(answer);
    if (answer.type === 'end' || answer.type === 'failed' || answer.type === 'prepared') this.flush();
    else this.#sending ??= setImmediate(() => this.flush());
  }

  /** Sends what is held. */
  flush(): void {
    clearImmediate(this.#sending);
    this.#sending = undefined;
    const parts = this.#held;
    this.#held = [];
    if (parts.length > 0) this.#post(parts);
  }

  /** Waits until the caller has taken enough, so that neither side keeps more than a few batches. */
  async sendRows(rows: Extract<ProcessAnswer<T>, { type: 'rows' }>['rows']): Promise<void> {
    await this.#until(() => this.#credit > 0);
    this.#credit -= 1;
    this.send({ type: 'rows', rows });
  }

  /**
   * Tells the caller, who knows whether the deadline has passed or an abort has come, that a change is ready, and waits
   * for its word.
   */
  async askToCommit(): Promise<void> {
    this.send({ type: 'prepared' });
    await this.#until(() => this.#mayCommit);
  }

  /** What the caller says. */
  hear(word: RequestWord): void {
    if (word === 'more') this.#credit += 1;
    else if (word === 'commit') {
      this.#mayCommit = true;
      // What stands is told to its end, whether or not somebody still listens.
      this.#credit = Number.POSITIVE_INFINITY;
    } else {
      this.#stopped = true;
      this.#interruptAgain();
    }
    this.#wake?.();
  }

  /** Nothing runs any more: what runs next on the same connection is not interrupted. */
  release(): void {
    this.#interrupt = undefined;
    clearInterval(this.#timer);
  }

  throwIfStopped(): void {
    if (this.#stopped) throw new Stopped();
  }

  #interruptAgain(): void {
    if (this.#interrupt === undefined || this.#timer !== undefined) return;
    this.#interrupt();
    this.#timer = setInterval(this.#interrupt, INTERRUPT_AGAIN_MS);
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
