import path from 'node:path';
import { AskemaError } from '@askema/core';
import { acquireFileLock } from '@askema/core/node';

const LOCK_FILE = 'run.lock';

/**
 * Keeps two processes from writing one run. The lock of a process that was killed is taken over at once, also where nobody has reaped it yet; that of one
 * on another machine after 30 seconds without a sign of life.
 *
 * @throws AskemaError `JOURNAL_LOCKED` while another process holds the folder.
 */
export async function lockFolder(directory: string): Promise<{ readonly release: () => Promise<void> }> {
  return acquireFileLock(
    path.join(directory, LOCK_FILE),
    (holder) =>
      new AskemaError(
        'JOURNAL_LOCKED',
        `${directory} is in use by ${holder}. Wait for it, or choose another output folder.`,
        { retryable: true },
      ),
  );
}
