/**
 * The program of the engine's process: `@askema/duckdb/worker`. It is started by the adapter with `child_process.fork`,
 * and is of no use by itself. It imports nothing of core at run time, so that it is ready within some tens of
 * milliseconds.
 */
import { writeSync } from 'node:fs';
import { sniffFile } from './files/sniff-file.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './protocol.ts';
import { MEMORY_MARK, PROTOCOL_VERSION } from './protocol.ts';
import { loadDriver } from './worker/driver.ts';
import { createRequestHandler, type RequestHandler } from './worker/handle-request.ts';
import { openEngine, RelationProblem } from './worker/open-engine.ts';
import { failureOf } from './worker/request-failure.ts';

/** The watchdog looks this often. */
const INTERVAL_MS = 100;

/** What Node, the driver and what DuckDB does not count take beside its memory limit. */
const SLACK_BYTES = 512 * 1024 * 1024;

const parent = process.ppid;
let handler: RequestHandler | undefined;

function post(message: FromWorker): void {
  // The channel is gone when the parent is; then this process ends as well.
  if (process.connected) process.send?.(message, undefined, {}, () => undefined);
}

async function open(protocol: number, settings: WorkerSettings): Promise<void> {
  if (protocol !== PROTOCOL_VERSION) {
    post({ type: 'unusable', reason: 'protocol', message: `it speaks protocol ${PROTOCOL_VERSION}, not ${protocol}` });
    return;
  }
  startWatchdog(parent, settings.maxMemoryBytes);
  let driver: Awaited<ReturnType<typeof loadDriver>>;
  try {
    driver = await loadDriver();
  } catch (thrown) {
    const message = thrown instanceof Error ? thrown.message : String(thrown);
    post({ type: 'unusable', reason: 'dependency', message });
    return;
  }
  if (settings.source.type === 'database') {
    const content = await sniffFile(settings.source.file).catch(() => 'unreadable' as const);
    if (content !== 'duckdb') {
      post({ type: 'noDatabase', content });
      return;
    }
  }
  try {
    const engine = await openEngine(driver, settings);
    handler = createRequestHandler(driver, engine, post);
    post({ type: 'ready', protocol: PROTOCOL_VERSION, problems: engine.problems });
  } catch (thrown) {
    const relation = thrown instanceof RelationProblem ? thrown.relation : undefined;
    post({
      type: 'unopenable',
      failure: failureOf(thrown instanceof RelationProblem ? thrown.cause : thrown),
      relation,
    });
  }
}

/**
 * Ends this process when its parent is gone, or when it holds far more memory than DuckDB's own limit allows: single
 * cells, and what stands between operators, are not counted by it. Statements run in other threads, so a timer is
 * enough.
 */
function startWatchdog(parent: number, maxMemoryBytes: number): void {
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

if (process.send === undefined) {
  process.stderr.write('This program is started by @askema/duckdb; it does nothing by itself.\n');
  process.exitCode = 2;
} else {
  // Ctrl-C and a stopping service signal the whole group: the caller decides when the engine ends, and it ends with the
  // caller.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => {
    if (handler?.close() === false) process.kill(process.pid, 'SIGKILL');
    else process.exit(0);
  });
  process.on('message', (message: ToWorker) => {
    if (message.type === 'open') void open(message.protocol, message.settings);
    else handler?.receive(message);
  });
}
