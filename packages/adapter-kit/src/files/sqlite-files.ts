import { closeSync, lstatSync, openSync, readSync, realpathSync, type Stats } from 'node:fs';

/** What SQLite keeps beside a database, whose links it follows first. */
const COMPANIONS = ['-journal', '-wal', '-shm'];

/** How the trailer of a journal ends that names another one (https://sqlite.org/atomiccommit.html#_multi_file_commit). */
const MAGIC = 'd9d505f920a163d7';

/**
 * Why SQLite must not open a file beside a database that it takes for its journal or log; undefined where it may. A named
 * pipe would block it for ever. Through a link or a second name it would write to another file.
 */
export function findStrangeCompanion(file: string): string | undefined {
  const real = attempt(() => realpathSync(file)) ?? file;
  for (const suffix of COMPANIONS) {
    const companion = `${real}${suffix}`;
    const stats = attempt(() => lstatSync(companion, { throwIfNoEntry: false }));
    const strange = stats && (strangeness(stats) ?? attempt(() => furtherJournal(companion, stats)));
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

/** SQLite opens the file that stands there, and those whose names it finds in it, wherever they are. */
function furtherJournal(file: string, { size }: Stats): string | undefined {
  if (!file.endsWith('-journal')) return undefined;
  const end = Buffer.alloc(MAGIC.length / 2);
  const opened = openSync(file, 'r');
  try {
    readSync(opened, end, 0, end.length, Math.max(0, size - end.length));
  } finally {
    closeSync(opened);
  }
  return end.toString('hex') === MAGIC && size > 512 ? 'names another journal' : undefined;
}

function attempt<T>(look: () => T): T | undefined {
  try {
    return look();
  } catch {
    // No permission, a loop of links: opening the database says so.
    return undefined;
  }
}
