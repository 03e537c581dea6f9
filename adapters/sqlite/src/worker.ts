/**
 * The program of a worker process: `@askema/sqlite/worker`. It is started by the adapter with `child_process.fork`, and
 * is of no use by itself. It imports nothing of core at run time, so that it is ready within some tens of milliseconds.
 */
import { runProcess } from '@askema/adapter-kit/process';
import { MEMORY_MARK, PROTOCOL_VERSION, type SqliteTalk } from './protocol.ts';
import { type Driver, loadDriver } from './worker/driver.ts';
import { openDatabase } from './worker/open-database.ts';

let driver: Driver;

runProcess<SqliteTalk>({
  packageName: '@askema/sqlite',
  protocol: PROTOCOL_VERSION,
  memory: ({ maxMemoryBytes: bytes }) => ({ bytes, mark: MEMORY_MARK }),
  load: () => {
    driver = loadDriver();
  },
  open: async (settings) => openDatabase(driver, settings),
});
