import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { AskemaError } from '@askema/core';
import type { Answer, FromWorker, WorkerRequest, WorkerSettings } from '../protocol.ts';
import { MEMORY_MARK, PROTOCOL_VERSION } from '../protocol.ts';

/** A worker that is not ready after this time is given up. */
const START_TIMEOUT_MS = 60_000;

/** What the end of a worker says on stderr is waited for so long. */
const LAST_WORDS_MS = 50;

/** So much of stderr is kept for an error message. */
const LAST_WORDS_CHARACTERS = 2_000;

/** What a worker needs of the caller's environment; secrets in it are none of its business. */
const ENVIRONMENT =
  /^(PATH|LD_LIBRARY_PATH|DYLD_.*|TZ|TZDIR|TMPDIR|TEMP|TMP|SQLITE_TMPDIR|SYSTEMROOT|WINDIR|LANG|LC_.*|NODE_PATH|ELECTRON_RUN_AS_NODE)$/i;

/** How a worker ended. */
export interface WorkerExit {
  readonly reason: 'killed' | 'memory' | 'unexpected';
  /** For a message: "signal SIGSEGV", "exit code 1: …". */
  readonly description: string;
}

/** One child process with the driver in it. It answers one request at a time. */
export class WorkerProcess {
  readonly #child: ChildProcess;
  readonly ready: Promise<void>;
  readonly exited: Promise<WorkerExit>;
  #killed = false;
  #lastWords = '';
  #requests = 0;
  #listener: ((answer: Answer) => void) | undefined;

  constructor(file: string, settings: WorkerSettings) {
    this.#child = fork(file, [], {
      serialization: 'advanced',
      execArgv: file.endsWith('.ts') && process.features.typescript === false ? ['--experimental-strip-types'] : [],
      env: Object.fromEntries(Object.entries(process.env).filter(([name]) => ENVIRONMENT.test(name))),
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#lastWords = (this.#lastWords + text).slice(-LAST_WORDS_CHARACTERS);
    });
    (this.#child.stderr as Socket | null)?.unref();
    this.exited = this.#watchExit();
    this.ready = this.#start(settings);
    this.ready.catch(() => this.kill());
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** False for one that was killed or has lost its channel, even if its end has not been noticed yet. */
  get isUsable(): boolean {
    return !this.#killed && this.#child.connected;
  }

  /** Sends a request; `listener` gets each part of the answer. Returns what the caller may say meanwhile. */
  request(request: WorkerRequest, listener: (answer: Answer) => void): (word: 'more' | 'stop' | 'commit') => void {
    this.#requests += 1;
    const id = this.#requests;
    this.#listener = listener;
    this.#send({ type: 'request', id, request });
    return (type) => {
      if (id === this.#requests) this.#send({ type, id });
    };
  }

  /** Whether this worker keeps the caller's process alive: only one that works does. */
  keepAlive(alive: boolean): void {
    const how = alive ? 'ref' : 'unref';
    this.#child[how]();
    this.#child.channel?.[how]();
  }

  /** Ends an idle worker in peace. */
  dismiss(): void {
    if (this.#child.connected) this.#child.disconnect();
  }

  kill(): void {
    this.#killed = true;
    this.#child.kill('SIGKILL');
  }

  #send(message: object): void {
    // A worker that has just died is noticed by its exit.
    if (this.#child.connected) this.#child.send(message, () => undefined);
  }

  #start(settings: WorkerSettings): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = setTimeout(
      () => reject(unavailable(`did not start within ${START_TIMEOUT_MS} ms`)),
      START_TIMEOUT_MS,
    );
    this.#child.on('message', (message: FromWorker) => {
      if (message.type === 'answer') {
        if (message.id === this.#requests) this.#listener?.(message.answer);
      } else if (message.type === 'ready') resolve();
      else reject(unusable(message));
    });
    void this.exited.then(({ description }) => reject(unavailable(`ended before it was ready (${description})`)));
    this.#send({ type: 'open', protocol: PROTOCOL_VERSION, settings });
    return promise.finally(() => clearTimeout(timer));
  }

  #watchExit(): Promise<WorkerExit> {
    const { promise, resolve } = Promise.withResolvers<WorkerExit>();
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
  return new AskemaError('DATABASE_UNAVAILABLE', `A worker process of the SQLite adapter ${what}. Try again.`, {
    retryable: true,
  });
}

function unusable({ reason, message }: Extract<FromWorker, { type: 'unusable' }>): AskemaError {
  if (reason === 'dependency')
    return new AskemaError(
      'DEPENDENCY_MISSING',
      `The SQLite driver better-sqlite3 could not be loaded: ${message.split('\n')[0]}. Install it with \`npm install better-sqlite3@13\`.`,
    );
  return new AskemaError(
    'CONFIG_INVALID',
    `The worker's program does not belong to this version of @askema/sqlite: ${message}. Point \`workerPath\` at the \`@askema/sqlite/worker\` of the same version.`,
  );
}
