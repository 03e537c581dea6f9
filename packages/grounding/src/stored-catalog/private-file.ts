import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Nobody but the owner may write, and of a file nobody else may read. */
const WRITABLE_BY_OTHERS = 0o022;
const OPEN_TO_OTHERS = 0o077;

/**
 * The content of a file that this user alone can have written; undefined for any other: one that is not there, is a link,
 * belongs to somebody else, is open to others, has a second name, is larger than `maxBytes`, or lies in such a folder.
 */
export async function readPrivateFile(folder: string, name: string, maxBytes: number): Promise<Buffer | undefined> {
  try {
    if (!isOwnFolder(await lstat(folder))) return undefined;
    // Without NONBLOCK a pipe in its place would be waited for.
    const file = await open(join(folder, name), constants.O_RDONLY | NOFOLLOW | NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.nlink > 1 || stats.size > maxBytes || !isOwn(stats, OPEN_TO_OTHERS))
        return undefined;
      // One that grows meanwhile is not read on.
      const content = Buffer.alloc(stats.size);
      const { bytesRead } = await file.read(content, 0, stats.size, 0);
      return bytesRead === stats.size ? content : undefined;
    } finally {
      await file.close();
    }
  } catch {
    return undefined;
  }
}

/** Windows has neither. */
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;
const NONBLOCK = constants.O_NONBLOCK ?? 0;

/**
 * Writes a file that only this user can read: beside it first and then in its place, so that nobody reads half of one and
 * several processes do not meet. False where it cannot be written, or its folder is not this user's alone. The folder is
 * made where it is missing, those above it are not.
 */
export async function writePrivateFile(folder: string, name: string, content: string): Promise<boolean> {
  const beside = join(folder, `${name}.${randomBytes(6).toString('hex')}${BESIDE}`);
  try {
    await mkdir(folder, { mode: 0o700 }).catch(() => undefined);
    if (!isOwnFolder(await lstat(folder))) return false;
    await writeFile(beside, content, { mode: 0o600, flag: 'wx' });
    await rename(beside, join(folder, name));
    return true;
  } catch {
    await rm(beside, { force: true }).catch(() => undefined);
    return false;
  }
}

/** How a file ends that is not whole yet; a process that died may have left one. */
const BESIDE = '.tmp';
const LEFT_MS = 3_600_000;

/** Removes the files with this ending that were written before `olderThanMs`, and those that were never finished. */
export async function removeOld(folder: string, ending: string, olderThanMs: number): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names) {
    const isLeft = name.endsWith(BESIDE) && name.includes(ending);
    if (!isLeft && !name.endsWith(ending)) continue;
    const file = join(folder, name);
    const stats = await lstat(file).catch(() => undefined);
    const oldest = isLeft ? Math.max(olderThanMs, Date.now() - LEFT_MS) : olderThanMs;
    if (stats !== undefined && stats.mtimeMs < oldest) await rm(file, { force: true }).catch(() => undefined);
  }
}

function isOwnFolder(stats: Stats): boolean {
  return stats.isDirectory() && isOwn(stats, WRITABLE_BY_OTHERS);
}

/** Windows has no such modes; there the folders of a user are closed to others. */
function isOwn({ uid, mode }: Stats, forbidden: number): boolean {
  return process.getuid === undefined || (uid === process.getuid() && (mode & forbidden) === 0);
}
