import { AskemaError, type Logger, redactSecrets } from '@askema/core';
import type { DBOS } from '@dbos-inc/dbos-sdk';
import { connectionError } from '../connection/connection-error.ts';
import { loadDbos } from '../connection/load-drivers.ts';
import type { Store } from '../connection/store.ts';
import { oneAtATime } from '../tables/ensure-tables.ts';

/** The workflow that does all jobs, by the name that DBOS keeps. */
export const JOB_WORKFLOW = 'askemaJob';

/** A job whose process ends so often is given up: it may be what ends them. */
const MAX_RECOVERIES = 10;

/** What DBOS calls for a job: its name, its id, its input as JSON. Returns the output as JSON. */
type Perform = (workflowId: string, job: string, id: string, input: string) => Promise<string>;

export interface HostOptions {
  readonly store: Store;
  /** Of the runner; that of the application in DBOS, so that processes of other runners leave its queue alone. */
  readonly name: string;
  readonly version: string;
  readonly executorId: string;
  readonly concurrency: number;
  readonly pollMs: number;
  readonly migrate: boolean;
  readonly logger: Logger;
  readonly perform: Perform;
}

/** DBOS as it runs in this process. */
export interface DbosHost {
  readonly dbos: typeof DBOS;
  readonly queueName: string;
  /** Takes no more jobs and lets go of the database; does not wait for jobs. */
  close(): Promise<void>;
}

/** DBOS is one per process: this is who has it. */
let holder: { readonly name: string; readonly perform: Perform } | undefined;
let registered = false;

/**
 * Launches DBOS for a runner.
 *
 * @throws AskemaError `CONFIG_INVALID` while another runner, or the application itself, uses DBOS in this process.
 */
export async function launchHost(options: HostOptions): Promise<DbosHost> {
  const { DBOS } = await loadDbos();
  if (holder !== undefined) throw inUse(`the runner \`${holder.name}\``, options.name);
  if (DBOS.isInitialized()) throw inUse('the application itself', options.name);
  holder = { name: options.name, perform: options.perform };
  try {
    return await launch(DBOS, options);
  } catch (thrown) {
    await DBOS.shutdown().catch(() => {});
    holder = undefined;
    throw connectionError(thrown, 'Launching DBOS', options.store.connection);
  }
}

async function launch(dbos: typeof DBOS, options: HostOptions): Promise<DbosHost> {
  const { store, name, concurrency } = options;
  registerJobWorkflow(dbos);
  const queueName = name;
  dbos.setConfig({
    name,
    systemDatabaseUrl: store.connection,
    systemDatabaseSchemaName: store.dbosSchema,
    systemDatabasePoolSize: 5,
    applicationVersion: applicationVersion(name, options.version),
    executorID: options.executorId,
    useListenNotify: false,
    runMigrations: options.migrate,
    listenQueues: concurrency === 0 ? [] : [queueName],
    logger: loggerOf(options.logger),
  });
  await (options.migrate ? oneAtATime(store, () => dbos.launch()) : dbos.launch());
  await dbos.registerQueue(queueName, {
    onConflict: concurrency === 0 ? 'never_update' : 'always_update',
    workerConcurrency: Math.max(1, concurrency),
    minPollingIntervalMs: options.pollMs,
  });
  return {
    dbos,
    queueName,
    async close() {
      await dbos.shutdown();
      holder = undefined;
    },
  };
}

/** DBOS wants names of versions that no two applications of a database share. */
export function applicationVersion(name: string, version: string): string {
  return `${name}@${version}`;
}

/** Once per process: DBOS keeps registrations over a shutdown. */
function registerJobWorkflow(dbos: typeof DBOS): void {
  if (registered) return;
  dbos.registerWorkflow(
    (job: string, id: string, input: string) => {
      if (holder === undefined) throw new AskemaError('INTERNAL', `Job \`${id}\` came when no runner was open.`);
      return holder.perform(dbos.workflowID ?? '', job, id, input);
    },
    { name: JOB_WORKFLOW, maxRecoveryAttempts: MAX_RECOVERIES },
  );
  registered = true;
}

function inUse(by: string, name: string): AskemaError {
  return new AskemaError(
    'CONFIG_INVALID',
    `The runner \`${name}\` cannot be opened: DBOS Transact is one per process, and ${by} uses it in this one. Close that first, or open the runner in another process.`,
  );
}

/** DBOS's own messages, without secrets. What it calls an error is a warning here: what fails for good rejects. */
function loggerOf(logger: Logger) {
  const tell = (level: 'debug' | 'warn') => (entry: unknown) => {
    logger[level](redactSecrets(entry instanceof Error ? entry.message : String(entry)));
  };
  return { debug: tell('debug'), info: tell('debug'), warn: tell('warn'), error: tell('warn') };
}
