import { lstatSync, realpathSync, type Stats } from 'node:fs';

/** What SQLite keeps beside a database, whose links it follows first. */
const COMPANIONS = ['-journal', '-wal', '-shm'];

/**
 * Why SQLite must not open a file beside a database that it takes for its journal or log; undefined where it may. A named
 * pipe would block it for ever. Through a link or a second name it would write to another file.
 */
export function findStrangeCompanion(file: string): string | undefined {
  const real = attempt(() => realpathSync(file)) ?? file;
  for (const suffix of COMPANIONS) {
    const companion = `${real}${suffix}`;
    const stats = attempt(() => lstatSync(companion, { throwIfNoEntry: false }));
    const strange = stats === undefined ? undefined : strangeness(stats);
    if (strange !== undefined)
      return `${companion} ${strange}. SQLite takes it for a part of the database and may write to it: find out who has put it there, and move it away`;
  }
  return undefined;
}

/** Why a file is not a regular one with this name alone; undefined where it is. */
export function strangeness(stats: Stats): string | undefined {
  if (stats.isSymbolicLink()) return 'is a symbolic link';
  if (!stats.isFile()) return 'is no regular file';
  return stats.nlink > 1 ? `is one of ${stats.nlink} names of the same file` : undefined;
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    // No permission, a loop of links: opening the database says so.
    return undefined;
  }
}
