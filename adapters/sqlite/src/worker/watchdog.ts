import { Worker } from 'node:worker_threads';
import { MEMORY_MARK } from '../protocol.ts';

/** The watchdog looks this often. */
const INTERVAL_MS = 100;

/**
 * Runs in a thread, because a statement of better-sqlite3 blocks the main thread and cannot be interrupted. A killed parent does not
 * close a busy child, so the thread watches `process.ppid` (on Windows it stays: there the process is looked up). The text is evaluated,
 * so that the worker stays one file when it is bundled.
 */
const SOURCE = `
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

/** Ends this process, busy or not, when its parent is gone or when it holds more than `maxMemoryBytes` of memory. */
export function startWatchdog(parent: number, maxMemoryBytes: number): void {
  const thread = new Worker(SOURCE, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { parent, maxMemoryBytes, mark: MEMORY_MARK, intervalMs: INTERVAL_MS },
  });
  thread.unref();
}
