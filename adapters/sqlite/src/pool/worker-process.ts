import { DriverProcess } from '@askema/core/node';
import { MEMORY_MARK, PROTOCOL_VERSION, type SqliteTalk, type WorkerSettings } from '../protocol.ts';

/** One child process with the driver in it. It answers one request at a time. */
export type WorkerProcess = DriverProcess<SqliteTalk>;

export function startWorker(file: string, settings: WorkerSettings): WorkerProcess {
  return new DriverProcess({
    file,
    protocol: PROTOCOL_VERSION,
    settings,
    names: {
      process: 'A worker process of the SQLite adapter',
      driver: 'SQLite driver better-sqlite3',
      install: 'npm install better-sqlite3@13',
      packageName: '@askema/sqlite',
    },
    memoryMark: MEMORY_MARK,
    // `localtime` in a statement is the caller's.
    passOn: ['TZ', 'TZDIR', 'SQLITE_TMPDIR'],
  });
}
