import { randomUUID } from 'node:crypto';
import {
  AskemaError,
  abortedError,
  decodeValue,
  encodeValue,
  type Jobs,
  type JsonValue,
  type Runner,
  systemRuntime,
} from '@askema/core';
import { openStore, type Store } from '../connection/store.ts';
import { ensureTables } from '../tables/ensure-tables.ts';
import { rememberIn } from '../tables/result-table.ts';
import { beat, registerWorker, removeWorker } from '../tables/worker-table.ts';
import { giveBack, lostWorkflows, openWorkflow, takeOverDead } from '../tables/workflow-table.ts';
import { ActiveJobs } from './active-jobs.ts';
import { AwaitedResults } from './await-results.ts';
import { type DbosHost, launchHost } from './dbos-host.ts';
import { type DbosRunnerOptions, resolveRunnerOptions } from './dbos-runner-options.ts';
import { enqueueJob } from './enqueue-job.ts';
import { repeat } from './repeat.ts';

/**
 * Core's {@link Runner} as a durable queue on PostgreSQL, by DBOS Transact: processes on any number of machines that
 * open one with the same `name` share its jobs, and each gets all results. Every job has exactly one result. Its work
 * is done at least once: what a process had begun when it died is begun again by another, except for what `run` had
 * remembered. `close` stops what this process does and leaves it to the others.
 *
 * @throws AskemaError `DEPENDENCY_MISSING` without `@dbos-inc/dbos-sdk` or `pg`; `CONFIG_INVALID` for a wrong password,
 * missing rights, tables of another version, or a second runner in this process; `DATABASE_UNAVAILABLE` when no server
 * answers; `DATABASE_NOT_FOUND`.
 */
export async function dbosRunner<const Known extends Jobs>(options: DbosRunnerOptions<Known>): Promise<Runner<Known>> {
  const settings = resolveRunnerOptions(options);
  const store = await openStore({
    connection: options.connection,
    schema: options.schema ?? 'askema',
    dbosSchema: options.dbosSchema ?? 'dbos',
  });
  try {
    await ensureTables(store, settings.migrate);
    return (await openRunner(options, settings, store)) as unknown as Runner<Known>;
  } catch (thrown) {
    await store.close();
    throw thrown;
  }
}

type Settings = ReturnType<typeof resolveRunnerOptions>;

