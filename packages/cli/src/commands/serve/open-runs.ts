import { AskemaError, type Logger } from '@askema/core';
import { jsonlJournal } from '@askema/core/node';
import type { ServerOptions } from '@askema/server';
import { checkQueueAddress } from '../../database/queue-address.ts';
import { parseCount } from '../../flags/parse-count.ts';
import type { ServeFlags } from './serve.ts';
import type { StateFiles } from './state-files.ts';

/** Where questions are kept and worked on. */
interface OpenRuns {
  readonly options: Pick<ServerOptions, 'journal' | 'runner'>;
  /** For whoever starts the server. */
  readonly told: string;
  /** Resolves when work can begin, once a server has these options; rejects with what is in the way. */
  opened(): Promise<void>;
  close(): Promise<void>;
}

/** Servers with one address share the queue of this name: each deployment has a database of its own. */
const QUEUE = 'askema serve';
const CONCURRENCY = '16';
/** Somebody waits for an answer: a dead server is noticed sooner than in an evaluation. */
const LIVENESS = { heartbeatMs: 1_000, deadAfterMs: 10_000 };
const POLL_MS = 100;
const CLOSE_MS = 3_000;

/**
 * A folder, the database of `--queue`, or memory. Rejects with `CONFIG_INVALID` for an address that is none of PostgreSQL
 * or has a password, and as `postgresJournal` where the database cannot be used.
 */
export async function openRuns(flags: ServeFlags, files: StateFiles, logger: Logger): Promise<OpenRuns> {
  if (flags.queue !== undefined) return openShared(flags.queue, flags.concurrency ?? CONCURRENCY, logger);
  if (flags.concurrency !== undefined)
    throw new AskemaError('INPUT_INVALID', '--concurrency needs --queue: without one, a server begins all at once.');
  const nothing = async (): Promise<void> => undefined;
  const { journalFolder, journalFsync = false } = files;
  return {
    options:
      journalFolder === undefined ? {} : { journal: jsonlJournal({ directory: journalFolder, fsync: journalFsync }) },
    told: journalFolder ?? 'in memory, the last ones',
    opened: nothing,
    close: nothing,
  };
}

async function openShared(address: string, count: string, logger: Logger): Promise<OpenRuns> {
  checkQueueAddress(address);
  const concurrency = parseCount(count, '--concurrency');
  const { dbosRunner, postgresJournal } = await import('@askema/dbos');
  const shared = { connection: address, runtime: { logger }, ...LIVENESS };
  const journal = await postgresJournal(shared);
  let runner: Promise<unknown> | undefined;
  return {
    options: {
      journal,
      runner(jobs) {
        const opened = dbosRunner({
          ...{ jobs, ...shared, name: QUEUE, concurrency, pollMs: POLL_MS, closeTimeoutMs: CLOSE_MS },
        });
        runner = opened;
        return opened;
      },
    },
    told: `${address}, shared; here ${concurrency} questions at a time`,
    async opened() {
      await runner;
    },
    close: () => journal.close(),
  };
}
