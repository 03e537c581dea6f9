import { checkNumber, checkWhole, invalidOption, type Jobs, type Runtime } from '@askema/core';
import { LONGEST_MS, resolveHeartbeat } from '../connection/heartbeat.ts';

/** What `dbosRunner` takes. */
export interface DbosRunnerOptions<Known extends Jobs> {
  /** The same in every process that works on this runner. */
  readonly jobs: Known;
  /** `postgres://user:password@host:port/database`. The database must exist; the tables are made in it. */
  readonly connection: string;
  /**
   * Which jobs belong together: processes with the same name share one queue and each other's results; others in the
   * same database see nothing of it. For a run of an evaluation: the name of that run. At most 200 characters.
   */
  readonly name: string;
  /**
   * Jobs that each process does at once; 1 by default. The number belongs to the queue: the process that was opened
   * last sets it for all. 0: this process only asks for jobs, and others do them.
   */
  readonly concurrency?: number | undefined;
  /**
   * Of the code of the jobs; `1` by default. A job is only done by processes of the version that queued it: raise it
   * when a job that was begun with the old code must not go on with the new one.
   */
  readonly version?: string | undefined;
  /** Where the tables of this package stand; `askema` by default. */
  readonly schema?: string | undefined;
  /** Where the tables of DBOS stand; `dbos` by default. */
  readonly dbosSchema?: string | undefined;
  /** False where this user must not make tables: `migrateDatabase` has made them before. Default: true. */
  readonly migrate?: boolean | undefined;
  /** How often this process says that it lives, and looks after the others; 2,000 by default. */
  readonly heartbeatMs?: number | undefined;
  /**
   * A process that has not said so for this long counts as dead, and its jobs are given to others; 20,000 by default.
   * The clock is the database's. At least four heartbeats.
   */
  readonly deadAfterMs?: number | undefined;
  /** How often the database is asked for new jobs, results and signals; 250 by default. */
  readonly pollMs?: number | undefined;
  /** How long `close` waits for jobs that do not stop, and for a database that does not answer; 10,000 by default. */
  readonly closeTimeoutMs?: number | undefined;
  /** Its logger is told what DBOS says, and of jobs that were taken over. */
  readonly runtime?: Partial<Runtime> | undefined;
}

/** The options with their defaults, checked. Throws `CONFIG_INVALID`. */
export function resolveRunnerOptions<Known extends Jobs>(options: DbosRunnerOptions<Known>) {
  return {
    name: checkLabel('name', options.name),
    concurrency: checkWhole('concurrency', options.concurrency ?? 1, 0),
    version: checkLabel('version', options.version ?? '1'),
    migrate: options.migrate ?? true,
    ...resolveHeartbeat(options),
    pollMs: checkNumber('pollMs', options.pollMs ?? 250, 10, LONGEST_MS),
    closeTimeoutMs: checkNumber('closeTimeoutMs', options.closeTimeoutMs ?? 10_000, 0, LONGEST_MS),
  };
}

function checkLabel(name: string, value: string): string {
  if (/^[^\0]{1,200}$/su.test(value)) return value;
  throw invalidOption(`\`${name}\` is ${JSON.stringify(value)}; it must have 1 to 200 characters.`);
}
