import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { AskemaError } from '@askema/core';
import {
  type Answer,
  type FileProblem,
  type FromWorker,
  MEMORY_MARK,
  PROTOCOL_VERSION,
  type Word,
  type WorkerRequest,
  type WorkerSettings,
} from '../protocol.ts';

/** A process that is not ready after this time is given up. */
const START_TIMEOUT_MS = 60_000;

/** What the end of a process says on stderr is waited for so long. */
const LAST_WORDS_MS = 50;

/** So much of stderr is kept for an error message. */
const LAST_WORDS_CHARACTERS = 2_000;

/** What the process needs of the caller's environment; secrets in it are none of its business. */
const ENVIRONMENT =
  /^(PATH|LD_LIBRARY_PATH|DYLD_.*|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|LANG|LC_.*|NODE_PATH|ELECTRON_RUN_AS_NODE)$/i;

/** How a process ended. */
export interface ProcessExit {
  readonly reason: 'killed' | 'memory' | 'unexpected';
  /** For a message: "signal SIGSEGV", "exit code 1: …". */
  readonly description: string;
}

/** What a process says of a database or a file that cannot be opened. */
export type Unopenable = Extract<FromWorker, { type: 'unopenable' | 'noDatabase' }>;

export interface ProcessOptions {
  readonly file: string;
  readonly settings: WorkerSettings;
  /** Statements that run side by side. */
  readonly poolSize: number;
  /** Makes the error of a database or a file that cannot be opened. */
  readonly explainOpening: (unopenable: Unopenable) => AskemaError;
}

/** The child process with the engine in it. It answers several requests at a time. */
export class EngineProcess {
  readonly #child: ChildProcess;
  readonly #listeners = new Map<number, (answer: Answer) => void>();
  readonly ready: Promise<void>;
  readonly exited: Promise<ProcessExit>;
  problems: readonly FileProblem[] = [];
  #ready = false;
  #killed = false;
  #retired = false;
  #lastWords = '';
  #requests = 0;

  constructor({ file, settings, poolSize, explainOpening }: ProcessOptions) {
    this.#child = fork(file, [], {
      serialization: 'advanced',
      execArgv: file.endsWith('.ts') && process.features.typescript === false ? ['--experimental-strip-types'] : [],
      env: {
        ...Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name))),
        TZ: 'UTC',
        // Each statement that runs holds one of these threads, and opening or closing one more.
        UV_THREADPOOL_SIZE: String(poolSize + 2),
      },
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS_CHARACTERS);
    });
    (this.#child.stderr as Socket | null)?.unref();
    this.exited = this.#watchExit();
    this.ready = this.#start(settings, explainOpening);
    this.ready.catch(() => this.kill());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** False for one that was killed, retired or has lost its channel, even if its end has not been noticed yet. */
  get isUsable(): boolean {
    return !this.#killed && !this.#retired && this.#child.connected;
  }

  /** Sends a request; `listener` gets each part of the answer. Returns what the caller may say meanwhile. */
  request(request: WorkerRequest, listener: (answer: Answer) => void): (word: Word) => void {
    this.#requests += 1;
    const id = this.#requests;
    this.#listeners.set(id, listener);
    this.#send({ type: 'request', id, request });
    return (type) => {
      if (this.#listeners.has(id)) this.#send({ type, id });
    };
  }

  /** Whether this process keeps the caller's one alive: only one that works does. */
  keepAlive(alive: boolean): void {
    const how = alive ? 'ref' : 'unref';
    this.#child[how]();
    this.#child.channel?.[how]();
  }

  /** Ends an idle process in peace: it closes its database. */
  dismiss(): void {
    this.#retired = true;
    if (this.#child.connected) this.#child.disconnect();
  }

  /** Takes no more requests; it is killed when nobody waits for it any more. `given up` is one that does not stop. */
  retire(stillNeeded: number): void {
    this.#retired = true;
    if (stillNeeded === 0) this.kill();
  }

  /** Its database is open. */
  get isReady(): boolean {
    return this.#ready;
  }

  get isRetired(): boolean {
    return this.#retired;
  }

  kill(): void {
    this.#killed = true;
    this.#child.kill('SIGKILL');
  }

  #send(message: object): void {
    // A process that has just died is noticed by its exit.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #start(settings: WorkerSettings, explainOpening: ProcessOptions['explainOpening']): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(
      () => reject(unavailable(`did not start within ${START_TIMEOUT_MS} ms`)),
      START_TIMEOUT_MS,
    );
    this.#child.on('message', (message: FromWorker) => {
      if (message.type === 'answer') this.#receive(message.id, message.answer);
      else if (message.type === 'ready') {
        this.problems = message.problems;
        this.#ready = true;
        resolve();
      } else if (message.type === 'unusable') reject(unusable(message));
      else reject(explainOpening(message));
    });
    void this.exited.then(({ description }) => reject(unavailable(`ended before it was ready (${description})`)));
    this.#send({ type: 'open', protocol: PROTOCOL_VERSION, settings });
    return promise.finally(() => clearTimeout(timer));
  }

  #receive(id: number, answer: Answer): void {
    const listener = this.#listeners.get(id);
    if (answer.type === 'end' || answer.type === 'failed') this.#listeners.delete(id);
    listener?.(answer);
  }

  #watchExit(): Promise<ProcessExit> {
    const { promise, resolve } = Promise.withResolvers<ProcessExit>();
    const done = (description: string): void => {
      const memory = this.#lastWords.includes(MEMORY_MARK);
      const reason = memory ? 'memory' : this.#killed ? 'killed' : 'unexpected';
      resolve({ reason, description: [description, this.#lastWords.trim()].filter(Boolean).join(': ') });
    };
    this.#child.once('error', (error) => done(error.message));
    this.#child.once('exit', (code, signal) => {
      const description = signal === null ? `exit code ${code}` : `signal ${signal}`;
      // Killed by us: nothing to read. Otherwise stderr may hold the reason, and comes after the exit.
      if (this.#killed) done(description);
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

function unavailable(what: string): AskemaError {
  return new AskemaError('DATABASE_UNAVAILABLE', `The engine's process of the DuckDB adapter ${what}. Try again.`, {
    retryable: true,
  });
}

function unusable({ reason, message }: Extract<FromWorker, { type: 'unusable' }>): AskemaError {
  if (reason === 'dependency')
    return new AskemaError(
      'DEPENDENCY_MISSING',
      `The DuckDB driver @duckdb/node-api could not be loaded: ${message.split('\n')[0]}. Install it with \`npm install @duckdb/node-api@^1.5.0\`.`,
    );
  return new AskemaError(
    'CONFIG_INVALID',
    `The engine's program does not belong to this version of @askema/duckdb: ${message}. Point \`workerPath\` at the \`@askema/duckdb/worker\` of the same version.`,
  );
}
