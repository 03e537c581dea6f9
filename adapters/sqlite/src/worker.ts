/**
 * The program of a worker process: `@askema/sqlite/worker`. It is started by the adapter with `child_process.fork`, and is of no use by
 * itself. It imports nothing of core at run time, so that it is ready within some tens of milliseconds.
 */
import type { FromWorker, ToWorker, WorkerSettings } from './protocol.ts';
import { PROTOCOL_VERSION } from './protocol.ts';
import { type Driver, loadDriver } from './worker/driver.ts';
import { createRequestHandler, type RequestHandler } from './worker/handle-request.ts';
import { startWatchdog } from './worker/watchdog.ts';

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

if (process.send === undefined) {
  process.stderr.write('This program is started by @askema/sqlite; it does nothing by itself.\n');
  process.exitCode = 2;
} else {
  // Ctrl-C and a stopping service signal the whole group: the caller decides when a worker ends, and it ends with the caller.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit(0));
  process.on('message', (message: ToWorker) => {
    if (message.type === 'open') open(message.protocol, message.settings);
    else handler?.(message);
  });
}
