import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { AskemaError } from '@askema/core';

/**
 * Writes a file whole or not at all, also when the process dies in the middle. Rejects with the error of the file
 * system.
 */
export async function replaceFile(file: string, text: string): Promise<void> {
  const draft = `${file}.${randomUUID()}.draft`;
  try {
    await writeFile(draft, text, { flush: true });
    await rename(draft, file);
  } catch (error) {
    await rm(draft, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes a file that somebody named, whole or not at all; folders are made. `what` stands first in the error.
 *
 * @throws AskemaError `INPUT_INVALID` for a file that cannot be written.
 */
export async function writeNamedFile(file: string, text: string, what: string): Promise<void> {
  try {
    await mkdir(path.dirname(file), { recursive: true });
    await replaceFile(file, text);
  } catch (cause) {
    throw new AskemaError('INPUT_INVALID', `${what} cannot be written to ${file}: ${(cause as Error).message}`, {
      cause,
    });
  }
}
