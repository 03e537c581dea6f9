import { writeSync } from 'node:fs';
import { MEMORY_MARK } from '../protocol.ts';

/** The watchdog looks this often. */
const INTERVAL_MS = 100;

/** What Node, the driver and what DuckDB does not count take beside its memory limit. */
const SLACK_BYTES = 512 * 1024 * 1024;

/**
 * Ends this process when its parent is gone, or when it holds far more memory than DuckDB's own limit allows: single cells, and what stands between
 * operators, are not counted by it. Statements run in other threads, so that a timer is enough.
 */
export function startWatchdog(parent: number, maxMemoryBytes: number): void {
  const most = maxMemoryBytes * 1.25 + SLACK_BYTES;
  setInterval(() => {
    if (isGone(parent)) end();
    if (process.memoryUsage.rss() > most) {
      writeSync(2, `${MEMORY_MARK}\n`);
      end();
    }
  }, INTERVAL_MS).unref();
}

/** On Windows `process.ppid` stays when the parent ends: there the process is looked up. */
function isGone(parent: number): boolean {
  if (process.ppid !== parent) return true;
  try {
    process.kill(parent, 0);
    return false;
  } catch (thrown) {
    return (thrown as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

/** An exit would wait for the statements that run. */
function end(): void {
  process.kill(process.pid, 'SIGKILL');
}
