import type { ChildProcess } from 'node:child_process';
import type { AskemaError } from '../../errors/askema-error.ts';
import { type ForkOptions, forkDriver, type StartedDriver } from './fork-driver.ts';
import type { DriverTalk, FromProcess, ProcessAnswer, RequestWord, ToProcess } from './messages.ts';
import { type ProcessNames, unavailableError, unusableError } from './process-errors.ts';

/** A process that is not ready after this time is given up. */
const START_TIMEOUT_MS = 60_000;

/** What the end of a process says on stderr is waited for so long. */
const LAST_WORDS_MS = 50;

/** So much of stderr is kept for an error message. */
const LAST_WORDS_CHARACTERS = 2_000;

/** Signals that a process gets by what it does itself. */
const CRASH = /^signal SIG(SEGV|ABRT|BUS|ILL|FPE|TRAP)$/;

/** How a process ended. */
export interface ProcessExit {
  readonly reason: 'killed' | 'memory' | 'unexpected';
  /** For a message: "signal SIGSEGV", "exit code 1: …". */
  readonly description: string;
  /** It ran one request alone, and ended by a signal of a crash: that request is what it failed of. */
  readonly isCrashOfOne: boolean;
}

/** Who made a request. Nothing is held of one whose answer has ended. */
export interface RequestListener<T extends DriverTalk> {
  /** A part of the answer. */
  readonly answer: (answer: ProcessAnswer<T>) => void;
  /** The process ended before the answer did. */
  readonly exited: (exit: ProcessExit) => void;
}

export interface DriverProcessOptions<T extends DriverTalk> extends ForkOptions {
  /** Raised when a message changes; a program of another version says `unusable`. */
  readonly protocol: number;
  readonly settings: T['settings'];
  /** For error messages. */
  readonly names: ProcessNames;
  /** What the program writes to stderr before it ends itself because it needs too much memory. */
  readonly memoryMark: string;
  /** A process of this program that was started ahead, and is taken if it still lives. */
  readonly started?: StartedDriver | undefined;
  /** Makes the error of a database that cannot be opened. */
  readonly explainOpening?: ((unopenable: T['unopenable']) => AskemaError) | undefined;
}

/**
 * A native driver in a child process. A driver that blocks its thread, or that nothing interrupts, cannot be stopped
 * within the caller's process, and a crash or a lack of memory would take the caller along; a process can be killed at
 * any moment. When that is done, and how many processes there are, is the adapter's to say; here is what each of them
 * needs: it starts with none of the caller's secrets in its environment, answers one or several requests at a time,
 * keeps the caller alive only while it works, and says why it ended.
 *
 * The other side, the program, imports of this package only types ({@link ToProcess}, {@link FromProcess}). It answers
 * `open` with `ready`, `unusable` or `unopenable`, and each request with parts of which the last one is `end` or
 * `failed`; it ends when its channel is closed, and it must watch by itself (`process.ppid`) for a caller that was
 * killed while a statement blocks it.
 */
export class DriverProcess<T extends DriverTalk> {
  readonly #child: ChildProcess;
  readonly #memoryMark: string;
  readonly #listeners = new Map<number, RequestListener<T>>();
  /**
   * Rejects with `DEPENDENCY_MISSING`, `CONFIG_INVALID`, `DATABASE_UNAVAILABLE`, or what `explainOpening` makes; the
   * process is then killed.
   */
  readonly ready: Promise<void>;
  readonly exited: Promise<ProcessExit>;
  #exit: ProcessExit | undefined;
  #opened: T['ready'] | undefined;
  #killed = false;
  #retired = false;
  #dismissed = false;
  #lastWords = '';
  #requests = 0;

