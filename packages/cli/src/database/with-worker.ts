import { resolve } from 'node:path';
import type { StartedDriver } from '@askema/sqlite/start';
import type { CommandContext } from '../process/command-context.ts';
import { kindOfFile } from './database-file.ts';

/**
 * Runs a command on a database. Where that is a SQLite file, the process that will read it starts first, so that it is
 * ready when the modules of the command are loaded; it ends with the command when nobody needed it.
 */
export async function withWorker<T>(
  database: string | undefined,
  context: CommandContext,
  run: (context: CommandContext) => Promise<T>,
): Promise<T> {
  const worker = await startFor(database, context.host.cwd);
  try {
    return await run({ ...context, worker });
  } finally {
    worker?.end();
  }
}

/** What goes wrong here, opening the database tells. */
async function startFor(database: string | undefined, cwd: string): Promise<StartedDriver | undefined> {
  try {
    if (database === undefined || kindOfFile(resolve(cwd, database)) !== 'sqlite') return undefined;
    const { startWorker } = await import('@askema/sqlite/start');
    return startWorker();
  } catch {
    return undefined;
  }
}
