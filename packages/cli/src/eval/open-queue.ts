import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { AskemaError, type JsonValue } from '@askema/core';
import type { EvaluationOptions } from '@askema/eval';
import { schemeOf, withoutUserInfo } from '../database/address.ts';

/** What makes machines work on one and the same run. */
export interface SharedRun {
  /** The folder of the results on this machine; its last part is the name that the machines share. */
  readonly folder: string;
  readonly fingerprint: string;
  readonly configuration: Readonly<Record<string, JsonValue>>;
  /** Ids of the metrics: a machine that measures less must not take part. */
  readonly metrics: readonly string[];
}

/**
 * The options of a run whose questions are a durable queue on PostgreSQL. Machines share them when dataset, configuration, metrics and the
 * last part of `--out` are the same; another name measures once more.
 *
 * @throws AskemaError `CONFIG_INVALID` for an address that is none of PostgreSQL, or has a password.
 */
export function openQueue(address: string, run: SharedRun): Pick<EvaluationOptions, 'runner' | 'runId'> {
  checkAddress(address);
  const runId = nameOf(run);
  return {
    runId,
    runner: async (jobs, concurrency) => {
      const { dbosRunner } = await import('@askema/dbos');
      return dbosRunner({ jobs, connection: address, name: runId, concurrency });
    },
  };
}

/** Letters, digits, `.`, `_` and `-` only, and a hash, so that two commands that measure different things never meet. */
function nameOf({ folder, fingerprint, configuration, metrics }: SharedRun): string {
  const name = basename(folder)
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, 40);
  const hash = createHash('sha256')
    .update(JSON.stringify([fingerprint, configuration, metrics]))
    .digest('hex');
  return `${name}-${hash.slice(0, 12)}`;
}

function checkAddress(address: string): void {
  const scheme = schemeOf(address);
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if ((scheme !== 'postgres' && scheme !== 'postgresql') || url === undefined) {
    throw new AskemaError(
      'CONFIG_INVALID',
      `--queue ${JSON.stringify(withoutUserInfo(address))} must be the address of a PostgreSQL database: postgres://user@host/database.`,
    );
  }
  if (url.password !== '' || url.searchParams.has('password')) {
    throw new AskemaError(
      'CONFIG_INVALID',
      '--queue has a password in its address, which ends up in histories and lists of processes. Leave it out, and set PGPASSWORD or ~/.pgpass.',
    );
  }
}