  constructor(options: DriverProcessOptions<T>) {
    this.#memoryMark = options.memoryMark;
    this.#child = options.started?.take() ?? forkDriver(options);
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS_CHARACTERS);
    });
    this.exited = this.#watchExit();
    this.ready = this.#start(options);
    this.ready.catch(() => this.kill());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** What the process said when it was ready; undefined until then. */
  get opened(): T['ready'] | undefined {
    return this.#opened;
  }

  /**
   * False for one that was killed, retired or dismissed, or has lost its channel, even if its end has not been noticed
   * yet.
   */
  get isUsable(): boolean {
    return !this.#killed && !this.#retired && this.#child.connected;
  }

  get isRetired(): boolean {
    return this.#retired;
  }

  /** Sends a request, and tells `listener` of its answer. Returns what the caller may say meanwhile. */
  request(request: T['request'], listener: RequestListener<T>): (word: RequestWord) => void {
    this.#requests += 1;
    const id = this.#requests;
    this.#listeners.set(id, listener);
    this.#send({ type: 'request', id, request });
    if (this.#exit !== undefined) queueMicrotask(() => this.#tellExit());
    return (type) => {
      if (this.#listeners.has(id)) this.#send({ type, id });
    };
  }

  /** Whether this process keeps the caller's one alive: only one that works should. */
  keepAlive(alive: boolean): void {
    const how = alive ? 'ref' : 'unref';
    this.#child[how]();
    this.#child.channel?.[how]();
  }

  /** It is given no new requests; those that run may end. */
  retire(): void {
    this.#retired = true;
  }

  /** Ends an idle process in peace: it closes its database. */
  dismiss(): void {
    this.#retired = true;
    this.#dismissed = true;
    if (this.#child.connected) this.#child.disconnect();
  }

  /** Ends it at once, whatever it does. */
  kill(): void {
    this.#killed = true;
    this.#child.kill('SIGKILL');
  }

  #send(message: ToProcess<T>): void {
    // A process that has just died is noticed by its exit.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #start({ protocol, settings, names, explainOpening }: DriverProcessOptions<T>): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const unavailable = (what: string): void => reject(unavailableError(names, what));
    const timer = setTimeout(unavailable, START_TIMEOUT_MS, `did not start within ${START_TIMEOUT_MS} ms`);
    this.#child.on('message', (message: Exclude<FromProcess<T>, T['unopenable']>) => {
      switch (message.type) {
        case 'answer':
          return this.#receive(message.id, message.parts);
        case 'ready':
          this.#opened = message;
          return resolve();
        case 'unusable':
          return reject(unusableError(names, message));
        default:
          return reject(explainOpening?.(message) ?? unavailableError(names, 'gave no answer that is known'));
      }
    });
    void this.exited.then(({ description }) => unavailable(`ended before it was ready (${description})`));
    this.#send({ type: 'open', protocol, settings });
    return promise.finally(() => clearTimeout(timer));
  }

  #receive(id: number, parts: readonly ProcessAnswer<T>[]): void {
    const listener = this.#listeners.get(id);
    for (const answer of parts) {
      if (answer.type === 'end' || answer.type === 'failed') this.#listeners.delete(id);
      listener?.answer(answer);
    }
  }

  #tellExit(): void {
    if (this.#exit === undefined) return;
    const listeners = [...this.#listeners.values()];
    this.#listeners.clear();
    for (const { exited } of listeners) exited(this.#exit);
  }

  #watchExit(): Promise<ProcessExit> {
    const { promise, resolve } = Promise.withResolvers<ProcessExit>();
    const done = (description: string): void => {
      const memory = this.#lastWords.includes(this.#memoryMark);
      const reason = memory ? 'memory' : this.#killed ? 'killed' : 'unexpected';
      this.#exit = {
        reason,
        description: [description, this.#lastWords.trim()].filter(Boolean).join(': '),
        isCrashOfOne: reason === 'unexpected' && CRASH.test(description) && this.#listeners.size === 1,
      };
      resolve(this.#exit);
      // Behind those who wait for `exited`: a pool gives up the process before it hears of its requests.
      queueMicrotask(() => this.#tellExit());
    };
    this.#child.once('error', (error) => done(error.message));
    this.#child.once('exit', (code, signal) => {
      const description = signal === null ? `exit code ${code}` : `signal ${signal}`;
      // Ended by us: nothing to read, and without its channel no `close` comes. Otherwise stderr may hold the reason, and
      // comes after the exit.
      if (this.#killed || this.#dismissed) done(description);
      else {
        const timer = setTimeout(done, LAST_WORDS_MS, description);
        this.#child.once('close', () => {
          clearTimeout(timer);
          done(description);
        });
      }
    });
    return promise;
  }
}

/** Waits for a promise, but no longer than `timeoutMs`. */
export async function within(timeoutMs: number, done: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([done, timeout]);
  clearTimeout(timer);
}
