import { randomUUID } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { open, readFile, readlink, stat, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { isMissing } from './with-file-system.ts';

/** What stands in a lock file. */
export interface Holder {
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

/** A holder elsewhere shows that it lives by touching its file so often. */
const HEARTBEAT_MS = 10_000;
/** Bytes of a lock: numbers, and the name of a host. */
const LONGEST_HOLDER = 4_096;

const holders = new Map<string, Promise<LockHolder>>();

/**
 * This process in the locks of one folder. Its file is there for as long as it has a lock there. All its locks are hard
 * links to that file: taking and leaving one is a single operation, and one heartbeat is seen in all of them.
 */
export class LockHolder {
  /** The holder of this process in a folder, for one more lock. Rejects where its file cannot be made. */
  static async join(place: string): Promise<LockHolder> {
    const folder = resolve(place);
    for (;;) {
      const known = holders.get(folder) ?? LockHolder.#make(folder);
      holders.set(folder, known);
      try {
        const holder = await known;
        // Who stood still for so long may be taken for dead: the next lock says something new.
        if (Date.now() - holder.#touchedAt > 2 * HEARTBEAT_MS) holder.abandon();
        if (holder.#hasLeft) continue;
        holder.#users += 1;
        return holder;
      } catch (thrown) {
        if (holders.get(folder) === known) holders.delete(folder);
        throw thrown;
      }
    }
  }

  static async #make(folder: string): Promise<LockHolder> {
    const own: Holder = { token: randomUUID(), pid: process.pid, ...(await identifyOwn()) };
    const file = holderFile(folder, own.token);
    const content = `${JSON.stringify(own)}\n`;
    const handle = await open(file, 'wx');
    try {
      await handle.appendFile(content);
      const stats = await handle.stat({ bigint: true });
      return new LockHolder(folder, { own, file, content, place: placeOf(stats) });
    } finally {
      await handle.close();
    }
  }

  readonly own: Holder;
  readonly file: string;
  readonly content: string;
  /** Which file it is, whatever its name. */
  readonly place: string;
  readonly #folder: string;
  readonly #beats = new Set<(isAlive: boolean) => Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #users = 0;
  #touchedAt = Date.now();
  #hasLeft = false;

  private constructor(folder: string, made: Pick<LockHolder, 'own' | 'file' | 'content' | 'place'>) {
    this.#folder = folder;
    this.own = made.own;
    this.file = made.file;
    this.content = made.content;
    this.place = made.place;
    this.#timer = setInterval(() => void this.#beat(), HEARTBEAT_MS);
    this.#timer.unref();
  }

  /** Calls this at each heartbeat, with whether the file still says what it said. Returns the way to end that. */
  onBeat(beat: (isAlive: boolean) => Promise<void>): () => void {
    this.#beats.add(beat);
    return () => this.#beats.delete(beat);
  }

  /** Writes into the file anew, so that its time is that of now. False where it says something else. */
  async touch(file = this.file): Promise<boolean> {
    const at = Date.now();
    const isOwn = await touch(file, this.own.token);
    if (isOwn && file === this.file) this.#touchedAt = at;
    return isOwn;
  }

  /** Whether a lock is still this holder's. */
  async holds(lock: string): Promise<boolean> {
    const found = await stat(lock, { bigint: true }).catch(() => undefined);
    if (found === undefined) return false;
    if (placeOf(found) === this.place) return true;
    // Made without a link, or where links have numbers of their own.
    const text = await readText(lock).catch(() => undefined);
    return text !== undefined && parseHolder(text)?.token === this.own.token;
  }

  /** One lock less. */
  async leave(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.abandon();
    clearInterval(this.#timer);
    await removeFile(this.file);
  }

  /** Takes no more locks: the next one has another holder. */
  abandon(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    holders.delete(this.#folder);
  }

  async #beat(): Promise<void> {
    const isAlive = await this.touch().catch(() => false);
    await Promise.all([...this.#beats].map((beat) => beat(isAlive)));
  }
}

/** Numbers of files are used again, so it counts when it was made. */
function placeOf({ dev, ino, birthtimeNs }: BigIntStats): string {
  return [dev, ino, birthtimeNs].join(' ');
}

/** Where a holder has its file. */
export function holderFile(folder: string, token: string): string {
  return join(folder, `.lock-${token.slice(0, 8)}`);
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
export async function identify(pid: number): Promise<Pick<Holder, 'started' | 'machine'>> {
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

export async function removeFile(file: string): Promise<void> {
  try {
    await unlink(file);
  } catch (thrown) {
    if (!isMissing(thrown)) throw thrown;
  }
}

export async function readText(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if (isMissing(thrown)) return undefined;
    throw thrown;
  }
}

export function parseHolder(text: string): Holder | undefined {
  try {
    const holder = JSON.parse(text) as Holder;
    const { token, pid, machine } = holder;
    return typeof token === 'string' && typeof pid === 'number' && typeof machine === 'string' ? holder : undefined;
  } catch {
    return undefined;
  }
}
