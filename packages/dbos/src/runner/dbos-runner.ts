import { AskemaError, type Jobs, type Runner } from '@askema/core';
import type { DbosRunnerOptions } from './dbos-runner-options.ts';

/**
 * Core's {@link Runner} as a durable queue on PostgreSQL, by DBOS Transact: processes on any number of machines that open one with the same
 * `name` share its jobs, and each gets all results. Every job has exactly one result. Its work is done at least once: what a process had begun
 * when it died is begun again by another, except for what `run` had remembered.
 *
 * @throws AskemaError `DEPENDENCY_MISSING` without `@dbos-inc/dbos-sdk` or `pg`; `CONFIG_INVALID` for a wrong password, missing rights, tables of another
 * version, or a second runner in this process; `DATABASE_UNAVAILABLE` when no server answers; `DATABASE_NOT_FOUND`.
 */
export async function dbosRunner<const Known extends Jobs>(options: DbosRunnerOptions<Known>): Promise<Runner<Known>> {
  throw new AskemaError('CAPABILITY_UNSUPPORTED', `The runner ${options.name} is being written.`);
}
