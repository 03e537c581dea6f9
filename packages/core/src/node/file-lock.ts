import { createHash } from 'node:crypto';
import { link, lstat, rename, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { AskemaError } from '../errors/askema-error.ts';
import { holderFile, identify, LockHolder, parseHolder, readText, removeFile } from './lock-holder.ts';
import { errorCodeOf, isMissing, withFileSystem } from './with-file-system.ts';

/** A lock that this process holds. */
export interface FileLock {
  /** Throws when somebody else has taken the lock, because this process seemed dead. */
  check(): void;
  release(): Promise<void>;
}

/** A holder elsewhere counts as dead when it has not touched its lock for so long. */
const DEAD_AFTER_MS = 30_000;

/**
 * Takes a lock file, made with `link` so that exactly one process can have it. A lock whose process has died is taken
 * over at once when it was on this machine, and after 30 seconds without a heartbeat when it was on another one.
 *
 * Rejects with `makeError(holder)` while somebody alive holds it.
 */
export async function acquireFileLock(file: string, makeError: (holder: string) => AskemaError): Promise<FileLock> {
  return withFileSystem(`lock ${file}`, async () => {
    const holder = await LockHolder.join(dirname(file));
    try {
      const isLink = await take(file, holder, makeError);
      return keepLock(file, { holder, isLink, makeError });
    } catch (thrown) {
      await holder.leave();
      throw thrown;
    }
  });
}

/** Resolves with whether the lock is a link to the holder's file. */
async function take(file: string, holder: LockHolder, makeError: (holder: string) => AskemaError): Promise<boolean> {
  for (;;) {
    const made = await tryCreate(file, holder);
    if (made !== undefined) return made === 'link';
    // A link that leads nowhere is never there to be read, and a pipe never ends.
    if ((await lstat(file).catch(() => undefined))?.isFile() === false)
      throw new Error('it is no regular file; remove it');
    const text = await readText(file);
    if (text === undefined) continue;
    const alive = await describeIfAlive(file, text, holder);
    if (alive !== undefined) throw makeError(alive);
    const candidate = `${file}.${holder.own.token.slice(0, 8)}`;
    const kind = await tryCreate(candidate, holder);
    try {
      if (kind !== undefined && (await takeOver(file, text, candidate, makeError))) {
        await removeLeft(file, text, holder);
        return kind === 'link';
      }
    } finally {
      await removeFile(candidate);
    }
  }
}

/**
 * Puts the candidate in the place of a dead lock, unless somebody else has done so. Only one process may try at a time,
 * which takes a lock of its own: named after the dead holder, so that nobody who comes later mistakes the new lock for
 * the dead one. Exported for its test.
 */
export async function takeOver(
  file: string,
  deadText: string,
  candidate: string,
  makeError: (holder: string) => AskemaError,
): Promise<boolean> {
  const dead = parseHolder(deadText)?.token ?? createHash('sha256').update(deadText).digest('hex');
  const turn = await acquireFileLock(`${file}.after-${dead.slice(0, 8)}`, makeError);
  try {
    if ((await readText(file)) !== deadText) return false;
    await rename(candidate, file);
    return true;
  } finally {
    await turn.release();
  }
}

/** Removes what a process of this machine has left that died with locks. Of another machine, it may only have slept. */
async function removeLeft(file: string, deadText: string, here: LockHolder): Promise<void> {
  const dead = parseHolder(deadText);
  if (dead?.machine !== here.own.machine || !/^[\w-]{8,}$/.test(dead.token)) return;
  await removeFile(holderFile(dirname(file), dead.token));
}

/** Makes the lock file whole, or not at all when there is one: then undefined. */
async function tryCreate(file: string, holder: LockHolder): Promise<'link' | 'file' | undefined> {
  try {
    await link(holder.file, file);
    return 'link';
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'EEXIST') return undefined;
    if (isMissing(thrown)) {
      // Somebody has removed the holder's file, or the folder.
      holder.abandon();
      throw thrown;
    }
  }
  // Some file systems have no hard links.
  try {
    await writeFile(file, holder.content, { flag: 'wx' });
    return 'file';
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'EEXIST') return undefined;
    throw thrown;
  }
}

/** Who holds the lock, or undefined when that process is dead. */
async function describeIfAlive(file: string, text: string, here: LockHolder): Promise<string | undefined> {
  const holder = parseHolder(text);
  if (holder?.machine === here.own.machine) {
    if (!processExists(holder.pid)) return undefined;
    const { started } = await identify(holder.pid);
    return started === holder.started ? `process ${holder.pid}` : undefined;
  }
  // Times of one file system are compared with each other, not with this machine's clock.
  await here.touch();
  const [locked, now] = await Promise.all([stat(file).catch(() => undefined), stat(here.file)]);
  if (locked === undefined || now.mtimeMs - locked.mtimeMs > DEAD_AFTER_MS) return undefined;
  const where = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.machine.split(' ')[0]}`;
  return `${where} (or was within the last ${DEAD_AFTER_MS / 1000} seconds)`;
}

function keepLock(
  file: string,
  {
    holder,
    isLink,
    makeError,
  }: {
    readonly holder: LockHolder;
    readonly isLink: boolean;
    readonly makeError: (holder: string) => AskemaError;
  },
): FileLock {
  let lost: AskemaError | undefined;
  const endBeats = holder.onBeat(async (isAlive) => {
    const isOwn = isLink ? isAlive && (await holder.holds(file)) : await holder.touch(file).catch(() => false);
    if (!isOwn) lost ??= makeError('another process, which took this one for dead');
  });
  let released = false;
  return {
    check() {
      if (lost !== undefined) throw lost;
    },
    async release() {
      if (released) return;
      released = true;
      endBeats();
      if (lost === undefined && (await holder.holds(file))) await removeFile(file);
      await holder.leave();
    },
  };
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (thrown) {
    // EPERM: it is there, but somebody else's.
    return errorCodeOf(thrown) === 'EPERM';
  }
}
