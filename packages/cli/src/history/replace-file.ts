import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/**
 * Writes a file beside and renames it, so that nobody reads half of one, and a full disk leaves the one that was there.
 * Only this user can read it. Rejects with errors of the file system.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const beside = join(dirname(path), `.${randomBytes(6).toString('hex')}.tmp`);
  try {
    await writeFile(beside, text, { mode: 0o600, flag: 'wx' });
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
}
