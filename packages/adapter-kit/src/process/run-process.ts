import { Worker } from 'node:worker_threads';
import type { DriverTalk, FromProcess, ProcessAnswer, ToProcess } from '@askema/core/node';
import { Conversation, RequestFailure, Stopped } from './conversation.ts';

/** What ends an answer; everything before it is sent: `conversation.send({ type: 'value', value })`. */
export type LastAnswer<T extends DriverTalk> = Extract<ProcessAnswer<T>, { readonly type: 'end' | 'failed' }>;

/** What a process can do once it has opened its database. */
export interface OpenedProcess<T extends DriverTalk> {
  /** What is said beside `ready`. */
  readonly ready: T['ready'];
  /** Answers a request, and gives the last part of the answer. Several may be asked for at a time. */
  readonly answer: (request: T['request'], conversation: Conversation<T>) => Promise<LastAnswer<T>>;
  /** What a request that threw is answered with; a {@link RequestFailure} has its own answer, and does not come here. */
  readonly explain: (thrown: unknown, request: T['request']) => T['failure'];
  /** The caller is gone, or needs this process no more. `isBusy`: a request runs. */
  readonly close?: ((isBusy: boolean) => void) | undefined;
}

interface ProcessProgram<T extends DriverTalk> {
  /** The package whose entry point `./worker` this is. */
  readonly packageName: string;
  /** Raised when a message changes. */
  readonly protocol: number;
  /** Loads the driver, at the start; what it throws is reported as a dependency that is missing. */
  readonly load: () => unknown;
  /** Opens the database, when the driver is loaded. What it cannot open it returns as `unopenable`. */
  readonly open: (settings: T['settings']) => Promise<OpenedProcess<T> | { readonly unopenable: T['unopenable'] }>;
  /**
   * The process ends itself when it holds more memory than `bytes`; `mark` is what it writes to stderr then, as
   * `DriverProcess` was told.
   */
  readonly memory: (settings: T['settings']) => { readonly bytes: number; readonly mark: string };
}

/**
 * The program of a driver's process: what `DriverProcess` of core starts. It opens when it is told to, answers requests,
 * and ends when its caller is gone. Signals to the whole group (Ctrl-C, a service that stops) are left to the caller.
 */
export function runProcess<T extends DriverTalk>(program: ProcessProgram<T>): void {
  if (process.send === undefined) {
    process.stderr.write(`This program is started by ${program.packageName}; it does nothing by itself.\n`);
    process.exitCode = 2;
    return;
  }
  // A program that was started ahead loads its driver before it is told what to open.
  const loading = (async () => program.load())();
  loading.catch(() => undefined);
  const watchdog = startWatchdog();
  const running = new Map<number, Conversation<T>>();
  let opened: OpenedProcess<T> | undefined;

  const answer = async ({ answer: answerIt, explain }: OpenedProcess<T>, id: number, request: T['request']) => {
    const conversation = new Conversation<T>((parts) => post<T>({ type: 'answer', id, parts }));
    running.set(id, conversation);
    let last: LastAnswer<T>;
    try {
      last = lastOf(await answerIt(request, conversation));
    } catch (thrown) {
      const isStopped = thrown instanceof Stopped || conversation.isStopped;
      const failure = () => (thrown instanceof RequestFailure ? thrown.failure : explain(thrown, request));
      last = isStopped ? { type: 'end' } : { type: 'failed', failure: failure() };
    }
    running.delete(id);
    conversation.send(last);
  };

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => {
    opened?.close?.(running.size > 0);
    // Nothing is left to do, and an exit would first wait for the threads of Node.
    process.kill(process.pid, 'SIGKILL');
  });
  process.on('message', async (message: ToProcess<T>) => {
    if (message.type === 'open')
      opened = await openProgram(program, { loading, watchdog }, message.protocol, message.settings);
    else if (message.type !== 'request') running.get(message.id)?.hear(message.type);
    else if (opened !== undefined) void answer(opened, message.id, message.request);
  });
}

/** A program in JavaScript may end with anything, and without a last part the caller would wait until its deadline. */
function lastOf<T extends DriverTalk>(last: LastAnswer<T>): LastAnswer<T> {
  if (last?.type === 'end' || last?.type === 'failed') return last;
  const type: unknown = (last as { readonly type?: unknown } | undefined)?.type;
  throw new Error(
    `The program of this process ended an answer with ${type === undefined ? 'nothing' : `the part \`${String(type)}\``}. Send parts with conversation.send(…), and return { type: 'end' } or { type: 'failed', failure }.`,
  );
}

async function openProgram<T extends DriverTalk>(
  { protocol, open, memory }: ProcessProgram<T>,
  { loading, watchdog }: { readonly loading: Promise<unknown>; readonly watchdog: Worker },
  asked: number,
  settings: T['settings'],
): Promise<OpenedProcess<T> | undefined> {
  if (protocol !== asked) {
    post({ type: 'unusable', reason: 'protocol', message: `it speaks protocol ${protocol}, not ${asked}` });
    return undefined;
  }
  try {
    await loading;
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    post({ type: 'unusable', reason: 'dependency', message });
    return undefined;
  }
  watchdog.postMessage(memory(settings));
  const opened = await open(settings);
  if ('unopenable' in opened) {
    post(opened.unopenable);
    return undefined;
  }
  post({ type: 'ready', protocol, ...opened.ready });
  return opened;
}

function post<T extends DriverTalk>(message: FromProcess<T>): void {
  // The channel is gone when the parent is; then this process ends as well.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}

/** The watchdog looks this often. */
const INTERVAL_MS = 100;

const parent = process.ppid;

/**
 * Runs in a thread, because a driver may block the main thread. A killed parent does not close a busy child, so the
 * thread watches `process.ppid` (on Windows it stays: there the process is looked up). An exit would wait for the
 * statements that run, so it kills. The text is evaluated, so that the program stays one file when it is bundled.
 */
const WATCHDOG = `
const { parentPort, workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const parent = workerData.parent;
let memory = { bytes: Infinity, mark: '' };
parentPort.once('message', (given) => { memory = given; });
const gone = () => {
  if (process.ppid !== parent) return true;
  try { process.kill(parent, 0); return false; } catch (error) { return error.code === 'ESRCH'; }
};
const end = () => process.kill(process.pid, 'SIGKILL');
setInterval(() => {
  if (gone()) end();
  if (process.memoryUsage.rss() > memory.bytes) {
    try { writeSync(2, memory.mark + '\\n'); } finally { end(); }
  }
}, workerData.intervalMs);
`;

/**
 * Ends this process, busy or not, when its parent is gone, or when it holds too much memory: how much is too much, it is
 * told before anything is opened. It starts at once, because starting a thread takes some milliseconds, and a process
 * that was started ahead has them.
 */
function startWatchdog(): Worker {
  const workerData = { parent, intervalMs: INTERVAL_MS };
  const watchdog = new Worker(WATCHDOG, { eval: true, execArgv: [], env: {}, workerData });
  watchdog.unref();
  return watchdog;
}
