import { realpath } from 'node:fs/promises';
import { fileStamp } from '@askema/adapter-kit';
import type { CatalogStamps } from '@askema/core';
import type { Database } from './database.ts';

/** What SQLite writes beside a database that belongs to it; `-shm` holds nothing of its own. */
const COMPANIONS = ['', '-wal', '-journal'];

/**
 * The data is as it was while the file and its logs were not written to: no question to SQLite is as cheap, and its own
 * counters say less (that of the header stands still in WAL mode, `data_version` counts for one connection alone). The
 * structure is as it was while its statements are the same.
 */
export function createStamps({ client, options }: Database): CatalogStamps {
  const place = (): Promise<string> => realpath(options.file).catch(() => options.file);
  return {
    identity: async () => `file ${await place()}`,
    structure: ({ timeoutMs, context: { signal } }) =>
      client.value({ type: 'structure' }, { timeoutMs, signal, what: 'Looking whether the database has changed' }),
    data: async () => {
      const file = await place();
      return fileStamp(COMPANIONS.map((suffix) => `${file}${suffix}`));
    },
  };
}
