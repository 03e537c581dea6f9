/**
 * The program of the engine's process: `@askema/duckdb/worker`. It is started by the adapter with `child_process.fork`, and is of no use by
 * itself. It imports nothing of core at run time, so that it is ready within some tens of milliseconds.
 */
import { sniffFile } from './files/sniff-file.ts';
import type { FromWorker, ToWorker, WorkerSettings } from './protocol.ts';
import { PROTOCOL_VERSION } from './protocol.ts';
import { loadDriver } from './worker/driver.ts';
import { failureOf } from './worker/engine-failure.ts';
import { createRequestHandler, type RequestHandler } from './worker/handle-request.ts';
import { openEngine, RelationProblem } from './worker/open-engine.ts';
import { startWatchdog } from './worker/watchdog.ts';

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
    handler = createRequestHandler(driver, engine, settings.access, post);
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

if (process.send === undefined) {
  process.stderr.write('This program is started by @askema/duckdb; it does nothing by itself.\n');
  process.exitCode = 2;
} else {
  // Ctrl-C and a stopping service signal the whole group: the caller decides when the engine ends, and it ends with the caller.
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
