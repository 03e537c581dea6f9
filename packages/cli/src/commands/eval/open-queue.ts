import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { Journal, JsonValue } from '@askema/core';
import type { EvaluationOptions } from '@askema/eval';
import { checkQueueAddress } from '../../database/queue-address.ts';

/** What makes machines work on one and the same run. */
interface SharedRun {
  /** The folder of the results on this machine; its last part is the name that the machines share. */
  readonly folder: string;
  readonly fingerprint: string;
  readonly configuration: Readonly<Record<string, JsonValue>>;
  /** Ids of the metrics: a machine that measures less must not take part. */
  readonly metrics: readonly string[];
}

/** A run whose questions are a durable queue. */
interface SharedQueue {
  /** What `runEvaluation` is given. */
  readonly options: Pick<EvaluationOptions, 'runner' | 'runId'>;
  /**
   * Where flows remember their steps, so that a question which another machine takes over does not pay for them again.
   */
  openJournal(): Promise<Journal>;
  close(): Promise<void>;
}

/**
 * The questions of a run as a durable queue on PostgreSQL. Machines share them when dataset, configuration, metrics and
 * the last part of `--out` are the same; another name measures once more. Nothing is connected yet.
 *
 * @throws AskemaError `CONFIG_INVALID` for an address that is none of PostgreSQL, or has a password.
 */
export function openQueue(address: string, run: SharedRun): SharedQueue {
  checkQueueAddress(address);
  const runId = nameOf(run);
  let journal: Promise<Journal & { close(): Promise<void> }> | undefined;
  return {
    options: {
      runId,
      runner: async (jobs, concurrency) => {
        const { dbosRunner } = await import('@askema/dbos');
        return dbosRunner({ jobs, connection: address, name: runId, concurrency });
      },
    },
    openJournal() {
      journal ??= import('@askema/dbos').then(({ postgresJournal }) => postgresJournal({ connection: address }));
      return journal;
    },
    async close() {
      const opened = await journal?.catch(() => undefined);
      await opened?.close();
    },
  };
}

/**
 * Letters, digits, `.`, `_` and `-` only, and a hash, so that two commands that measure different things never meet.
 */
function nameOf({ folder, fingerprint, configuration, metrics }: SharedRun): string {
  const name = basename(folder)
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(0, 40);
  const hash = createHash('sha256')
    .update(JSON.stringify([fingerprint, configuration, metrics]))
    .digest('hex');
  return `${name}-${hash.slice(0, 12)}`;
}
