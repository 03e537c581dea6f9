import { AskemaError, type Dialect, type FunctionTraits } from '@askema/core';
import type { ParseResult } from '@askema/sql';
import type { ParsedDialect } from '../describe-query.ts';
import { type FromWorker, PROTOCOL_VERSION, type ToWorker, type WorkerSettings } from '../protocol.ts';

/** How one parse in a worker ended. After `broken` the worker is of no use any more. */
type WorkerAnswer =
  | { readonly type: 'result'; readonly result: ParseResult }
  | { readonly type: 'broken'; readonly message: string };

/**
 * A worker thread that parses one statement at a time. It keeps the process alive only while it has something to do.
 */
export interface WorkerThread {
  /** Resolves when it can parse. Rejects with `DEPENDENCY_MISSING` or `CONFIG_INVALID`. */
  readonly ready: Promise<void>;
  readonly isBroken: boolean;
  parse(sql: string, dialect: Dialect): Promise<WorkerAnswer>;
  /** Ends the thread, also in the middle of a parse, which is then answered with `broken`. */
  end(): Promise<void>;
}

const INSTALL: Readonly<Record<WorkerSettings['backEnd'], string>> = {
  'sqlparser-ts': '@guanmingchiu/sqlparser-ts@^0.62',
  'node-sql-parser': 'node-sql-parser@^5.4',
};

/** Starts a worker thread. @param maxMemoryMb heap of the thread, in mebibytes. */
export function startWorker(
  file: string,
  settings: Omit<WorkerSettings, 'protocol'>,
  maxMemoryMb: number,
): WorkerThread {
  const data: WorkerSettings = { ...settings, protocol: PROTOCOL_VERSION };
  // Loaded here, because most programs that load this one parse nothing: 5 ms of each start.
  const { Worker } = process.getBuiltinModule('node:worker_threads');
  // What the module's panic handler prints is no output of the application. The streams stay unread: reading would keep
  // the process alive, and a panic, which is all that writes to them, ends the worker.
  const worker = new Worker(file, {
    workerData: data,
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: maxMemoryMb },
  });
  const sent: ParsedDialect[] = [];
  let pending: { readonly id: number; answer(answer: WorkerAnswer): void } | undefined;
  let nextId = 0;
  let broken: string | undefined;

  const ready = Promise.withResolvers<void>();
  ready.promise.catch(() => undefined);
  const fail = (message: string): void => {
    broken ??= message;
    ready.reject(new AskemaError('CONFIG_INVALID', `The SQL parser's worker ${file} did not start: ${message}.`));
    pending?.answer({ type: 'broken', message: broken });
    pending = undefined;
  };
  worker.on('error', (error) => fail(error instanceof Error ? error.message : String(error)));
  worker.on('exit', (code) => fail(`it ended with code ${code}`));
  worker.on('message', (message: FromWorker) => {
    if (message.type === 'ready') ready.resolve();
    else if (message.type === 'unusable') {
      if (message.reason === 'dependency') ready.reject(dependencyMissing(data.backEnd, message.message));
      fail(message.message);
    } else if (pending?.id === message.id) {
      const { answer } = pending;
      pending = undefined;
      worker.unref();
      const read = readAnswer(message);
      if (read.type === 'broken') broken = read.message;
      answer(read);
    }
  });
  const post = (message: ToWorker): void => worker.postMessage(message);
  return {
    ready: ready.promise,
    get isBroken() {
      return broken !== undefined;
    },
    parse(sql, dialect) {
      if (broken !== undefined) return Promise.resolve({ type: 'broken', message: broken });
      const id = nextId++;
      const parsed = parsedDialect(dialect);
      const { grammar, functions, lexer } = parsed;
      let number = sent.findIndex(
        (known) => known.lexer === lexer && known.grammar === grammar && known.functions === functions,
      );
      if (number < 0) {
        number = sent.push(parsed) - 1;
        post({ type: 'dialect', number, dialect: parsed });
      }
      return new Promise((resolve) => {
        pending = { id, answer: resolve };
        worker.ref();
        post({ type: 'parse', id, dialect: number, sql });
      });
    },
    async end() {
      broken ??= 'it was ended';
      await worker.terminate();
    },
  };
}

function readAnswer(message: Extract<FromWorker, { readonly id: number }>): WorkerAnswer {
  if (message.type === 'broken') return { type: 'broken', message: message.message };
  try {
    return { type: 'result', result: JSON.parse(message.json) as ParseResult };
  } catch {
    return { type: 'broken', message: 'its answer is no JSON' };
  }
}

const NO_TRAITS: FunctionTraits = {};

function parsedDialect({ grammar = 'generic', functions = NO_TRAITS, lexer }: Dialect): ParsedDialect {
  return { grammar, functions, lexer };
}

function dependencyMissing(backEnd: WorkerSettings['backEnd'], message: string): AskemaError {
  const command = `npm install "${INSTALL[backEnd]}"`;
  return new AskemaError(
    'DEPENDENCY_MISSING',
    `@askema/sql-parser needs a package that is not installed for the back-end ${backEnd}. Install it: ${command} (${message})`,
  );
}
