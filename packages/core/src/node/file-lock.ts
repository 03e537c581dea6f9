import { createHash, randomUUID } from 'node:crypto';
import { link, lstat, open, readFile, readlink, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import type { AskemaError } from '../errors/askema-error.ts';
import { errorCodeOf, isMissing, withFileSystem } from './with-file-system.ts';

/** A lock that this process holds. */
export interface FileLock {
  /** Throws when somebody else has taken the lock, because this process seemed dead. */
  check(): void;
  release(): Promise<void>;
}

/** What stands in a lock file. */
interface Holder {
  readonly token: string;
  readonly pid: number;
  /**
   * When the process started, in the system's own ticks: a process id alone is soon used again, above all in
   * containers.
   */
  readonly started: string;
  /** Host, boot and process namespace: only within one of these do process ids mean anything. */
  readonly machine: string;
}

/** A holder elsewhere shows that it lives by touching its lock so often… */
const HEARTBEAT_MS = 10_000;
/** …and counts as dead when it has not done so for so long. */
const DEAD_AFTER_MS = 30_000;
/** Bytes of a lock: numbers, and the name of a host. */
const LONGEST_HOLDER = 4_096;

/**
 * Takes a lock file, made with `link` so that exactly one process can have it. A lock whose process has died is taken
 * over at once when it was on this machine, and after 30 seconds without a heartbeat when it was on another one.
 *
 * Rejects with `makeError(holder)` while somebody alive holds it.
 */
export async function acquireFileLock(file: string, makeError: (holder: string) => AskemaError): Promise<FileLock> {
  const own: Holder = { token: randomUUID(), pid: process.pid, ...(await identifyOwn()) };
  const candidate = `${file}.${own.token.slice(0, 8)}`;
  return withFileSystem(`lock ${file}`, async () => {
    const content = `${JSON.stringify(own)}\n`;
    await writeFile(candidate, content);
    try {
      while (!(await tryCreate(candidate, file, content))) {
        // A link that leads nowhere is never there to be read, and a pipe never ends.
        if ((await lstat(file).catch(() => undefined))?.isFile() === false)
          throw new Error('it is no regular file; remove it');
        const text = await readText(file);
        if (text === undefined) continue;
        const alive = await describeIfAlive(file, text, candidate, own);
        if (alive !== undefined) throw makeError(alive);
        if (await takeOver(file, text, candidate, makeError)) break;
      }
      return keepLock(file, own, makeError);
    } finally {
      await removeFile(candidate);
    }
  });
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

/** Makes the lock file whole, or not at all when there is one. */
async function tryCreate(candidate: string, file: string, content: string): Promise<boolean> {
  try {
    await link(candidate, file);
    return true;
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'EEXIST') return false;
  }
  // Some file systems have no hard links.
  try {
    await writeFile(file, content, { flag: 'wx' });
    return true;
  } catch (thrown) {
    if (errorCodeOf(thrown) === 'EEXIST') return false;
    throw thrown;
  }
}

/** Who holds the lock, or undefined when that process is dead. */
async function describeIfAlive(
  file: string,
  text: string,
  candidate: string,
  own: Holder,
): Promise<string | undefined> {
  const holder = parseHolder(text);
  if (holder?.machine === own.machine) {
    if (!processExists(holder.pid)) return undefined;
    const { started } = await identify(holder.pid);
    return started === holder.started ? `process ${holder.pid}` : undefined;
  }
  // Times of one file system are compared with each other, not with this machine's clock.
  const [locked, now] = await Promise.all([stat(file).catch(() => undefined), stat(candidate)]);
  if (locked === undefined || now.mtimeMs - locked.mtimeMs > DEAD_AFTER_MS) return undefined;
  const where = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.machine.split(' ')[0]}`;
  return `${where} (or was within the last ${DEAD_AFTER_MS / 1000} seconds)`;
}

function keepLock(file: string, own: Holder, makeError: (holder: string) => AskemaError): FileLock {
  let lost: AskemaError | undefined;
  const beat = async (): Promise<void> => {
    const isOwn = await touch(file, own.token).catch(() => false);
    if (!isOwn) lost ??= makeError('another process, which took this one for dead');
  };
  const timer = setInterval(() => void beat(), HEARTBEAT_MS);
  timer.unref();
  let released = false;
  return {
    check() {
      if (lost !== undefined) throw lost;
    },
    async release() {
      if (released) return;
      released = true;
      clearInterval(timer);
      const text = await readText(file).catch(() => undefined);
      if (text !== undefined && parseHolder(text)?.token === own.token) await removeFile(file);
    },
  };
}

/**
 * Writes the last byte again where the lock still holds this token: the file system then sets the time by its own
 * clock, which `utimes` would not. False where somebody else has the lock; rejects where there is none.
 */
async function touch(file: string, token: string): Promise<boolean> {
  const handle = await open(file, 'r+');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(LONGEST_HOLDER), 0, LONGEST_HOLDER, 0);
    const isOwn = parseHolder(buffer.toString('utf8', 0, bytesRead))?.token === token;
    // A disk that is full says nothing about the lock.
    if (isOwn) await handle.write('\n', bytesRead - 1).catch(() => undefined);
    return isOwn;
  } finally {
    await handle.close();
  }
}

let ofThisProcess: ReturnType<typeof identify> | undefined;

/** Asked for with each lock, it stays the same for as long as the process lives. */
function identifyOwn(): ReturnType<typeof identify> {
  ofThisProcess ??= identify(process.pid);
  return ofThisProcess;
}

/** Where a process lives and since when. Linux tells exactly; elsewhere the process id has to do. */
async function identify(pid: number): Promise<Pick<Holder, 'started' | 'machine'>> {
  const [processStat, boot, namespace] = await Promise.all([
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
    readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    readlink('/proc/self/ns/pid').catch(() => ''),
  ]);
  // The command, in parentheses, may hold anything; behind it come the state (field 3)
  // and, in field 22, the start (https://man7.org/linux/man-pages/man5/proc_pid_stat.5.html).
  const fields = processStat.slice(processStat.lastIndexOf(')') + 2).split(' ');
  const dead = fields[0] === 'Z' || fields[0] === 'X';
  return { started: dead ? 'dead' : (fields[19] ?? ''), machine: [hostname(), boot.trim(), namespace].join(' ') };
}

async function removeFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
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

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    const { token, pid, machine } = holder;
    return typeof token === 'string' && typeof pid === 'number' && typeof machine === 'string' ? holder : undefined;
  } catch {
    return undefined;
  }
}