async function openRunner(options: DbosRunnerOptions<Jobs>, settings: Settings, store: Store): Promise<Runner<Jobs>> {
  const { name, version, concurrency, deadAfterMs, pollMs } = settings;
  const { logger, sleep } = systemRuntime(options.runtime);
  const executorId = `askema-${randomUUID()}`;
  const remember = rememberIn(store, name);
  const awaited = new AwaitedResults();
  const active = new ActiveJobs({
    jobs: options.jobs,
    remember,
    readSignal: (id, number) => readSignal(store, name, id, number),
    sleep: (signal) => sleep(pollMs, signal),
  });
  const worker = { id: executorId, runner: name, version, slots: concurrency, deadAfterMs };
  await registerWorker(store, worker);
  let host: DbosHost;
  try {
    host = await launchHost({
      ...settings,
      store,
      executorId,
      logger,
      perform: (workflowId, job, id, input) => active.perform(workflowId, job, id, input),
    });
  } catch (thrown) {
    await removeWorker(store, executorId).catch(() => {});
    throw thrown;
  }

  const warn = (thrown: unknown): void => logger.warn(`The runner \`${name}\` goes on after: ${String(thrown)}`);
  const living = repeat(
    async () => {
      if (!(await beat(store, executorId))) await registerWorker(store, worker);
      const jobs = await takeOverDead(store, name, deadAfterMs);
      if (jobs > 0) logger.warn(`The runner \`${name}\` queued ${jobs} jobs of a dead process again.`, { jobs });
    },
    settings.heartbeatMs,
    warn,
  );
  const looking = repeat(
    async () => {
      await stopLost(store, executorId, active);
      await awaited.collect(host.dbos);
    },
    pollMs,
    warn,
  );

  const closed = Promise.withResolvers<never>();
  closed.promise.catch(() => {});
  // DBOS tries again and again while the database is away: whoever waits for it is let go when the runner closes.
  const orClosed = <T>(work: Promise<T>): Promise<T> => Promise.race([work, closed.promise]);
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    closed.reject(abortedError('The runner'));
    awaited.failAll(abortedError('The runner'));
    const deadline = closeDeadline(settings.closeTimeoutMs, warn);
    const ended = active.close();
    await deadline(Promise.all([living.stop(), looking.stop()]));
    await deadline(host.close());
    await deadline(giveBack(store, name, executorId));
    await deadline(ended);
    await deadline(removeWorker(store, executorId));
    await deadline(store.close());
  };
  const throwIfClosed = (): void => {
    if (closing !== undefined) throw abortedError('The runner');
  };
  return {
    async run(path, key, work) {
      throwIfClosed();
      return remember(`run/${path}`, key, work);
    },
    async enqueue(job, input, { id }) {
      throwIfClosed();
      const target = { store, host, name, version, jobs: options.jobs };
      const workflowId = await orClosed(enqueueJob(target, job, input, checkId(id)));
      throwIfClosed();
      return { id, result: awaited.of(workflowId, id) as never };
    },
    async signal(id, value) {
      throwIfClosed();
      await sendSignal(store, name, checkId(id), value);
    },
    async cancel(id) {
      throwIfClosed();
      const workflowId = await openWorkflow(store, host.queueName, checkId(id));
      if (workflowId === undefined) return;
      await orClosed(host.dbos.cancelWorkflow(workflowId));
      active.stop(workflowId, abortedError(`Job \`${id}\``));
      await orClosed(awaited.collect(host.dbos));
    },
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Stops what was cancelled elsewhere, or taken over because this process had seemed dead. */
async function stopLost(store: Store, executorId: string, active: ActiveJobs): Promise<void> {
  const { workflowIds } = active;
  if (workflowIds.length === 0) return;
  for (const { id, cancelled } of await lostWorkflows(store, executorId, workflowIds))
    active.stop(id, abortedError(cancelled ? 'The job' : 'The job, which another process had taken over,'));
}

/**
 * Waits for one part of closing after the other, all of them together no longer than this. What fails or takes longer
 * is logged and left: others take over what this process does not give back.
 */
function closeDeadline(timeoutMs: number, warn: (thrown: unknown) => void): (part: Promise<unknown>) => Promise<void> {
  const end = Date.now() + timeoutMs;
  return async (part) => {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => {
      // Each part gets a moment, also when one before it has used up the time.
      timer = setTimeout(resolve, Math.max(100, end - Date.now()));
    });
    await Promise.race([part.catch(warn), limit]);
    clearTimeout(timer);
  };
}

function checkId(id: string): string {
  if (/^[^\0]{1,500}$/su.test(id)) return id;
  throw new AskemaError(
    'INPUT_INVALID',
    `\`${id.slice(0, 50)}\` is no id of a job here: 1 to 500 characters, none of them U+0000.`,
  );
}

/** Adds a value to those of a job, behind the ones that were sent before. */
async function sendSignal(store: Store, runner: string, job: string, value: unknown): Promise<void> {
  const encoded = JSON.stringify(encodeValue(value));
  await store.transaction(async (query) => {
    // Senders to one job come one after the other, so that numbers have no gaps.
    await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [JSON.stringify([runner, job])]);
    await query(
      `INSERT INTO {askema}.signals (runner, job, number, value)
       SELECT $1, $2, count(*), $3 FROM {askema}.signals WHERE runner = $1 AND job = $2`,
      [runner, job, encoded],
    );
  });
}

/** The value number `number` of a job, from 0, if it was sent. */
async function readSignal(
  store: Store,
  runner: string,
  job: string,
  number: number,
): Promise<{ readonly value: unknown } | undefined> {
  const [row] = await store.query<{ value: string }>(
    'SELECT value FROM {askema}.signals WHERE runner = $1 AND job = $2 AND number = $3',
    [runner, job, number],
  );
  return row === undefined ? undefined : { value: decodeValue(JSON.parse(row.value) as JsonValue) };
}
