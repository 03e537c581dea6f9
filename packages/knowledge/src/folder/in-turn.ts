import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { AskemaError, isAskemaError, systemRuntime } from '@askema/core';
import { acquireFileLock } from '@askema/core/node';
import { placeIn, unwritable } from './replace-file.ts';

/** Files that begin with a dot are no knowledge. */
const LOCK = '.lock';
const WAIT_MS = 25;
const PATIENCE_MS = 10_000;

type FileLock = Awaited<ReturnType<typeof acquireFileLock>>;

/** Of this process, by the lock: it need not ask again and again. */
const queues = new Map<string, Promise<void>>();

/**
 * Does the work while nobody else changes the folder, in this process or another: what is read, and then written from
 * it, would else lose what somebody wrote in between. A lock of a process that died is taken over.
 *
 * @param below The folder that is changed, relative to `folder`; empty for all of it.
 * @throws AskemaError `KNOWLEDGE_INVALID` where the folder cannot be written, or is changed for more than 10 seconds.
 */
export async function inTurn<T>(folder: string, below: string, work: () => Promise<T>): Promise<T> {
  const path = below === '' ? LOCK : `${below}/${LOCK}`;
  const file = placeIn(folder, path);
  const turn = (queues.get(file) ?? Promise.resolve()).then(() => locked({ folder, path, file }, work));
  const ended = turn.then(
    () => undefined,
    () => undefined,
  );
  queues.set(file, ended);
  try {
    return await turn;
  } finally {
    if (queues.get(file) === ended) queues.delete(file);
  }
}

interface LockPlace {
  readonly folder: string;
  readonly path: string;
  readonly file: string;
}

async function locked<T>(place: LockPlace, work: () => Promise<T>): Promise<T> {
  const lock = await acquire(place);
  try {
    return await work();
  } finally {
    await lock.release();
  }
}

async function acquire({ folder, path, file }: LockPlace): Promise<FileLock> {
  const { clock, sleep } = systemRuntime();
  const until = clock.now() + PATIENCE_MS;
  const busy = (holder: string): AskemaError =>
    new AskemaError('KNOWLEDGE_INVALID', `${folder} is being changed by ${holder}. Wait for it, and try again.`, {
      details: { file: path },
    });
  for (;;) {
    try {
      await mkdir(dirname(file), { recursive: true });
      return await acquireFileLock(file, busy);
    } catch (thrown) {
      if (!isAskemaError(thrown)) throw unwritable(folder, path, thrown);
      if (thrown.code !== 'KNOWLEDGE_INVALID') throw unwritable(folder, path, thrown.cause);
      if (clock.now() > until) throw thrown;
    }
    await sleep(WAIT_MS);
  }
}
