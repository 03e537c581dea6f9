import { randomUUID } from 'node:crypto';
import {
  AskemaError,
  type Journal,
  type JournalEntry,
  journalInvalid,
  journalLocked,
  parseJournalEntry,
  type RunJournal,
  type Runtime,
  systemRuntime,
} from '@askema/core';
import { resolveHeartbeat } from '../connection/heartbeat.ts';
import { openStore, type Store } from '../connection/store.ts';
import { type Repeated, repeat } from '../runner/repeat.ts';
import { ensureTables } from '../tables/ensure-tables.ts';
import { beat, registerWorker, removeWorker, type Worker } from '../tables/worker-table.ts';
import {
  appendEntries,
  dropDeadHolders,
  type HeldRun,
  holdRun,
  lastSign,
  listRuns,
  readEntries,
  releaseRun,
  removeRun,
} from './run-table.ts';

/** What `postgresJournal` takes. */
export interface PostgresJournalOptions {
  /** `postgres://user:password@host:port/database`: the one of the runner. */
  readonly connection: string;
  /** Where the tables of this package stand; `askema` by default. */
  readonly schema?: string | undefined;
  /** False where this user must not make tables: `migrateDatabase` has made them before. Default: true. */
  readonly migrate?: boolean | undefined;
  /** How often this process says that it lives; 2,000 by default. */
  readonly heartbeatMs?: number | undefined;
  /**
   * Runs of a process that has not said so for this long can be opened by others; 20,000 by default: as that of the
   * runner.
   */
  readonly deadAfterMs?: number | undefined;
  readonly runtime?: Partial<Runtime> | undefined;
}

/** A journal that holds a few connections until it is closed. */
export interface PostgresJournal extends Journal {
  /** Lets go of the runs that are open, and of the database. */
  close(): Promise<void>;
}

/**
 * Core's {@link Journal} on PostgreSQL, for flows that jobs of a `dbosRunner` run: a job that another process takes
 * over goes on where its flow was, and does not pay for its finished model calls again. A run that its process left
 * open when it died can be opened as soon as that process counts as dead: `open` waits for it. A process that had only
 * seemed dead cannot write to such a run any more: its appends reject with `JOURNAL_LOCKED`.
 *
 * @throws AskemaError as `dbosRunner`.
 */
export async function postgresJournal(options: PostgresJournalOptions): Promise<PostgresJournal> {
  const { heartbeatMs, deadAfterMs } = resolveHeartbeat(options);
  const store = await openStore({
    connection: options.connection,
    schema: options.schema ?? 'askema',
    dbosSchema: 'dbos',
  });
  const worker: Worker = { id: `journal-${randomUUID()}`, runner: null, version: null, slots: 0, deadAfterMs };
  try {
    await ensureTables(store, options.migrate ?? true);
    await dropDeadHolders(store);
    await registerWorker(store, worker);
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
  const { sleep, logger } = systemRuntime(options.runtime);
  const living = repeat(
    async () => {
      if (!(await beat(store, worker.id))) await registerWorker(store, worker);
    },
    heartbeatMs,
    (thrown) => logger.warn(`The journal goes on after: ${String(thrown)}`),
  );
  return createJournal(store, worker.id, living, () => sleep(Math.max(10, Math.min(250, heartbeatMs / 4))));
}

function createJournal(store: Store, holder: string, living: Repeated, wait: () => Promise<void>): PostgresJournal {
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await living.stop();
    try {
      await releaseRun(store, holder);
      await removeWorker(store, holder);
    } finally {
      await store.close();
    }
  };
  return {
    async open(runId) {
      checkRunId(runId);
      const held = await holdWhenFree(store, runId, holder, wait);
      try {
        return openedRun(store, held, parseEntries(runId, await readEntries(store, runId)));
      } catch (thrown) {
        await releaseRun(store, holder, held).catch(() => {});
        throw thrown;
      }
    },
    read: async (runId) => parseEntries(runId, await readEntries(store, checkRunId(runId))),
    runIds: (options) => listRuns(store, options),
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * Rejects with `JOURNAL_LOCKED` as soon as the process that has the run says that it lives; until then it may be dead.
 */
async function holdWhenFree(store: Store, run: string, holder: string, wait: () => Promise<void>): Promise<HeldRun> {
  let before: string | undefined;
  for (;;) {
    const held = await holdRun(store, run, holder);
    if ('epoch' in held) return held;
    if (held.by === holder) throw journalLocked(run, 'this process');
    const sign = await lastSign(store, held.by);
    if (sign !== undefined && before !== undefined && sign.at !== before)
      throw journalLocked(run, `process ${sign.processId} on ${sign.host}`);
    before = sign?.at;
    await wait();
  }
}

function openedRun(store: Store, held: HeldRun, entries: readonly JournalEntry[]): RunJournal {
  let next = entries.length;
  let failure: unknown;
  let closed = false;
  let writing: Promise<void> = Promise.resolve();
  return {
    entries,
    append(added) {
      const write = writing.then(async () => {
        if (failure !== undefined) throw failure;
        if (closed) throw new AskemaError('INTERNAL', `The journal of run \`${held.run}\` is closed.`);
        if (added.length === 0) return;
        const stored = await appendEntries(
          store,
          held,
          next,
          added.map((entry) => JSON.stringify(entry)),
        );
        if (!stored)
          throw journalLocked(held.run, 'another process, which took it over because this one had seemed dead');
        next += added.length;
      });
      writing = write.catch((thrown: unknown) => {
        failure ??= thrown;
      });
      return write;
    },
    async close() {
      await writing;
      if (closed) return;
      closed = true;
      await releaseRun(store, held.holder, held);
    },
    async remove() {
      await writing;
      if (closed) throw new AskemaError('INTERNAL', `The journal of run \`${held.run}\` is closed.`);
      closed = true;
      if (!(await removeRun(store, held)))
        throw journalLocked(held.run, 'another process, which took it over because this one had seemed dead');
    },
  };
}

function parseEntries(runId: string, lines: readonly string[]): readonly JournalEntry[] {
  return lines.map((line, position) => {
    const where = `run \`${runId}\`, entry ${position + 1}`;
    let json: unknown;
    try {
      json = JSON.parse(line);
    } catch (thrown) {
      throw journalInvalid(where, 'is no JSON', thrown);
    }
    return parseJournalEntry(json, where);
  });
}

function checkRunId(runId: string): string {
  if (/^[^\0]{1,500}$/su.test(runId)) return runId;
  throw new AskemaError(
    'INPUT_INVALID',
    `\`${runId.slice(0, 50)}\` is no run id here: 1 to 500 characters, none of them U+0000.`,
  );
}
