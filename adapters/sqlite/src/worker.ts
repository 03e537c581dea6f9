/**
 * The program of a worker process: `@askema/sqlite/worker`. It is started by the adapter with `child_process.fork`, and
 * is of no use by itself. It imports nothing of core at run time, so that it is ready within some tens of milliseconds.
 */
import { Worker } from 'node:worker_threads';
import type { FromWorker, ToWorker, WorkerSettings } from './protocol.ts';
import { MEMORY_MARK, PROTOCOL_VERSION } from './protocol.ts';
import { type Driver, loadDriver } from './worker/driver.ts';
import { createRequestHandler, type RequestHandler } from './worker/handle-request.ts';

/** The watchdog looks this often. */
const INTERVAL_MS = 100;

/**
 * Runs in a thread, because a statement of better-sqlite3 blocks the main thread and cannot be interrupted. A killed
 * parent does not close a busy child, so the thread watches `process.ppid` (on Windows it stays: there the process is
 * looked up). The text is evaluated, so that the worker stays one file when it is bundled.
 */
const WATCHDOG = `
const { workerData } = require('node:worker_threads');
const { writeSync } = require('node:fs');
const parent = workerData.parent;
const gone = () => {
  if (process.ppid !== parent) return true;
  try { process.kill(parent, 0); return false; } catch (error) { return error.code === 'ESRCH'; }
};
const end = () => process.kill(process.pid, 'SIGKILL');
setInterval(() => {
  if (gone()) end();
  if (process.memoryUsage.rss() > workerData.maxMemoryBytes) {
    try { writeSync(2, workerData.mark + '\\n'); } finally { end(); }
  }
}, workerData.intervalMs);
`;

const parent = process.ppid;
let handler: RequestHandler | undefined;

function post(message: FromWorker): void {
  // The channel is gone when the parent is; then this process ends as well.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}

function open(protocol: number, settings: WorkerSettings): void {
  if (protocol !== PROTOCOL_VERSION) {
    post({ type: 'unusable', reason: 'protocol', message: `it speaks protocol ${PROTOCOL_VERSION}, not ${protocol}` });
    return;
  }
  let driver: Driver;
  try {
    driver = loadDriver();
  } catch (thrown) {
    post({
      type: 'unusable',
      reason: 'dependency',
      message: thrown instanceof Error ? thrown.message : String(thrown),
    });
    return;
  }
  handler = createRequestHandler(driver, settings, post);
  post({ type: 'ready', protocol: PROTOCOL_VERSION });
  startWatchdog(parent, settings.maxMemoryBytes);
}

/** Ends this process, busy or not, when its parent is gone or when it holds more than `maxMemoryBytes` of memory. */
function startWatchdog(parent: number, maxMemoryBytes: number): void {
  const thread = new Worker(WATCHDOG, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { parent, maxMemoryBytes, mark: MEMORY_MARK, intervalMs: INTERVAL_MS },
  });
  thread.unref();
}

if (process.send === undefined) {
  process.stderr.write('This program is started by @askema/sqlite; it does nothing by itself.\n');
  process.exitCode = 2;
} else {
  // Ctrl-C and a stopping service signal the whole group: the caller decides when a worker ends, and it ends with the
  // caller.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (message: ToWorker) => {
    if (message.type === 'open') open(message.protocol, message.settings);
    else handler?.(message);
  });
}
