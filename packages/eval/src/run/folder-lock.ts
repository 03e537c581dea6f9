import { readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import { AskemaError } from '@askema/core';

const LOCK_FILE = 'run.lock';

/**
 * Keeps two processes from writing one run. The lock of a process that was killed is taken over; of one on another machine it is
 * not known whether it lives.
 *
 * @throws AskemaError `JOURNAL_LOCKED` while another process holds the folder.
 */
export async function lockFolder(directory: string): Promise<{ readonly release: () => Promise<void> }> {
  const file = path.join(directory, LOCK_FILE);
  const own = `${hostname()} ${process.pid}\n`;
  for (let attempt = 0; attempt < 3; attempt += 1) {
    try {
      await writeFile(file, own, { flag: 'wx' });
      return { release: () => rm(file, { force: true }) };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const holder = await readFile(file, 'utf8').catch(() => '');
      if (isHeld(holder)) throw lockedError(directory, file, holder.trim());
      await rm(file, { force: true });
    }
  }
  throw lockedError(directory, file, 'another process');
}

function isHeld(holder: string): boolean {
  const [host, pid] = holder.trim().split(' ');
  if (host !== hostname()) return host !== '';
  const id = Number(pid);
  // A killed process may have had the id that this one has now, as in a container that starts afresh.
  if (!Number.isInteger(id) || id <= 0 || id === process.pid) return false;
  try {
    process.kill(id, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function lockedError(directory: string, file: string, holder: string): AskemaError {
  return new AskemaError(
    'JOURNAL_LOCKED',
    `${directory} is in use by ${holder} (machine and process). Wait for it or choose another output folder; if it no longer runs, remove ${file}.`,
    { retryable: true },
  );
}
