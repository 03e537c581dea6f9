import { realpath } from 'node:fs/promises';
import { fileStamp } from '@askema/adapter-kit';
import type { CatalogStamps, StampOptions } from '@askema/core';
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
  /** By the look that they belong to. */
  const askedAhead = new WeakMap<StampOptions, Promise<string>>();
  const ask = ({ timeoutMs, context: { signal } }: StampOptions): Promise<string> =>
    client.value({ type: 'structure' }, { timeoutMs, signal, what: 'Looking whether the database has changed' });
  return {
    identity: async () => `file ${await place()}`,
    structure: (look) => askedAhead.get(look) ?? ask(look),
    data: async (look) => {
      // It is wanted next where the data has changed. Where not, SQLite has read its schema when the first statement comes,
      // while our side reads the file that was kept: of 20,000 tables it takes half a second.
      const asked = ask(look);
      askedAhead.set(look, asked);
      asked.catch(() => undefined);
      const file = await place();
      return fileStamp(COMPANIONS.map((suffix) => `${file}${suffix}`));
    },
  };
}
