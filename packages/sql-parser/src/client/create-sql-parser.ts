import { AskemaError, type Dialect, throwIfAborted } from '@askema/core';
import type { ParseOptions, ParseResult, SqlParser } from '@askema/sql';
import type { BackEndName } from '../back-end.ts';
import { readOptions, type SqlParserOptions } from './options.ts';
import { startWorker, type WorkerThread } from './worker-thread.ts';

/** A parser that owns a worker thread. */
export interface ClosableSqlParser extends SqlParser, AsyncDisposable {
  /** Ends the worker; parses that wait reject with `ABORTED`. Closing twice does nothing. */
  close(): Promise<void>;
}

export interface CreateSqlParserOptions extends SqlParserOptions {
  /** Default `sqlparser-ts`. */
  readonly backEnd?: BackEndName | undefined;
}

interface Job {
  readonly sql: string;
  readonly dialect: Dialect;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly settle: PromiseWithResolvers<ParseResult>;
}

/**
 * A parser that parses in a worker thread, one statement after another. A statement that breaks the back-end, or takes
 * too long, costs that thread; the next statement gets a new one. The thread starts with the first parse and keeps no
 * process alive while it waits.
 *
 * @throws AskemaError `CONFIG_INVALID` for invalid options, or a `workerPath` that does not exist.
 */
export function createSqlParser(options: CreateSqlParserOptions = {}): ClosableSqlParser {
  const { backEnd = 'sqlparser-ts' } = options;
  const settings = readOptions(options);
  const waiting: Job[] = [];
  let worker: WorkerThread | undefined;
  let current: Job | undefined;
  let isClosed = false;

  const start = (): WorkerThread => {
    if (worker === undefined || worker.isBroken)
      worker = startWorker(settings.workerFile(), { backEnd, limits: settings.limits }, settings.maxMemoryMb);
    return worker;
  };
  const replace = (): void => {
    const old = worker;
    worker = undefined;
    void old?.end();
  };

  const run = async (job: Job): Promise<ParseResult> => {
    const thread = start();
    const stopped = stopOf(job, thread.ready);
    try {
      const stop = await Promise.race([thread.ready, stopped.promise]);
      if (stop !== undefined) return stop;
      const answer = await Promise.race([thread.parse(job.sql, job.dialect), stopped.promise]);
      if ('ok' in answer) {
        replace();
        return answer;
      }
      if (answer.type === 'result') return answer.result;
      replace();
      if (isClosed) throw closed('ABORTED');
      return {
        ok: false,
        failure: 'parser broke',
        reason: `The SQL broke the parser (${answer.message}); it was replaced.`,
      };
    } catch (error) {
      replace();
      throw isClosed ? closed('ABORTED') : error;
    } finally {
      stopped.clear();
    }
  };
  const next = (): void => {
    if (current !== undefined) return;
    const job = waiting.shift();
    if (job === undefined) return;
    current = job;
    void run(job)
      .then(job.settle.resolve, job.settle.reject)
      .finally(() => {
        current = undefined;
        next();
      });
  };

  const close = async (): Promise<void> => {
    isClosed = true;
    for (const job of waiting.splice(0)) job.settle.reject(closed('ABORTED'));
    const old = worker;
    worker = undefined;
    await old?.end();
  };
  return {
    async parse(sql: string, dialect: Dialect, parseOptions: ParseOptions = {}): Promise<ParseResult> {
      const { signal, timeoutMs = settings.timeoutMs } = parseOptions;
      throwIfAborted(signal, 'The parse');
      if (isClosed) throw closed('INPUT_INVALID');
      const settle = Promise.withResolvers<ParseResult>();
      const job: Job = { sql, dialect, timeoutMs, signal, settle };
      waiting.push(job);
      const onAbort = (): void => {
        const index = waiting.indexOf(job);
        if (index < 0) return;
        waiting.splice(index, 1);
        settle.reject(aborted(signal));
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      next();
      try {
        return await settle.promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/**
 * What ends a parse from the outside: resolves at its time limit, rejects when it is aborted. The time begins when the
 * thread is ready.
 */
function stopOf(job: Job, ready: Promise<void>): { readonly promise: Promise<ParseResult>; clear(): void } {
  const { promise, resolve, reject } = Promise.withResolvers<ParseResult>();
  promise.catch(() => undefined);
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  const onTime = (): void =>
    resolve({ ok: false, failure: 'time limit', reason: `The SQL was not parsed within ${job.timeoutMs} ms.` });
  ready.then(
    () => {
      if (!isOver) timer = setTimeout(onTime, job.timeoutMs);
    },
    () => undefined,
  );
  const onAbort = (): void => reject(aborted(job.signal));
  if (job.signal?.aborted) onAbort();
  job.signal?.addEventListener('abort', onAbort, { once: true });
  return {
    promise,
    clear() {
      isOver = true;
      clearTimeout(timer);
      job.signal?.removeEventListener('abort', onAbort);
    },
  };
}

function aborted(signal: AbortSignal | undefined): AskemaError {
  return new AskemaError('ABORTED', 'The parse was aborted by its caller.', { cause: signal?.reason });
}

function closed(code: 'ABORTED' | 'INPUT_INVALID'): AskemaError {
  const message =
    code === 'ABORTED'
      ? 'The SQL parser was closed before this was parsed.'
      : 'The SQL parser is closed: make a new one.';
  return new AskemaError(code, message);
}
