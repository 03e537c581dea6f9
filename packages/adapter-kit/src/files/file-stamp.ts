import { type BigIntStats, type PathLike, promises } from 'node:fs';

/**
 * A file that was written at a moment may be written once more at the same one: the coarsest clock of a file system counts
 * two seconds (FAT).
 */
const SETTLED_MS = 3_000;

/**
 * Changes with each write to one of the files, of which some may be missing: it is of their identities, sizes and times, of
 * which no program can set the time of change. Undefined where a file was changed only just, so that another change would not
 * show, and where one cannot be looked at.
 */
export async function fileStamp(paths: readonly string[], nowMs: number = Date.now()): Promise<string | undefined> {
  try {
    const found = await Promise.all(paths.map(lookAt));
    const isSettled = found.every((stats) => stats === undefined || newestMs(stats) < nowMs - SETTLED_MS);
    return isSettled
      ? JSON.stringify(found.map((stats, at) => [paths[at], ...(stats ? factsOf(stats) : [])]))
      : undefined;
  } catch {
    return undefined;
  }
}

/** Of a file without content as of one that is not there: a log that was emptied holds nothing. */
async function lookAt(path: PathLike): Promise<BigIntStats | undefined> {
  try {
    const stats = await promises.stat(path, { bigint: true });
    return stats.size === 0n ? undefined : stats;
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
}

function newestMs({ mtimeMs, ctimeMs }: BigIntStats): number {
  return Number(mtimeMs > ctimeMs ? mtimeMs : ctimeMs);
}

function factsOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string[] {
  return [dev, ino, size, mtimeNs, ctimeNs].map(String);
}
